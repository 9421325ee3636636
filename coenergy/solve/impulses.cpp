#include "coenergy/solve/impulses.hpp"

#include "coenergy/solve/newton.hpp"

namespace coenergy::solve {
namespace {
constexpr double damping = 1e-8;  // of multipliers, relative to the equilibrated matrix
constexpr int corrections = 5;    // of damped solutions
}  // namespace

Impulses::Impulses(equations::Evaluator& evaluator, const equations::Point& p)
    : s_(evaluator.system()),
      matrix_(s_.pattern().row.size()),
      lu_(s_.n(), s_.pattern().column_start, s_.pattern().row, multiplier_indices(s_)) {
  if (s_.nl() > 0) lu_.set_damping(damping);
  evaluator.jacobian(p, equations::Level::acceleration, {.a = 1, .lambda = 1, .xd = 1, .y = 1}, matrix_);
  good_ = lu_.factor(matrix_);
}

void Impulses::solve(std::vector<double>& b) {
  std::vector<double> left = b, sum(b.size(), 0.0);
  const equations::SparsePattern& pattern = s_.pattern();
  for (int pass = 0; pass < (lu_.damping() > 0 ? corrections : 1); ++pass) {
    lu_.solve(left);
    for (std::size_t i = 0; i < b.size(); ++i) sum[i] += left[i];
    left = b;
    for (int j = 0; j < pattern.n; ++j)
      for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k)
        left[pattern.row[k]] -= matrix_[k] * sum[j];
  }
  b = sum;
}

void Impulses::apply(const std::vector<double>& jumps, double factor, equations::Point& p) const {
  const int first_x = s_.nv() + s_.nl();
  for (int i = 0; i < s_.nv(); ++i) p.v[i] += factor * jumps[i];
  for (int i = 0; i < s_.nx(); ++i) p.x[i] += factor * jumps[first_x + i];
}

}  // namespace coenergy::solve
