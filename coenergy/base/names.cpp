#include "coenergy/base/names.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace coenergy {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

template <class... Format>
std::string write_number(double value, Format... format) {
  // one spelling for all platforms and signs of NaN
  if (std::isnan(value)) return "nan";
  char buffer[64];
  const auto result = std::to_chars(buffer, buffer + sizeof buffer, value, format...);
  return std::string(buffer, result.ptr);
}

}  // namespace

bool is_identifier(std::string_view s) {
  return !s.empty() && is_letter(s[0]) &&
         std::all_of(s.begin(), s.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

std::string format_number(double value) { return write_number(value); }

std::string format_short(double value) { return write_number(value, std::chars_format::general, 6); }

}  // namespace coenergy
