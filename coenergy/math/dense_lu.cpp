#include "coenergy/math/dense_lu.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "coenergy/math/magnitude.hpp"

namespace coenergy::math {

namespace {

double reciprocal(double x) { return 1 / x; }
/// Without the guards against overflow of a division: pivots of equilibrated matrices are of moderate size.
std::complex<double> reciprocal(const std::complex<double>& x) { return std::conj(x) / std::norm(x); }

}  // namespace

template <class T>
bool DenseLu<T>::factor() {
  double smallest = std::numeric_limits<double>::infinity(), largest = 0;
  std::iota(order_.begin(), order_.end(), 0);
  for (int k = 0; k < n_; ++k) {
    // pivot row: the largest entry on or below the diagonal
    int row = k;
    for (int i = k + 1; i < n_; ++i)
      if (magnitude(at(i, k)) > magnitude(at(row, k))) row = i;
    if (row != k) {
      for (int j = 0; j < n_; ++j) std::swap(at(k, j), at(row, j));
      std::swap(order_[k], order_[row]);
    }
    const double pivot = magnitude(at(k, k));
    if (!(pivot >= smallest)) smallest = pivot, weakest_column_ = k, weakest_row_ = order_[k];
    largest = std::max(largest, pivot);
    if (!(pivot > 0) || !std::isfinite(pivot)) {
      pivot_ratio_ = 0;
      return false;
    }

    // eliminate below the pivot
    inverse_[k] = reciprocal(at(k, k));
    for (int i = k + 1; i < n_; ++i) at(i, k) *= inverse_[k];
    for (int j = k + 1; j < n_; ++j) {
      const T factor = at(k, j);
      if (factor == T(0)) continue;
      for (int i = k + 1; i < n_; ++i) at(i, j) -= at(i, k) * factor;
    }
  }
  pivot_ratio_ = n_ == 0 ? 1 : smallest / largest;
  return true;
}

template <class T>
void DenseLu<T>::solve(std::span<T> b) const {
  assert(int(b.size()) == n_);
  for (int k = 0; k < n_; ++k) work_[k] = b[order_[k]];
  for (int k = 0; k < n_; ++k) {
    if (work_[k] == T(0)) continue;
    for (int i = k + 1; i < n_; ++i) work_[i] -= at(i, k) * work_[k];
  }
  for (int k = n_ - 1; k >= 0; --k) {
    work_[k] *= inverse_[k];
    if (work_[k] == T(0)) continue;
    for (int i = 0; i < k; ++i) work_[i] -= at(i, k) * work_[k];
  }
  std::copy(work_.begin(), work_.end(), b.begin());
}

template class DenseLu<double>;
template class DenseLu<std::complex<double>>;

}  // namespace coenergy::math
