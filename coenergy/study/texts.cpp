#include "coenergy/study/texts.hpp"

#include <cmath>

#include "coenergy/base/error.hpp"
#include "coenergy/model/expression.hpp"

namespace coenergy::study {

std::string trim(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  int depth = 0;
  std::string part;
  for (const char c : text) {
    depth += (c == '(') - (c == ')');
    if (c == separator && depth == 0) {
      parts.push_back(trim(part)), part.clear();
      continue;
    }
    part += c;
  }
  parts.push_back(trim(part));
  return parts;
}

double read_number(const std::string& text, const std::string& unit, const std::string& what) {
  if (text.empty()) throw Error(what + ": a number is missing");
  symbolic::Graph graph;
  const model::Quantity q =
      model::Expression::parse(text, {}, what).evaluate(graph, [](const std::string&) { return std::nullopt; });
  if (!q.value.is_number() || !std::isfinite(q.value.number())) throw Error(what + ": " + text + " must be a number");
  model::check_unit(q, unit, {}, what, text);
  return q.value.number();
}

}  // namespace coenergy::study
