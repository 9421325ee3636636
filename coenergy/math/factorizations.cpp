#include "coenergy/math/factorizations.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <stdexcept>

#include "coenergy/math/decompositions.hpp"

extern "C" {
void dgees_(const char* jobvs, const char* sort, int (*select)(const double*, const double*), const int* n, double* a,
            const int* lda, int* sdim, double* wr, double* wi, double* vs, const int* ldvs, double* work,
            const int* lwork, int* bwork, int* info);
void dgges_(const char* jobvsl, const char* jobvsr, const char* sort,
            int (*select)(const double*, const double*, const double*), const int* n, double* a, const int* lda,
            double* b, const int* ldb, int* sdim, double* alphar, double* alphai, double* beta, double* vsl,
            const int* ldvsl, double* vsr, const int* ldvsr, double* work, const int* lwork, int* bwork, int* info);
void dtrsyl_(const char* trana, const char* tranb, const int* isgn, const int* m, const int* n, const double* a,
             const int* lda, const double* b, const int* ldb, double* c, const int* ldc, double* scale, int* info);
void dsyev_(const char* jobz, const char* uplo, const int* n, double* a, const int* lda, double* w, double* work,
            const int* lwork, int* info);
void dgeqrf_(const int* m, const int* n, double* a, const int* lda, double* tau, double* work, const int* lwork,
             int* info);
void dorgqr_(const int* m, const int* n, const int* k, double* a, const int* lda, const double* tau, double* work,
             const int* lwork, int* info);
void zgesv_(const int* n, const int* nrhs, std::complex<double>* a, const int* lda, int* ipiv, std::complex<double>* b,
            const int* ldb, int* info);
void dgetrf_(const int* m, const int* n, double* a, const int* lda, int* ipiv, int* info);
void dgecon_(const char* norm, const int* n, const double* a, const int* lda, const double* anorm, double* rcond,
             double* work, int* iwork, int* info);
}

namespace coenergy::math {
namespace {

void require_done(int info, const char* what) {
  if (info != 0) throw std::runtime_error(std::string(what) + " failed");
}

// LAPACK asks a function without context; one call at a time in a thread
thread_local const ChooseValue* chosen_value = nullptr;
thread_local const ChooseRatio* chosen_ratio = nullptr;
int ask_value(const double* re, const double* im) { return (*chosen_value)({*re, *im}) ? 1 : 0; }
int ask_ratio(const double* re, const double* im, const double* beta) {
  return (*chosen_ratio)({*re, *im}, *beta) ? 1 : 0;
}

}  // namespace

Schur compute_schur(const Matrix& a, const ChooseValue& choose) {
  assert(a.rows == a.columns);
  const int n = a.rows, lda = std::max(1, n), lwork = std::max(1, 20 * n);
  Schur result{a, Matrix(n, n), {}, 0};
  if (n == 0) return result;
  std::vector<double> re(n), im(n), work(lwork);
  std::vector<int> flags(n);
  int info = 0;
  chosen_value = &choose;
  dgees_("V", choose ? "S" : "N", ask_value, &n, result.t.data.data(), &lda, &result.chosen, re.data(), im.data(),
         result.z.data.data(), &lda, work.data(), &lwork, flags.data(), &info);
  require_done(info, "ordering of eigenvalues");
  for (int i = 0; i < n; ++i) result.values.emplace_back(re[i], im[i]);
  return result;
}

GeneralizedSchur compute_generalized_schur(const Matrix& a, const Matrix& b, const ChooseRatio& choose) {
  assert(a.rows == a.columns && b.rows == a.rows && b.columns == a.rows);
  const int n = a.rows, lda = std::max(1, n), lwork = std::max(1, 20 * n + 16);
  GeneralizedSchur result{a, b, Matrix(n, n), Matrix(n, n), {}, std::vector<double>(n), 0};
  if (n == 0) return result;
  std::vector<double> re(n), im(n), work(lwork);
  std::vector<int> flags(n);
  int info = 0;
  chosen_ratio = &choose;
  dgges_("V", "V", choose ? "S" : "N", ask_ratio, &n, result.s.data.data(), &lda, result.t.data.data(), &lda,
         &result.chosen, re.data(), im.data(), result.beta.data(), result.q.data.data(), &lda, result.z.data.data(),
         &lda, work.data(), &lwork, flags.data(), &info);
  require_done(info, "ordering of generalised eigenvalues");
  for (int i = 0; i < n; ++i) result.alpha.emplace_back(re[i], im[i]);
  return result;
}

Matrix solve_triangular_sylvester(const Matrix& t, const Matrix& s, const Matrix& c, bool minus) {
  const int m = t.rows, n = s.rows, ldt = std::max(1, m), lds = std::max(1, n), sign = minus ? -1 : 1;
  Matrix x = c;
  if (m == 0 || n == 0) return x;
  double scale = 1;
  int info = 0;
  dtrsyl_("N", "T", &sign, &m, &n, t.data.data(), &ldt, s.data.data(), &lds, x.data.data(), &ldt, &scale, &info);
  require_done(info, "Sylvester's equation");
  for (double& value : x.data) value /= scale;
  return x;
}

SymmetricPairs compute_symmetric_pairs(const Matrix& a) {
  assert(a.rows == a.columns);
  const int n = a.rows, lda = std::max(1, n), lwork = std::max(1, 40 * n);
  SymmetricPairs result{std::vector<double>(n), a};
  if (n == 0) return result;
  std::vector<double> work(lwork);
  int info = 0;
  dsyev_("V", "U", &n, result.vectors.data.data(), &lda, result.values.data(), work.data(), &lwork, &info);
  require_done(info, "eigenvalue iteration");
  return result;
}

Triangular compute_qr(const Matrix& a) {
  const int m = a.rows, n = a.columns, k = std::min(m, n), lda = std::max(1, m), lwork = std::max(1, 64 * n);
  Triangular result{Matrix(m, k), Matrix(k, n)};
  if (k == 0) return result;
  Matrix packed = a;
  std::vector<double> tau(k), work(lwork);
  int info = 0;
  dgeqrf_(&m, &n, packed.data.data(), &lda, tau.data(), work.data(), &lwork, &info);
  require_done(info, "orthogonalisation");
  for (int j = 0; j < n; ++j)
    for (int i = 0; i <= std::min(j, k - 1); ++i) result.r(i, j) = packed(i, j);
  for (int j = 0; j < k; ++j)
    for (int i = 0; i < m; ++i) result.q(i, j) = packed(i, j);
  dorgqr_(&m, &k, &k, result.q.data.data(), &lda, tau.data(), work.data(), &lwork, &info);
  require_done(info, "orthogonalisation");
  return result;
}

ComplexMatrix solve(const ComplexMatrix& a, const ComplexMatrix& b) {
  assert(a.rows == a.columns && a.rows == b.rows);
  ComplexMatrix factors = a, x = b;
  const int n = a.rows, m = b.columns, lda = std::max(1, n);
  if (n == 0 || m == 0) return x;
  std::vector<int> pivots(n);
  int info = 0;
  zgesv_(&n, &m, factors.data.data(), &lda, pivots.data(), x.data.data(), &lda, &info);
  require_done(info, "a linear system");
  return x;
}

double largest_singular_value(const ComplexMatrix& a) {
  // those of the real matrix [Re −Im; Im Re] are the same, twice
  Matrix real(2 * a.rows, 2 * a.columns);
  for (int i = 0; i < a.rows; ++i)
    for (int j = 0; j < a.columns; ++j) {
      real(i, j) = real(a.rows + i, a.columns + j) = a(i, j).real();
      real(a.rows + i, j) = a(i, j).imag(), real(i, a.columns + j) = -a(i, j).imag();
    }
  return a.data.empty() ? 0 : compute_singular_values(real).s[0];
}

Matrix inverse(const Matrix& a) { return solve(a, identity(a.rows)); }

double reciprocal_condition(const Matrix& a) {
  const int n = a.rows, lda = std::max(1, n);
  if (n == 0) return 1;
  double norm = 0, result = 0;
  for (int j = 0; j < n; ++j) {
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += std::abs(a(i, j));
    norm = std::max(norm, sum);
  }
  Matrix factors = a;
  std::vector<int> pivots(n), integers(n);
  std::vector<double> work(4 * std::size_t(n));
  int info = 0;
  dgetrf_(&n, &n, factors.data.data(), &lda, pivots.data(), &info);
  if (info != 0) return 0;
  dgecon_("1", &n, factors.data.data(), &lda, &norm, &result, work.data(), integers.data(), &info);
  return info == 0 ? result : 0;
}

}  // namespace coenergy::math
