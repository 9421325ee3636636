#pragma once
#include <klu.h>

#include <complex>
#include <type_traits>

namespace coenergy::math {

/// Owner of KLU's symbolic and numeric factors of one pattern; the same calls for real and complex numbers.
/// The pattern arrays belong to the caller and must outlive it.
template <class T>
class KluFactors {
 public:
  KluFactors(int n, int* column_start, int* row) : n_(n), column_start_(column_start), row_(row) {
    klu_defaults(&common_);
    common_.tol = 0.1;             // the default 0.001 loses digits on saddle-point matrices
    common_.scale = -1;            // the caller equilibrates and looks for what is not finite
    common_.halt_if_singular = 0;  // the caller wants to know which pivot vanished
    symbolic_ = klu_analyze(n, column_start, row, &common_);
  }
  ~KluFactors() {
    free_numeric();
    klu_free_symbolic(&symbolic_, &common_);
  }
  KluFactors(const KluFactors&) = delete;
  KluFactors& operator=(const KluFactors&) = delete;

  bool has_numeric() const { return numeric_ != nullptr; }
  void forget() { free_numeric(); }

  /// New pivots. False where memory ran out or a pivot is zero.
  bool factor(T* values) {
    free_numeric();
    if (!symbolic_) return false;
    double* x = reinterpret_cast<double*>(values);
    if constexpr (is_complex)
      numeric_ = klu_z_factor(column_start_, row_, x, symbolic_, &common_);
    else
      numeric_ = klu_factor(column_start_, row_, x, symbolic_, &common_);
    return numeric_ && common_.status == KLU_OK;
  }

  /// Old pivots. False where one became zero.
  bool refactor(T* values) {
    double* x = reinterpret_cast<double*>(values);
    int ok = 0;
    if constexpr (is_complex)
      ok = klu_z_refactor(column_start_, row_, x, symbolic_, numeric_, &common_);
    else
      ok = klu_refactor(column_start_, row_, x, symbolic_, numeric_, &common_);
    return ok && common_.status == KLU_OK;
  }

  void solve(T* b) {
    double* x = reinterpret_cast<double*>(b);
    if constexpr (is_complex)
      klu_z_solve(symbolic_, numeric_, n_, 1, x, &common_);
    else
      klu_solve(symbolic_, numeric_, n_, 1, x, &common_);
  }

  /// Reciprocal pivot growth: near 1 is good, near 0 means lost digits.
  double reciprocal_growth(T* values) {
    double* x = reinterpret_cast<double*>(values);
    if constexpr (is_complex)
      klu_z_rgrowth(column_start_, row_, x, symbolic_, numeric_, &common_);
    else
      klu_rgrowth(column_start_, row_, x, symbolic_, numeric_, &common_);
    return common_.rgrowth;
  }

  T pivot(int k) const { return static_cast<const T*>(numeric_->Udiag)[k]; }
  int pivot_column(int k) const { return symbolic_->Q[k]; }
  int pivot_row(int k) const { return numeric_->Pnum[k]; }

 private:
  static constexpr bool is_complex = !std::is_same_v<T, double>;

  void free_numeric() {
    if (!numeric_) return;
    if constexpr (is_complex)
      klu_z_free_numeric(&numeric_, &common_);
    else
      klu_free_numeric(&numeric_, &common_);
  }

  int n_;
  int* column_start_;
  int* row_;
  klu_common common_{};
  klu_symbolic* symbolic_ = nullptr;
  klu_numeric* numeric_ = nullptr;
};

}  // namespace coenergy::math
