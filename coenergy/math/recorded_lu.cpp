#include "coenergy/math/recorded_lu.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "coenergy/math/magnitude.hpp"
#include "coenergy/math/unguarded.hpp"

namespace coenergy::math {
namespace {

constexpr double threshold = 0.1;  // of the largest entry of its column, that a pivot must reach

/// Of numbers that lie one behind another, real and imaginary parts alike; not
/// a number where any is none.
double largest_part(const double* values, std::size_t count) {
  constexpr std::size_t lanes = 4;
  double largest[lanes] = {}, bad[lanes] = {};
  std::size_t k = 0;
  for (; k + lanes <= count; k += lanes)
    for (std::size_t j = 0; j < lanes; ++j) {
      const double v = std::abs(values[k + j]);
      largest[j] = largest[j] > v ? largest[j] : v;
      bad[j] += v - v;
    }
  for (; k < count; ++k) {
    const double v = std::abs(values[k]);
    largest[0] = largest[0] > v ? largest[0] : v;
    bad[0] += v - v;
  }
  if (!(bad[0] + bad[1] + bad[2] + bad[3] == 0)) return std::numeric_limits<double>::quiet_NaN();
  return std::max(std::max(largest[0], largest[1]), std::max(largest[2], largest[3]));
}

}  // namespace

template <class T>
void RecordedLu<T>::Elimination::begin(std::span<const int> column_start, std::span<const int> row,
                                       std::span<const T> given) {
  std::fill(places.begin(), places.end(), -1);
  std::fill(row_count.begin(), row_count.end(), 1);
  std::fill(column_count.begin(), column_count.end(), 1);
  for (int j = 0; j < n; ++j)
    for (int e = column_start[j]; e < column_start[j + 1]; ++e) {
      value(row[e], j) = given[e];
      add(row[e], j, e);
    }
}

/// The entry whose elimination can fill in least; the larger of two alike, and
/// at once one that fills in nothing. False where all that is left is zero.
template <class T>
bool RecordedLu<T>::Elimination::choose(int& row, int& column) {
  long best = std::numeric_limits<long>::max();
  double best_size = 0;
  for (int j = 0; j < n && best > 0; ++j) {
    if (column_count[j] == 0) continue;
    const int *const begin = &rows_of[std::size_t(j) * n], *const end = begin + column_count[j] - 1;
    double largest = 0;
    for (const int* i = begin; i != end; ++i) largest = std::max(largest, magnitude(value(*i, j)));
    for (const int* i = begin; i != end && largest > 0; ++i) {
      const double size = magnitude(value(*i, j));
      if (!(size >= threshold * largest)) continue;
      const long fill = long(row_count[*i] - 2) * (column_count[j] - 2);
      if (fill > best || (fill == best && size <= best_size)) continue;
      best = fill, best_size = size, row = *i, column = j;
    }
  }
  return best_size > 0;
}

/// The row has its pivot.
template <class T>
void RecordedLu<T>::Elimination::take_out(int row, int column) {
  int* const begin = &rows_of[std::size_t(column) * n];
  int* const last = begin + --column_count[column] - 1;
  *std::find(begin, last, row) = *last;
}

template <class T>
bool RecordedLu<T>::record(std::span<const T> values) {
  assert(values.size() == row_.size());
  is_recorded_ = false;
  left_.begin(column_start_, row_, values);
  factors_.assign(row_.size(), T(0));
  for (auto* list : {&diagonal_, &lower_, &lower_end_, &updates_end_}) list->clear();
  updates_.clear();
  for (int k = 0; k < n_; ++k) {
    if (!left_.choose(order_row_[k], order_column_[k])) return false;
    eliminate(order_row_[k], order_column_[k]);
  }
  record_solution();
  return is_recorded_ = true;
}

template <class T>
void RecordedLu<T>::eliminate(int row, int column) {
  Elimination& m = left_;
  const T inverse = unguarded_reciprocal(m.value(row, column));
  diagonal_.push_back(m.place(row, column));
  m.row_count[row] = m.column_count[column] = 0;

  // the column of L; the row of U is as it is
  const std::size_t first = lower_.size();
  for (int i = 0; i < n_; ++i) {
    if (m.row_count[i] == 0 || m.place(i, column) < 0) continue;
    lower_.push_back(m.place(i, column));
    m.value(i, column) = unguarded_product(inverse, m.value(i, column));
    --m.row_count[i];
  }
  lower_end_.push_back(int(lower_.size()));

  // what they change, and fill in
  for (int j = 0; j < n_; ++j) {
    if (m.column_count[j] == 0 || m.place(row, j) < 0) continue;
    m.take_out(row, j);
    for (int i = 0; i < n_ && lower_.size() > first; ++i) {
      if (m.row_count[i] == 0 || m.place(i, column) < 0) continue;
      if (m.place(i, j) < 0) {
        m.add(i, j, int(factors_.size()));
        m.value(i, j) = T(0);
        factors_.push_back(T(0));
      }
      updates_.push_back({m.place(i, j), m.place(i, column), m.place(row, j)});
      m.value(i, j) -= unguarded_product(m.value(i, column), m.value(row, j));
    }
  }
  updates_end_.push_back(int(updates_.size()));
}

/// L y = b and U x = y, row by row.
template <class T>
void RecordedLu<T>::record_solution() {
  for (auto* list : {&lower_terms_end_, &upper_terms_end_}) list->clear();
  lower_terms_.clear(), upper_terms_.clear();
  for (int k = 0; k < n_; ++k) {
    for (int m = 0; m < n_; ++m) {
      const int place = left_.place(order_row_[k], order_column_[m]);
      if (place >= 0 && m != k) (m < k ? lower_terms_ : upper_terms_).push_back({place, m});
    }
    lower_terms_end_.push_back(int(lower_terms_.size()));
    upper_terms_end_.push_back(int(upper_terms_.size()));
  }
}

template <class T>
bool RecordedLu<T>::factor(std::span<const T> values) {
  assert(is_recorded_);
  T* const f = factors_.data();
  std::fill(std::copy(values.begin(), values.end(), f), f + factors_.size(), T(0));
  const int* lower = lower_.data();
  const Update* update = updates_.data();
  for (int k = 0; k < n_; ++k) {
    const T inverse = inverse_[k] = unguarded_reciprocal(f[diagonal_[k]]);
    for (const int* end = lower_.data() + lower_end_[k]; lower != end; ++lower)
      f[*lower] = unguarded_product(inverse, f[*lower]);
    for (const Update* end = updates_.data() + updates_end_[k]; update != end; ++update)
      f[update->to] -= unguarded_product(f[update->l], f[update->u]);
  }
  find_pivot_ratio();
  largest_ = largest_part(reinterpret_cast<const double*>(f), factors_.size() * sizeof(T) / sizeof(double));
  return pivot_ratio_ > 0 && std::isfinite(largest_);
}

template <class T>
void RecordedLu<T>::find_pivot_ratio() {
  double smallest = std::numeric_limits<double>::infinity(), largest = 0;
  for (const int place : diagonal_) {
    const double size = magnitude(factors_[place]);
    smallest = size < smallest ? size : smallest;
    largest = size > largest ? size : largest;
  }
  pivot_ratio_ = n_ == 0 ? 1 : smallest > 0 ? smallest / largest : 0;
}

template <class T>
void RecordedLu<T>::solve(std::span<T> b, std::span<const double> row_scale, std::span<const double> column_scale) {
  const T* const f = factors_.data();
  const Term* term = lower_terms_.data();
  for (int k = 0; k < n_; ++k) {
    T sum = b[order_row_[k]] * row_scale[order_row_[k]];
    for (const Term* end = lower_terms_.data() + lower_terms_end_[k]; term != end; ++term)
      sum -= unguarded_product(f[term->place], work_[term->unknown]);
    work_[k] = sum;
  }
  term = upper_terms_.data() + upper_terms_.size();
  for (int k = n_ - 1; k >= 0; --k) {
    T sum = work_[k];
    for (const Term* begin = upper_terms_.data() + (k > 0 ? upper_terms_end_[k - 1] : 0); term != begin;) {
      --term;
      sum -= unguarded_product(f[term->place], work_[term->unknown]);
    }
    work_[k] = unguarded_product(inverse_[k], sum);
    b[order_column_[k]] = work_[k] * column_scale[order_column_[k]];
  }
}

template class RecordedLu<double>;
template class RecordedLu<std::complex<double>>;

}  // namespace coenergy::math
