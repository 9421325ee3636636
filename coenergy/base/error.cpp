#include "coenergy/base/error.hpp"

#include <algorithm>
#include <cctype>
#include <mutex>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "coenergy/base/argument.hpp"

namespace coenergy {
namespace {

constexpr char argument_mark = '\x01';  // stands before the name of an argument

std::string replace_marks(const std::string& text, const std::string& by) {
  std::string result;
  for (const char c : text) c == argument_mark ? result += by : result += c;
  return result;
}

/// One line: the text as it is told from where it stands, and the instances in which it is true.
struct Line {
  std::string place, text;
  const Way* inside;
  int instances = 1;

  explicit Line(const Error::Item& item)
      : place(item.where.known() ? item.where.text() + ": " : ""),
        text(item.where.inside ? tell_from_inside(item.text, *item.where.inside) : item.text),
        inside(item.where.inside) {}

  bool is_same(const Line& other) const {
    return place == other.place && text == other.text && inside != nullptr && other.inside != nullptr;
  }
  std::string to_text() const {
    if (inside == nullptr) return place + text;
    const std::string more = instances > 1 ? " and " + std::to_string(instances - 1) + " more" : "";
    return place + "in " + inside->text() + more + ": " + text;
  }
};

std::string join_lines(const std::vector<Error::Item>& items) {
  std::vector<Line> lines;
  for (const auto& item : items) {
    Line line(item);
    // mistakes of one place stand side by side
    auto same = lines.rbegin();
    while (same != lines.rend() && same->place == line.place && !same->is_same(line)) ++same;
    if (same != lines.rend() && same->is_same(line))
      ++same->instances;
    else
      lines.push_back(std::move(line));
  }
  constexpr std::size_t most = 50;
  std::string text;
  for (const Line& line : lines) {
    if (lines.size() > most && &line == &lines[most - 1])
      return text + "\n… and " + std::to_string(lines.size() - most + 1) + " more";
    text += (text.empty() ? "" : "\n") + line.to_text();
  }
  return text;
}

// cost of reading a as b: nothing if equal, one if only the case differs, two otherwise
int letter_cost(char a, char b) {
  if (a == b) return 0;
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b)) ? 1 : 2;
}

// twice the edit distance with adjacent transpositions, where a change of case is half an edit
int edit_cost(std::string_view a, std::string_view b) {
  const std::size_t width = b.size() + 1;
  std::vector<int> before(width), last(width), row(width);
  for (std::size_t j = 0; j < width; ++j) row[j] = 2 * static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before = std::exchange(last, row);
    row[0] = 2 * static_cast<int>(i);
    for (std::size_t j = 1; j < width; ++j) {
      row[j] = std::min({last[j] + 2, row[j - 1] + 2, last[j - 1] + letter_cost(a[i - 1], b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 2);
    }
  }
  return row.back();
}

}  // namespace

const std::string* FileName::nothing() {
  static const std::string empty;
  return &empty;
}

FileName::FileName(std::string_view name) {
  if (name.empty()) return;
  static std::mutex mutex;
  static std::set<std::string, std::less<>> known;
  const std::lock_guard lock(mutex);
  const auto place = known.find(name);
  text_ = place != known.end() ? &*place : &*known.emplace(name).first;
}

std::string Location::text() const {
  std::string text = file.text();
  if (line <= 0) return text;
  text += (text.empty() ? "line " : ":") + std::to_string(line);
  if (column > 0) text += ":" + std::to_string(column);
  return text;
}

Error::Error(Location where, std::string text) : Error(std::vector<Item>{{std::move(where), std::move(text)}}) {}

Error::Error(std::vector<Item> items)
    : std::runtime_error(replace_marks(join_lines(items), "")), items_(std::move(items)) {}

std::string tell_error(const Error& e, const std::string& before_arguments) {
  return replace_marks(join_lines(e.items()), before_arguments);
}

std::string argument(std::string_view name) { return argument_mark + std::string(name); }

Error add_context(const Error& e, const std::string& what) {
  auto items = e.items();
  for (auto& item : items) item.text = what + ": " + item.text;
  return Error(std::move(items));
}

void ErrorList::throw_if_any() const {
  if (items_.empty()) return;
  auto ordered = items_;
  std::stable_sort(ordered.begin(), ordered.end(), [](const auto& a, const auto& b) {
    return std::tie(a.where.file, a.where.line, a.where.column) < std::tie(b.where.file, b.where.line, b.where.column);
  });
  // two steps may find the same mistake
  const auto is_same = [](const auto& a, const auto& b) {
    return a.where.text() == b.where.text() && a.where.inside == b.where.inside && a.text == b.text;
  };
  ordered.erase(std::unique(ordered.begin(), ordered.end(), is_same), ordered.end());
  throw Error(std::move(ordered));
}

std::string suggest(const std::string& name, const std::vector<std::string>& known) {
  // one edit in every three letters is near, up to four edits
  const std::size_t longest = 64;
  if (name.empty() || name.size() > longest) return "";
  int limit = 2 * static_cast<int>(std::clamp<std::size_t>(name.size() / 3, 1, 4));
  std::string best;
  for (const auto& candidate : known) {
    const auto difference = static_cast<int>(candidate.size()) - static_cast<int>(name.size());
    if (candidate.empty() || candidate.size() > longest || 2 * std::abs(difference) > limit) continue;
    const int cost = edit_cost(name, candidate);
    // all letters changed is another word, not a misspelling
    if (cost >= 2 * static_cast<int>(std::max(candidate.size(), name.size()))) continue;
    if (cost < limit || (cost == limit && best.empty())) {
      limit = cost;
      best = candidate;
    }
  }
  return best;
}

std::string did_you_mean(const std::string& name, const std::vector<std::string>& known) {
  const auto nearest = suggest(name, known);
  return nearest.empty() ? "" : "; did you mean " + nearest + "?";
}

}  // namespace coenergy
