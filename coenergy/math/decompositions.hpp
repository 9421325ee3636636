#pragma once
#include <complex>
#include <vector>

#include "coenergy/math/matrix.hpp"

namespace coenergy::math {

/// A v = λ v. Vectors are columns of unit length, in the order of the values.
struct EigenPairs {
  std::vector<std::complex<double>> values;
  ComplexMatrix vectors;
};

/// β A v = α B v. A value is α/β, infinite where β = 0 (B singular), undefined where both vanish.
struct GeneralizedEigenPairs {
  std::vector<std::complex<double>> alpha;
  std::vector<double> beta;
  ComplexMatrix vectors;
};

/// A = U diag(s) Vᵀ with s in descending order; U is rows×rows, Vᵀ is columns×columns.
struct SingularValues {
  std::vector<double> s;
  Matrix u, vt;
};

/// Independent rows of a matrix, found by orthogonalisation with pivoting: the largest remainder first.
struct RowRank {
  int rank = 0;
  std::vector<int> independent;  ///< in order of choice
  std::vector<int> dependent;    ///< rows that are combinations of the independent ones
};

/// Eigenvalues and right eigenvectors of a square matrix. Throws std::runtime_error where the iteration fails.
EigenPairs compute_eigenpairs(const Matrix& a);
std::vector<std::complex<double>> compute_eigenvalues(const Matrix& a);  ///< without vectors: half the work
/// Generalised eigenvalues and right eigenvectors of a square pencil (QZ).
GeneralizedEigenPairs compute_generalized_eigenpairs(const Matrix& a, const Matrix& b);
SingularValues compute_singular_values(const Matrix& a);
/// Orthonormal basis of {x : A x = 0}, columns; singular values below `tolerance`·largest count as zero.
Matrix compute_null_space(const Matrix& a, double tolerance = 1e-10);
/// Rows are scaled to unit length first; a remainder below `tolerance` is dependent.
RowRank compute_row_rank(const Matrix& a, double tolerance = 1e-9);
/// The x of smallest length that minimises |A x − b| (columns of b are separate problems). The rank of A is that of the
/// largest leading triangle of its pivoted QR factors whose condition is estimated to be below 1/tolerance.
Matrix solve_least_squares(const Matrix& a, const Matrix& b, double tolerance = 1e-12);
/// A⁻¹ B by LU with partial pivoting. Throws std::runtime_error where A is singular.
Matrix solve(const Matrix& a, const Matrix& b);
/// eᴬ by scaling, a (13,13) Padé approximant and squaring (Higham 2005).
Matrix compute_exponential(const Matrix& a);

}  // namespace coenergy::math
