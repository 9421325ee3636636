#pragma once
#include <cstdint>
#include <string>

namespace coenergy::symbolic {

/// A constant: an exact rational n/d (d > 0, lowest terms) or a double.
/// Arithmetic is exact while numerator and denominator fit in 64 bits, then falls to double. A double that is a small
/// dyadic fraction (1, −3, 0.5, 2.25) is the exact number, so that equal constants are one node.
/// Results that are not finite, and products of non-zero numbers that underflow to zero, throw coenergy::Error.
struct Number {
  bool exact = true;
  std::int64_t n = 0, d = 1;  ///< of an exact number
  double v = 0;               ///< of a double

  static Number integer(std::int64_t n) { return {true, n, 1, 0}; }
  static Number rational(std::int64_t n, std::int64_t d);  ///< throws for d = 0
  static Number real(double v);                            ///< throws for NaN and infinities

  double value() const { return exact ? static_cast<double>(n) / static_cast<double>(d) : v; }
  bool is_zero() const { return exact && n == 0; }
  bool is_negative() const { return exact ? n < 0 : v < 0; }
  bool is_integer() const { return exact && d == 1; }
};

Number operator+(const Number& a, const Number& b);
Number operator*(const Number& a, const Number& b);
Number operator-(const Number& a);
Number reciprocal(const Number& a);       ///< throws for zero
Number power(Number base, int exponent);  ///< throws for a negative power of zero
std::string to_string(const Number& a);   ///< "3", "1/3", "0.1"

}  // namespace coenergy::symbolic
