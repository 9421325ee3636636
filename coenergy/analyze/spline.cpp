#include "coenergy/analyze/spline.hpp"

namespace coenergy::analyze {

// m = y'' at the knots obeys h₋ m₋ + 2 (h₋ + h) m + h m₊ = 6 (Δ − Δ₋) inside; the ends follow from their two
// neighbours: m₀ = m₁ + (h₀/h₁)(m₁ − m₂)
SplineDerivatives differentiate_spline(const std::vector<double>& t, const std::vector<double>& y) {
  const int n = int(t.size());
  std::vector<double> h(n - 1), slope(n - 1), m(n), diagonal(n), upper(n), right(n);
  for (int i = 0; i + 1 < n; ++i) h[i] = t[i + 1] - t[i], slope[i] = (y[i + 1] - y[i]) / h[i];
  const double first = h[0] / h[1], last = h[n - 2] / h[n - 3];
  for (int i = 1; i + 1 < n; ++i) {
    double lower = h[i - 1];
    diagonal[i] = 2 * (h[i - 1] + h[i]), upper[i] = h[i], right[i] = 6 * (slope[i] - slope[i - 1]);
    if (i == 1) diagonal[i] += lower * (1 + first), upper[i] -= lower * first;
    if (i == n - 2) diagonal[i] += upper[i] * (1 + last), lower -= upper[i] * last;
    if (i == 1) continue;
    const double factor = lower / diagonal[i - 1];
    diagonal[i] -= factor * upper[i - 1];
    right[i] -= factor * right[i - 1];
  }
  for (int i = n - 2; i >= 1; --i) m[i] = (right[i] - (i < n - 2 ? upper[i] * m[i + 1] : 0)) / diagonal[i];
  m[0] = m[1] + first * (m[1] - m[2]);
  m[n - 1] = m[n - 2] + last * (m[n - 2] - m[n - 3]);
  SplineDerivatives result{std::vector<double>(n), m};
  for (int i = 0; i + 1 < n; ++i) result.first[i] = slope[i] - h[i] * (2 * m[i] + m[i + 1]) / 6;
  result.first[n - 1] = slope[n - 2] + h[n - 2] * (m[n - 2] + 2 * m[n - 1]) / 6;
  return result;
}

}  // namespace coenergy::analyze
