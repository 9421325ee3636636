#include "coenergy/symbolic/number.hpp"

#include <cmath>
#include <limits>
#include <numeric>

#include "coenergy/base/error.hpp"
#include "coenergy/base/names.hpp"

namespace coenergy::symbolic {

namespace {

// dyadic fractions up to this denominator are kept exact
constexpr double largest_dyadic = 1 << 20;
constexpr double largest_integer = 9007199254740992.0;  // 2^53

constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();

Number checked_product(double v) {
  if (v == 0) throw Error("a constant factor underflows to zero; scale the expression");
  return Number::real(v);
}

}  // namespace

Number Number::rational(std::int64_t n, std::int64_t d) {
  if (d == 0) throw Error("division by zero in the constant " + std::to_string(n) + "/0");
  if (n == smallest || d == smallest) return real(static_cast<double>(n) / static_cast<double>(d));
  const std::int64_t g = std::gcd(n, d);
  n /= g, d /= g;
  return d < 0 ? Number{true, -n, -d, 0} : Number{true, n, d, 0};
}

Number Number::real(double v) {
  if (!std::isfinite(v)) throw Error("a constant is " + format_number(v) + "; constants must be finite");
  const double scaled = v * largest_dyadic;
  if (std::abs(v) < largest_integer && std::abs(scaled) < largest_integer && scaled == std::floor(scaled))
    return rational(static_cast<std::int64_t>(scaled), static_cast<std::int64_t>(largest_dyadic));
  if (std::abs(v) < largest_integer && v == std::floor(v)) return integer(static_cast<std::int64_t>(v));
  return {false, 0, 1, v};
}

Number operator+(const Number& a, const Number& b) {
  if (a.exact && b.exact) {
    std::int64_t x, y, n, d;
    if (!__builtin_mul_overflow(a.n, b.d, &x) && !__builtin_mul_overflow(b.n, a.d, &y) &&
        !__builtin_add_overflow(x, y, &n) && !__builtin_mul_overflow(a.d, b.d, &d))
      return Number::rational(n, d);
  }
  return Number::real(a.value() + b.value());
}

Number operator*(const Number& a, const Number& b) {
  if (a.is_zero() || b.is_zero()) return Number::integer(0);
  if (a.exact && b.exact) {
    // cancel crosswise first, so that only true overflow falls to double
    const std::int64_t g = std::gcd(a.n, b.d), h = std::gcd(b.n, a.d);
    std::int64_t n, d;
    if (!__builtin_mul_overflow(a.n / g, b.n / h, &n) && !__builtin_mul_overflow(a.d / h, b.d / g, &d))
      return Number::rational(n, d);
  }
  return checked_product(a.value() * b.value());
}

Number operator-(const Number& a) { return a.exact ? Number{true, -a.n, a.d, 0} : Number{false, 0, 1, -a.v}; }

Number reciprocal(const Number& a) {
  if (a.is_zero()) throw Error("division by zero");
  return a.exact ? Number::rational(a.d, a.n) : checked_product(1 / a.v);
}

Number power(Number base, int exponent) {
  if (exponent < 0) base = reciprocal(base);
  Number result = Number::integer(1);
  for (unsigned n = static_cast<unsigned>(std::abs(static_cast<long>(exponent)));;) {
    if (n & 1u) result = result * base;
    n >>= 1;
    if (n == 0) return result;
    base = base * base;
  }
}

std::string to_string(const Number& a) {
  if (!a.exact) return format_number(a.v);
  return a.d == 1 ? std::to_string(a.n) : std::to_string(a.n) + "/" + std::to_string(a.d);
}

}  // namespace coenergy::symbolic
