#pragma once
#include <string>
#include <vector>

namespace coenergy::study {

/// Without the spaces around it.
std::string trim(const std::string& text);
/// The parts between separators that stand outside of parentheses, trimmed.
std::vector<std::string> split(const std::string& text, char separator);
/// A number of the kind of a unit, in SI: `3 ms`. Errors begin with `what`.
double read_number(const std::string& text, const std::string& unit, const std::string& what);

}  // namespace coenergy::study
