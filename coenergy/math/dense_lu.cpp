#include "coenergy/math/dense_lu.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "coenergy/math/magnitude.hpp"
#include "coenergy/math/unguarded.hpp"

namespace coenergy::math {

namespace {

/// b −= f a, `count` numbers each.
template <class T>
void subtract_multiple(T* b, const T* a, const T f, int count) {
#pragma GCC ivdep
  for (int i = 0; i < count; ++i) b[i] -= unguarded_product(f, a[i]);
}

}  // namespace

template <class T>
bool DenseLu<T>::factor() {
  return n_ < blocked_from ? factor_by_columns() : factor_by_blocks();
}

/// By Eigen, which does most of the work by products of blocks.
template <class T>
bool DenseLu<T>::factor_by_blocks() {
  using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
  Eigen::Map<Matrix> map(a_.data(), n_, n_);
  Eigen::Ref<Matrix> a(map);
  const Eigen::PartialPivLU<Eigen::Ref<Matrix>> lu(a);
  const auto& row = lu.permutationP().indices();
  for (int i = 0; i < n_; ++i) order_[row[i]] = i;
  double smallest = std::numeric_limits<double>::infinity(), largest = 0;
  pivot_ratio_ = 0;
  for (int k = 0; k < n_; ++k) {
    const double pivot = magnitude(at(k, k));
    if (!(pivot >= smallest)) smallest = pivot, weakest_column_ = k, weakest_row_ = order_[k];
    largest = std::max(largest, pivot);
    if (!(pivot > 0) || !std::isfinite(pivot)) return false;
    inverse_[k] = unguarded_reciprocal(at(k, k));
  }
  pivot_ratio_ = smallest / largest;
  return true;
}

template <class T>
bool DenseLu<T>::factor_by_columns() {
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
    inverse_[k] = unguarded_reciprocal(at(k, k));
    for (int i = k + 1; i < n_; ++i) at(i, k) = unguarded_product(inverse_[k], at(i, k));
    for (int j = k + 1; j < n_; ++j) {
      const T factor = at(k, j);
      if (factor == T(0)) continue;
      subtract_multiple(&at(k, j) + 1, &at(k, k) + 1, factor, n_ - k - 1);
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
    subtract_multiple(&work_[k] + 1, &at(k, k) + 1, work_[k], n_ - k - 1);
  }
  for (int k = n_ - 1; k >= 0; --k) {
    work_[k] = unguarded_product(inverse_[k], work_[k]);
    if (work_[k] == T(0)) continue;
    subtract_multiple(work_.data(), &at(0, k), work_[k], k);
  }
  std::copy(work_.begin(), work_.end(), b.begin());
}

template class DenseLu<double>;
template class DenseLu<std::complex<double>>;

}  // namespace coenergy::math
