#pragma once
#include <algorithm>
#include <complex>
#include <span>
#include <vector>

#include "coenergy/base/state_archive.hpp"
#include "coenergy/equations/system.hpp"

namespace coenergy::solve {

/// sum −= columns [first, first + count) of a matrix × factors.
inline void subtract_product(const equations::SparsePattern& pattern, const std::vector<double>& matrix, int first,
                             std::span<const double> factors, std::span<double> sum) {
  for (std::size_t j = 0; j < factors.size(); ++j)
    for (int e = pattern.column_start[first + j]; e < pattern.column_start[first + j + 1]; ++e)
      sum[pattern.row[e]] -= matrix[e] * factors[j];
}

/// The matrices of which implicit methods of first-order systems make theirs,
///
///   S(g) = S₀ + g S₁ + g² S₂,   S₀ = ∂R/∂(a, λ, ẋ, y),   S₁ = ∂R/∂(v, x),   S₂ = ∂R/∂q
///
/// g = h times a number of the method, which may be complex. S₂ is empty where nothing moves.
class StageMatrices {
 public:
  /// In System::pattern() or System::solver_pattern().
  StageMatrices(const equations::System& s, const equations::SparsePattern& pattern)
      : pattern_(&pattern),
        is_of_system_(&pattern == &s.pattern()),
        first_x_(s.nv() + s.nl()),
        s0_(pattern.row.size()),
        s1_(pattern.row.size()),
        s2_(s.nv() > 0 ? pattern.row.size() : 0) {}

  void evaluate(equations::Evaluator& evaluator, const equations::Point& p, equations::Level level) {
    const equations::MatrixPart parts[] = {
        {{.a = 1, .lambda = 1, .xd = 1, .y = 1}, s0_}, {{.v = 1, .x = 1}, s1_}, {{.q = 1}, s2_}};
    const std::span used(parts, s2_.empty() ? 2 : 3);
    is_of_system_ ? evaluator.jacobian(p, level, used) : evaluator.solver_matrix(p, level, used);
  }

  /// S(g), in the pattern.
  template <class Number>
  void combine(const Number& g, std::vector<Number>& values) const {
    for (std::size_t e = 0; e < s0_.size() && s2_.empty(); ++e) values[e] = s0_[e] + g * s1_[e];
    for (std::size_t e = 0; e < s2_.size(); ++e) values[e] = s0_[e] + g * (s1_[e] + g * s2_[e]);
  }

  /// (1 − g ∂ż/∂z) δ = e for z = (q, v, x): δv = e_v + g δa, δq = e_q + g δv, δx = e_x + g δẋ with
  ///
  ///   S(g) (δa, δλ, δẋ, δy) = −S₁ e_v − S₂ (e_q + g e_v) − S₁ e_x
  ///
  /// Writes the right side; e_q, along the tangent, becomes e_q + g e_v.
  void make_rate_rows(double g, std::span<const double> e_v, std::span<double> e_q, std::span<const double> e_x,
                      std::span<double> right) const {
    for (std::size_t i = 0; i < e_v.size(); ++i) e_q[i] += g * e_v[i];
    std::fill(right.begin(), right.end(), 0.0);
    subtract_product(*pattern_, s1_, 0, e_v, right);
    subtract_product(*pattern_, s2_, 0, e_q, right);
    subtract_product(*pattern_, s1_, first_x_, e_x, right);
  }

  void visit(StateArchive& archive) { archive(s0_, s1_, s2_); }

 private:
  const equations::SparsePattern* pattern_;
  bool is_of_system_;
  int first_x_;
  std::vector<double> s0_, s1_, s2_;
};

}  // namespace coenergy::solve
