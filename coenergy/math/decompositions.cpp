#include "coenergy/math/decompositions.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <stdexcept>

extern "C" {
void dgeev_(const char* jobvl, const char* jobvr, const int* n, double* a, const int* lda, double* wr, double* wi,
            double* vl, const int* ldvl, double* vr, const int* ldvr, double* work, const int* lwork, int* info);
void dggev_(const char* jobvl, const char* jobvr, const int* n, double* a, const int* lda, double* b, const int* ldb,
            double* alphar, double* alphai, double* beta, double* vl, const int* ldvl, double* vr, const int* ldvr,
            double* work, const int* lwork, int* info);
void dgesvd_(const char* jobu, const char* jobvt, const int* m, const int* n, double* a, const int* lda, double* s,
             double* u, const int* ldu, double* vt, const int* ldvt, double* work, const int* lwork, int* info);
void dgelsy_(const int* m, const int* n, const int* nrhs, double* a, const int* lda, double* b, const int* ldb,
             int* jpvt, const double* rcond, int* rank, double* work, const int* lwork, int* info);
void dgesv_(const int* n, const int* nrhs, double* a, const int* lda, int* ipiv, double* b, const int* ldb, int* info);
}

namespace coenergy::math {
namespace {

void check(int info, const char* what) {
  if (info != 0) throw std::runtime_error(std::string(what) + " failed");
}

/// Threads of OpenBLAS wait for each other in busy loops, which makes matrices of our sizes slower, on a machine with
/// other work up to a hundred times, and sums depend on their number. Other libraries have no such function.
void keep_to_one_thread() {
  using SetThreads = void (*)(int);
  static const bool is_kept = [] {
    const auto set = reinterpret_cast<SetThreads>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"));
    if (set != nullptr) set(1);
    return true;
  }();
  static_cast<void>(is_kept);
}

/// LAPACK packs a conjugate pair of vectors into two real columns: real and imaginary part.
ComplexMatrix unpack_vectors(const Matrix& packed, const std::vector<double>& imaginary) {
  const int n = packed.rows;
  ComplexMatrix v(n, n);
  for (int j = 0; j < n; ++j) {
    const bool pair = imaginary[j] != 0 && j + 1 < n;
    double length = 0;
    for (int i = 0; i < n; ++i) {
      v(i, j) = pair ? std::complex(packed(i, j), packed(i, j + 1)) : std::complex(packed(i, j), 0.0);
      length += std::norm(v(i, j));
    }
    length = std::sqrt(length);
    for (int i = 0; i < n; ++i) {
      if (length > 0) v(i, j) /= length;
      if (pair) v(i, j + 1) = std::conj(v(i, j));
    }
    if (pair) ++j;
  }
  return v;
}

}  // namespace

EigenPairs compute_eigenpairs(const Matrix& a) {
  assert(a.rows == a.columns);
  const int n = a.rows, lda = std::max(1, n), lwork = std::max(1, 8 * n);
  EigenPairs result;
  if (n == 0) return result;
  Matrix copy = a, packed(n, n);
  std::vector<double> re(n), im(n), work(lwork);
  double unused = 0;
  const int one = 1;
  int info = 0;
  keep_to_one_thread();
  dgeev_("N", "V", &n, copy.data.data(), &lda, re.data(), im.data(), &unused, &one, packed.data.data(), &lda,
         work.data(), &lwork, &info);
  check(info, "eigenvalue iteration");
  for (int i = 0; i < n; ++i) result.values.emplace_back(re[i], im[i]);
  result.vectors = unpack_vectors(packed, im);
  return result;
}

std::vector<std::complex<double>> compute_eigenvalues(const Matrix& a) {
  assert(a.rows == a.columns);
  const int n = a.rows, lda = std::max(1, n), lwork = std::max(1, 8 * n);
  if (n == 0) return {};
  Matrix copy = a;
  std::vector<double> re(n), im(n), work(lwork);
  double unused = 0;
  const int one = 1;
  int info = 0;
  keep_to_one_thread();
  dgeev_("N", "N", &n, copy.data.data(), &lda, re.data(), im.data(), &unused, &one, &unused, &one, work.data(), &lwork,
         &info);
  check(info, "eigenvalue iteration");
  std::vector<std::complex<double>> values;
  for (int i = 0; i < n; ++i) values.emplace_back(re[i], im[i]);
  return values;
}

GeneralizedEigenPairs compute_generalized_eigenpairs(const Matrix& a, const Matrix& b) {
  assert(a.rows == a.columns && b.rows == b.columns && a.rows == b.rows);
  const int n = a.rows, lda = std::max(1, n), lwork = std::max(1, 16 * n);
  GeneralizedEigenPairs result;
  if (n == 0) return result;
  Matrix copy_a = a, copy_b = b, packed(n, n);
  std::vector<double> re(n), im(n), work(lwork);
  result.beta.resize(n);
  double unused = 0;
  const int one = 1;
  int info = 0;
  keep_to_one_thread();
  dggev_("N", "V", &n, copy_a.data.data(), &lda, copy_b.data.data(), &lda, re.data(), im.data(), result.beta.data(),
         &unused, &one, packed.data.data(), &lda, work.data(), &lwork, &info);
  check(info, "generalised eigenvalue iteration");
  for (int i = 0; i < n; ++i) result.alpha.emplace_back(re[i], im[i]);
  result.vectors = unpack_vectors(packed, im);
  return result;
}

SingularValues compute_singular_values(const Matrix& a) {
  const int m = a.rows, n = a.columns, least = std::min(m, n);
  SingularValues result{std::vector<double>(least), identity(m), identity(n)};
  if (least == 0) return result;
  Matrix copy = a;
  const int lwork = 8 * std::max(m, n) + 8 * least;
  std::vector<double> work(lwork);
  int info = 0;
  keep_to_one_thread();
  dgesvd_("A", "A", &m, &n, copy.data.data(), &m, result.s.data(), result.u.data.data(), &m, result.vt.data.data(), &n,
          work.data(), &lwork, &info);
  check(info, "singular value iteration");
  return result;
}

Matrix compute_null_space(const Matrix& a, double tolerance) {
  const SingularValues svd = compute_singular_values(a);
  int rank = 0;
  while (rank < int(svd.s.size()) && svd.s[rank] > tolerance * svd.s[0]) ++rank;
  Matrix basis(a.columns, a.columns - rank);
  for (int j = rank; j < a.columns; ++j)
    for (int i = 0; i < a.columns; ++i) basis(i, j - rank) = svd.vt(j, i);
  return basis;
}

RowRank compute_row_rank(const Matrix& a, double tolerance) {
  // rows of A as columns, scaled to unit length
  Matrix v = transpose(a);
  const int count = a.rows, length = a.columns;
  const auto dot = [&](int i, int j) {
    return std::inner_product(&v.data[std::size_t(i) * length], &v.data[std::size_t(i) * length] + length,
                              &v.data[std::size_t(j) * length], 0.0);
  };
  const auto scale = [&](int j, double factor) {
    for (int i = 0; i < length; ++i) v(i, j) *= factor;
  };
  std::vector<char> chosen(count, 0);
  for (int j = 0; j < count; ++j)
    if (const double size = std::sqrt(dot(j, j)); size > 0) scale(j, 1 / size);

  // modified Gram–Schmidt: take the row with the largest remainder, remove its direction from the others
  RowRank result;
  for (;;) {
    int next = -1;
    double largest = tolerance;
    for (int j = 0; j < count; ++j)
      if (const double size = std::sqrt(dot(j, j)); !chosen[j] && size > largest * (1 + 1e-12))
        largest = size, next = j;
    if (next < 0) break;
    chosen[next] = 1;
    result.independent.push_back(next);
    scale(next, 1 / largest);
    for (int j = 0; j < count; ++j) {
      if (chosen[j]) continue;
      const double part = dot(next, j);
      for (int i = 0; i < length; ++i) v(i, j) -= part * v(i, next);
    }
  }
  result.rank = int(result.independent.size());
  for (int j = 0; j < count; ++j)
    if (!chosen[j]) result.dependent.push_back(j);
  return result;
}

Matrix solve_least_squares(const Matrix& a, const Matrix& b, double tolerance) {
  // QR with column pivoting and a complete orthogonal factorisation of what has full rank
  assert(a.rows == b.rows);
  const int m = a.rows, n = a.columns, least = std::min(m, n), longest = std::max(m, n);
  Matrix x(n, b.columns);
  if (least == 0 || b.columns == 0) return x;
  Matrix factors = a, right(longest, b.columns);
  for (int j = 0; j < b.columns; ++j)
    for (int i = 0; i < m; ++i) right(i, j) = b(i, j);
  std::vector<int> order(n, 0);
  const int lwork = std::max(least + 3 * n + 1, 2 * least + b.columns) + 32 * longest;
  std::vector<double> work(lwork);
  int rank = 0, info = 0;
  keep_to_one_thread();
  dgelsy_(&m, &n, &b.columns, factors.data.data(), &m, right.data.data(), &longest, order.data(), &tolerance, &rank,
          work.data(), &lwork, &info);
  check(info, "least squares");
  for (int j = 0; j < b.columns; ++j)
    for (int i = 0; i < n; ++i) x(i, j) = right(i, j);
  return x;
}

Matrix solve(const Matrix& a, const Matrix& b) {
  assert(a.rows == a.columns && a.rows == b.rows);
  const int n = a.rows, lda = std::max(1, n);
  Matrix lu = a, x = b;
  std::vector<int> pivot(n);
  int info = 0;
  keep_to_one_thread();
  if (n > 0) dgesv_(&n, &x.columns, lu.data.data(), &lda, pivot.data(), x.data.data(), &lda, &info);
  check(info, "solution of linear equations (singular matrix)");
  return x;
}

Matrix compute_exponential(const Matrix& a) {
  static constexpr double b[] = {64764752532480000.,
                                 32382376266240000.,
                                 7771770303897600.,
                                 1187353796428800.,
                                 129060195264000.,
                                 10559470521600.,
                                 670442572800.,
                                 33522128640.,
                                 1323241920.,
                                 40840800.,
                                 960960.,
                                 16380.,
                                 182.,
                                 1.};
  // scale until the approximant is exact to round-off
  const int n = a.rows;
  double norm = 0;
  for (int j = 0; j < n; ++j) {
    double column = 0;
    for (int i = 0; i < n; ++i) column += std::abs(a(i, j));
    norm = std::max(norm, column);
  }
  const int squarings = norm > 5.371920351148152 ? int(std::ceil(std::log2(norm / 5.371920351148152))) : 0;
  Matrix x = a;
  for (double& value : x.data) value = std::ldexp(value, -squarings);

  // odd part U = x Σ b₂ₖ₊₁ x²ᵏ and even part V = Σ b₂ₖ x²ᵏ by Horner's rule in x²
  const Matrix x2 = multiply(x, x);
  Matrix u(n, n), v(n, n);
  for (int k = 6; k >= 0; --k) {
    u = multiply(x2, u), v = multiply(x2, v);
    for (int i = 0; i < n; ++i) u(i, i) += b[2 * k + 1], v(i, i) += b[2 * k];
  }
  u = multiply(x, u);

  // e^x ≈ (V − U)⁻¹ (V + U), then squared back
  Matrix numerator = v, denominator = v;
  for (std::size_t i = 0; i < u.data.size(); ++i) numerator.data[i] += u.data[i], denominator.data[i] -= u.data[i];
  Matrix result = solve(denominator, numerator);
  for (int k = 0; k < squarings; ++k) result = multiply(result, result);
  return result;
}

}  // namespace coenergy::math
