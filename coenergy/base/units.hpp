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
Dimension pow(const Dimension& a, double n) = delete;  ///< a fraction would be cut off
std::string to_string(const Dimension& d);  ///< "kg.m2/s2", "kg.m2/(s3.A)"; "1" if none; reads back by parse_unit
/// For messages: the SI unit with a name where there is one ("V", "ohm", "N.m"), else as to_string.
std::string unit_name(const Dimension& d);

/// A unit: value_in_SI = factor · value + offset.
struct Unit {
  Dimension dimension;
  double factor = 1, offset = 0;
};

/// Reads unit texts: "mH", "N.m/rad", "kg*m^2", "kg m²", "rev/min", "deg/s", "1/s", "J/(kg.K)", "ohm", "l/min", "bar",
/// "degC", "%"; "" is the unit of plain numbers. Factors are joined by '.', '*', '·' or a space and divided by '/';
/// powers are m2, m^2, m**2, m². A product after a quotient ("J/kg.K") is refused: it can be read in two ways.
/// Throws Error naming the unknown part, with a suggestion.
Unit parse_unit(std::string_view text);
/// The same, or nothing where parse_unit throws.
std::optional<Unit> find_unit(std::string_view text);

/// The value in SI, and back. Decimal fractions are divided, so that 7.3 mH is the double 0.0073.
double to_si(double value, const Unit& unit);
double from_si(double value_in_si, const Unit& unit);

}  // namespace coenergy
