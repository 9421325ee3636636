#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace coenergy {

/// Physical dimension as integer exponents of m, kg, s, A, K, mol, cd (half-integers doubled are not needed here);
/// the angle rad is dimensionless but remembered by the unit text.
struct Dimension {
  std::array<int, 7> exponent{};
  friend bool operator==(const Dimension&, const Dimension&) = default;
  bool is_none() const;
};
Dimension operator*(const Dimension& a, const Dimension& b);
Dimension operator/(const Dimension& a, const Dimension& b);
Dimension pow(const Dimension& a, int n);
std::string to_string(const Dimension& d);  ///< "kg.m2/s2"; "1" if none

/// A unit: value_in_SI = factor · value + offset.
struct Unit {
  Dimension dimension;
  double factor = 1, offset = 0;
};

/// Reads "7.3 mH"-style unit texts: "mH", "N.m/rad", "kg*m^2", "rev/min", "deg/s", "1/s", "ohm", "l/min", "bar", "degC", "%".
/// Throws Error naming the unknown part, with a suggestion.
Unit parse_unit(std::string_view text);

}  // namespace coenergy
