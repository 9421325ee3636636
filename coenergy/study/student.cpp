#include "coenergy/study/student.hpp"

#include <cmath>
#include <limits>

namespace coenergy::study {

namespace {

/// I_x(a, b) by its continued fraction (Lentz).
double incomplete_beta(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incomplete_beta(b, a, 1 - x);
  const double front =
      std::exp(a * std::log(x) + b * std::log1p(-x) + std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b)) / a;
  constexpr double tiny = 1e-300;
  double c = 1, d = 1 - (a + b) * x / (a + 1);
  d = 1 / (std::abs(d) < tiny ? tiny : d);
  double f = d;
  for (int m = 1; m < 10000; ++m) {
    const auto next = [&](double numerator) {
      d = 1 + numerator * d, c = 1 + numerator / c;
      d = 1 / (std::abs(d) < tiny ? tiny : d);
      if (std::abs(c) < tiny) c = tiny;
      f *= c * d;
      return std::abs(c * d - 1);
    };
    next(m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)));
    if (next(-(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))) < 1e-15) break;
  }
  return front * f;
}

}  // namespace

double student_quantile(double probability, double freedoms) {
  if (!(freedoms > 0)) return std::numeric_limits<double>::infinity();
  // P(|T| ≤ t) = 1 − I(ν/(ν + t²); ν/2, 1/2)
  const auto inside = [&](double t) { return 1 - incomplete_beta(freedoms / 2, 0.5, freedoms / (freedoms + t * t)); };
  double low = 0, high = 2;
  while (inside(high) < probability && high < 1e9) high *= 2;
  for (int k = 0; k < 200 && high - low > 1e-14 * high; ++k) {
    const double middle = (low + high) / 2;
    (inside(middle) < probability ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace coenergy::study
