#pragma once
#include <complex>
#include <functional>
#include <vector>

#include "coenergy/math/matrix.hpp"

namespace coenergy::math {

/// A = Z T Zᵀ with T quasi-triangular. The first `chosen` columns of Z span the invariant subspace of the eigenvalues that
/// were chosen.
struct Schur {
  Matrix t, z;
  std::vector<std::complex<double>> values;
  int chosen = 0;
};
using ChooseValue = std::function<bool(std::complex<double>)>;
/// Throws std::runtime_error where the iteration fails, or where round-off moves a chosen value across its border.
Schur compute_schur(const Matrix& a, const ChooseValue& choose = {});

/// A = Q S Zᵀ, B = Q T Zᵀ with values α/β; the first `chosen` columns of Z span the deflating subspace of those chosen.
struct GeneralizedSchur {
  Matrix s, t, q, z;
  std::vector<std::complex<double>> alpha;
  std::vector<double> beta;
  int chosen = 0;
};
using ChooseRatio = std::function<bool(std::complex<double> alpha, double beta)>;
GeneralizedSchur compute_generalized_schur(const Matrix& a, const Matrix& b, const ChooseRatio& choose = {});

/// X with T X ± X Sᵀ = C for quasi-triangular T and S, as compute_schur gives them; `minus` chooses the sign. Throws
/// std::runtime_error where they share an eigenvalue.
Matrix solve_triangular_sylvester(const Matrix& t, const Matrix& s, const Matrix& c, bool minus = false);

/// Eigenvalues of a symmetric matrix, rising, and their orthonormal vectors.
struct SymmetricPairs {
  std::vector<double> values;
  Matrix vectors;
};
SymmetricPairs compute_symmetric_pairs(const Matrix& a);

/// A = Q R with Q rows × min(rows, columns).
struct Triangular {
  Matrix q, r;
};
Triangular compute_qr(const Matrix& a);

ComplexMatrix solve(const ComplexMatrix& a, const ComplexMatrix& b);  ///< throws std::runtime_error where A is singular
double largest_singular_value(const ComplexMatrix& a);
Matrix inverse(const Matrix& a);  ///< throws std::runtime_error where A is singular
/// 1/(‖A‖ ‖A⁻¹‖) in the norm of largest column sums; 0 where A is singular.
double reciprocal_condition(const Matrix& a);

}  // namespace coenergy::math
