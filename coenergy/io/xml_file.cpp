#include "coenergy/io/xml_file.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <sstream>

#include "coenergy/base/names.hpp"

namespace coenergy::io {

namespace {

std::string trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1));
}

}  // namespace

std::string read_source(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in || std::filesystem::is_directory(path)) throw Error({path.string()}, "cannot be read");
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

XmlFile::XmlFile(std::string_view text, const std::string& file) : file_(file), source_(text) {
  lines_.push_back(0);
  for (std::size_t i = 0; i < source_.size(); ++i)
    if (source_[i] == '\n') lines_.push_back(static_cast<std::ptrdiff_t>(i) + 1);
  const pugi::xml_parse_result result =
      document_.load_buffer(source_.data(), source_.size(), pugi::parse_default, pugi::encoding_utf8);
  if (!result) throw Error(at(result.offset), std::string("this is not XML: ") + result.description());
  if (!root()) throw Error(at(0), "the file holds no XML element");
}

Location XmlFile::at(std::ptrdiff_t offset) const {
  const auto line = std::upper_bound(lines_.begin(), lines_.end(), offset) - lines_.begin();
  return {file_, static_cast<int>(line), static_cast<int>(offset - lines_[line - 1] + 1)};
}

Location XmlFile::where(const pugi::xml_node& node) const {
  // the place of an element is that of its name, behind the bracket
  return at(std::max<std::ptrdiff_t>(node.offset_debug() - 1, 0));
}

std::string XmlFile::text(const pugi::xml_node& parent, const char* child) const {
  return trim(parent.child(child).child_value());
}

std::string XmlFile::required_text(const pugi::xml_node& parent, const char* child) const {
  std::string value = text(parent, child);
  if (value.empty())
    throw Error(where(parent), "<" + std::string(parent.name()) + "> needs an element <" + child + ">");
  return value;
}

std::string XmlFile::required_attribute(const pugi::xml_node& node, const char* name) const {
  std::string value = trim(node.attribute(name).value());
  if (value.empty()) throw Error(where(node), "<" + std::string(node.name()) + "> needs the attribute " + name);
  return value;
}

double XmlFile::to_number(const std::string& text, const pugi::xml_node& node, const std::string& what) const {
  double value = 0;
  const char* begin = text.data() + (text.starts_with('+') ? 1 : 0);
  const auto [end, error] = std::from_chars(begin, text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    throw Error(where(node), what + ": \"" + text + "\" is not a number");
  return value;
}

double XmlFile::number(const pugi::xml_node& parent, const char* child, double otherwise) const {
  const pugi::xml_node node = parent.child(child);
  const std::string value = trim(node.child_value());
  return value.empty() ? otherwise : to_number(value, node, "<" + std::string(child) + ">");
}

double XmlFile::attribute(const pugi::xml_node& node, const char* name, double otherwise) const {
  const std::string value = trim(node.attribute(name).value());
  return value.empty() ? otherwise : to_number(value, node, "<" + std::string(node.name()) + " " + name + ">");
}

std::array<double, 3> XmlFile::attribute3(const pugi::xml_node& node, const char* name,
                                          std::array<double, 3> otherwise) const {
  if (!node.attribute(name)) return otherwise;
  const std::string what = "<" + std::string(node.name()) + " " + name + ">";
  std::istringstream words(node.attribute(name).value());
  std::vector<std::string> parts;
  for (std::string word; words >> word;) parts.push_back(word);
  if (parts.size() != 3)
    throw Error(where(node), what + " must be three numbers, not \"" + node.attribute(name).value() + "\"");
  std::array<double, 3> values;
  for (int i = 0; i < 3; ++i) values[i] = to_number(parts[i], node, what);
  return values;
}

std::string ComponentNames::make(const std::string& wish, const std::string& suffix) {
  std::string name;
  for (const char c : wish) name += is_identifier("a" + std::string(1, c)) ? c : '_';
  if (name.empty() || !is_identifier(name)) name = "n_" + name;
  if (!suffix.empty() && used_.contains(name)) name += suffix;
  std::string unique = name;
  for (int i = 2; !used_.insert(unique).second; ++i) unique = name + "_" + std::to_string(i);
  return unique;
}

model::Value make_value(std::string text, const Location& where) {
  model::Value value(std::move(text));
  value.where = where;
  return value;
}

model::Value make_value(double number, const Location& where) { return make_value(format_number(number), where); }

model::Value make_list(const std::vector<double>& numbers, const Location& where) {
  std::vector<model::Value> items;
  for (const double x : numbers) items.push_back(make_value(x, where));
  model::Value value(std::move(items));
  value.where = where;
  return value;
}

}  // namespace coenergy::io
