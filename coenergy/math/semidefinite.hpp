#pragma once
#include <map>
#include <vector>

#include "coenergy/math/matrix.hpp"

namespace coenergy::math {

/// Symmetric matrix P, scaled to a unit diagonal, by Cholesky's method with diagonal pivoting: P = F Fᵀ where P has no
/// negative eigenvalue. The rows of the pivots p have full rank; every other row is a sum of theirs, P_q· = A P_p·.
struct SemidefiniteFactors {
  std::vector<int> pivots, rest;  ///< p in the order of their choice, and q
  bool is_indefinite = false;
  std::vector<double> scale;  ///< roots of the diagonal; 1 where it is zero
  Matrix f;                   ///< columns as pivots

  /// The row of A for one of the rest, by pivots.
  std::vector<double> ratios(int q) const;
};
/// What is left of the diagonal by rounding counts as nothing: 1e-12 of it.
SemidefiniteFactors factorize_semidefinite(const Matrix& p);

/// Whether a sparse symmetric matrix with a unit diagonal, given by its other entries above it (row, column > row), is
/// positive definite. Rows are taken in their order; the cost is that of their fill-in.
bool is_positive_definite(std::vector<std::map<int, double>> upper);

}  // namespace coenergy::math
