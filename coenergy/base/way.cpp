#include "coenergy/base/way.hpp"

#include <cctype>
#include <mutex>
#include <set>
#include <tuple>

namespace coenergy {

std::string Way::text() const {
  if (!is_element()) return path + " (" + part + ")";
  std::string text = path;
  for (const auto& [name, value] : indices)
    text += (&name == &indices.front().first ? " (" : ", ") + name + " = " + std::to_string(value);
  return text + (indices.empty() ? "" : ")");
}

bool operator<(const Way& a, const Way& b) {
  return std::tie(a.path, a.part, a.outer, a.indices, a.previous, a.next) <
         std::tie(b.path, b.part, b.outer, b.indices, b.previous, b.next);
}

const Way* keep_way(Way way) {
  static std::mutex mutex;
  static std::set<Way> known;
  const std::lock_guard lock(mutex);
  return &*known.insert(std::move(way)).first;
}

std::string tell_from_inside(const std::string& text, const Way& way) {
  if (way.is_element()) return text;
  const std::string prefix = way.path + ".";
  const auto is_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; };
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t next = text.find(prefix, at);
    result += text.substr(at, next - at);
    if (next == std::string::npos) break;
    // the end of a longer name is another one
    if (next > 0 && is_name(text[next - 1])) result += prefix;
    at = next + prefix.size();
  }
  return result;
}

}  // namespace coenergy
