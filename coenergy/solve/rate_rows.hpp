#pragma once
#include <algorithm>
#include <span>
#include <vector>

#include "coenergy/equations/system.hpp"

namespace coenergy::solve {

/// sum −= columns [first, first + count) of a matrix × factors.
inline void subtract_product(const equations::SparsePattern& pattern, const std::vector<double>& matrix, int first,
                             std::span<const double> factors, std::span<double> sum) {
  for (std::size_t j = 0; j < factors.size(); ++j)
    for (int e = pattern.column_start[first + j]; e < pattern.column_start[first + j + 1]; ++e)
      sum[pattern.row[e]] -= matrix[e] * factors[j];
}

/// (1 − g ∂ż/∂z) δ = e for z = (q, v, x): δv = e_v + g δa, δq = e_q + g δv, δx = e_x + g δẋ with
///
///   (S₀ + g S₁ + g² S₂)(δa, δλ, δẋ, δy) = −S₁ e_v − S₂ (e_q + g e_v) − S₁ e_x
///
/// where S₁ = ∂R/∂(v, x), S₂ = ∂R/∂q. Writes the right side; e_q is along the tangent and becomes e_q + g e_v.
inline void make_rate_rows(const equations::System& s, const equations::SparsePattern& pattern,
                           const std::vector<double>& s1, const std::vector<double>& s2, double g,
                           std::span<const double> e_v, std::span<double> e_q, std::span<const double> e_x,
                           std::span<double> right) {
  for (std::size_t i = 0; i < e_v.size(); ++i) e_q[i] += g * e_v[i];
  std::fill(right.begin(), right.end(), 0.0);
  subtract_product(pattern, s1, 0, e_v, right);
  subtract_product(pattern, s2, 0, e_q, right);
  subtract_product(pattern, s1, s.nv() + s.nl(), e_x, right);
}

}  // namespace coenergy::solve
