#pragma once
#include <string>
#include <string_view>

namespace coenergy {
/// Letters, digits, underscore, not starting with a digit.
bool is_identifier(std::string_view s);
/// Shortest text that reads back as the same double.
std::string format_number(double value);
/// For messages: six significant digits.
std::string format_short(double value);
}  // namespace coenergy
