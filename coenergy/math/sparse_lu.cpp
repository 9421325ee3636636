#include "coenergy/math/sparse_lu.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "coenergy/math/dense_lu.hpp"
#include "coenergy/math/klu_factors.hpp"
#include "coenergy/math/magnitude.hpp"
#include "coenergy/math/recorded_lu.hpp"

namespace coenergy::math {
namespace {

// pivots below this fraction of the largest one are rounding errors of an equilibrated matrix
constexpr double singular_ratio = 4 * std::numeric_limits<double>::epsilon();
// matrices with more entries than this part of all are factored as full ones, up to a size
constexpr double full_part = 0.4;
constexpr int largest_full = 1000;
// how much worse a reused pivot order may be than a fresh one
constexpr double loss_limit = 1e-3;
// of a fresh pivot, that is no loss
constexpr double kept_part = 0.1;

// recorded elimination: for matrices of at most this size, with at most this part of the products of full ones; after a pause
// where an order served for a few factorisations only
constexpr int largest_recorded = 64;
constexpr double recorded_part = 0.5;
constexpr long few = 4, pause = 50;
// pivots of a smaller ratio are judged by the other factors
constexpr double doubtful_ratio = 1e-14;

// the power of two next to 1/x, so that scaling makes no rounding error
double reciprocal_power_of_two(double x) {
  constexpr std::uint64_t bias = 1023, mantissa_bits = 52;
  const std::uint64_t exponent = std::bit_cast<std::uint64_t>(x) >> mantissa_bits;
  // the reciprocal of a number near the ends of the range is no normal number
  if (exponent < 2 || exponent > 2 * bias - 2) return exponent < 2 ? 0x1p1021 : 0x1p-1021;
  return std::bit_cast<double>((2 * bias - exponent) << mantissa_bits);
}

}  // namespace

template <class T>
struct SparseLu<T>::Impl {
  int n = 0;
  std::vector<int> column_start, row;  // own pattern: the caller's plus the diagonals of damped unknowns
  std::vector<int> place;              // caller's entry → own entry
  std::vector<int> damped_diagonal;    // own entries, by rising column
  std::vector<int> damped_column;      // their columns
  std::vector<double> weight;          // 1 where damping acts, else 0
  std::vector<T> values;               // Â
  std::vector<T> values_when_fresh;    // Â for which the pivots were chosen
  std::vector<double> row_scale, column_scale;
  std::vector<T> scaled_b, correction, padded_b;
  double damping = 0;

  std::optional<DenseLu<T>> dense;
  std::unique_ptr<KluFactors<T>> klu;
  std::optional<RecordedLu<T>> recorded;
  std::vector<T> values_when_recorded;  // Â
  bool is_by_record = false;            // the last factors
  long next_record = 0, served = 0;
  std::vector<double> ones;  // scales of what is scaled already
  bool keeps_scales = false;
  std::vector<double> entry_scale;       // R C of each entry, where scales are kept
  std::vector<double> pivots_looked_at;  // sizes, when the growth was found last
  double growth_when_fresh = 0, ratio_when_fresh = 0;
  double pivot_ratio = 0;
  int weakest_column = -1, weakest_row = -1;
  long factorizations = 0, refactorizations = 0;

  void make_pattern(std::span<const int> start, std::span<const int> rows, std::span<const int> may_damp);
  bool equilibrate(std::span<const T> given);
  void note_bad_entry(std::span<const T> given);
  void find_entry_scales();
  bool factor_dense();
  bool factor_sparse();
  bool serves_recorded(double growth);
  bool factor_recorded();
  bool refactor_by_old_scales(std::span<const T> given);
  bool record();
  void visit_record(StateArchive& archive);
  void find_weakest_pivot();
  void note_pivots();
  bool keeps_pivots() const;
  template <class Solve>
  void solve_part(std::span<T> b, const Solve& solve) {
    padded_b.assign(n, T(0));
    std::copy(b.begin(), b.end(), padded_b.begin());
    solve(std::span<T>(padded_b));
    std::copy_n(padded_b.begin(), b.size(), b.begin());
  }
  void solve_factored(std::span<T> b) {
    if (is_by_record)
      recorded->solve(b, ones, ones);
    else if (dense)
      dense->solve(b);
    else
      klu->solve(b.data());
  }
};

template <class T>
void SparseLu<T>::Impl::make_pattern(std::span<const int> start, std::span<const int> rows,
                                     std::span<const int> may_damp) {
  std::vector<char> damped(n, 0);
  for (int j : may_damp) damped[j] = 1;
  column_start.assign(1, 0);
  place.resize(rows.size());
  for (int j = 0; j < n; ++j) {
    bool has_diagonal = false;
    for (int e = start[j]; e < start[j + 1]; ++e) {
      place[e] = int(row.size());
      if (rows[e] == j && damped[j])
        damped_column.push_back(j), damped_diagonal.push_back(int(row.size())), has_diagonal = true;
      row.push_back(rows[e]);
    }
    if (damped[j] && !has_diagonal) {
      damped_column.push_back(j);
      damped_diagonal.push_back(int(row.size()));
      row.push_back(j);
    }
    column_start.push_back(int(row.size()));
  }
  values.resize(row.size());
  weight.assign(damped_column.size(), 1);
}

/// Â = R A C with the damping put in. False where an entry is not finite.
template <class T>
bool SparseLu<T>::Impl::equilibrate(std::span<const T> given) {
  assert(given.size() == place.size());
  // without damping the patterns are one
  if (given.size() != values.size()) {
    std::fill(values.begin(), values.end(), T(0));
    for (std::size_t e = 0; e < given.size(); ++e) values[place[e]] = given[e];
    given = values;
  }

  // rows; v − v is not a number where v is not finite
  std::fill(row_scale.begin(), row_scale.end(), 0.0);
  double bad = 0;
  for (std::size_t e = 0; e < given.size(); ++e) {
    const double size = magnitude(given[e]);
    double& largest = row_scale[row[e]];
    largest = largest > size ? largest : size;
    bad += size - size;
  }
  if (!(bad == 0)) return note_bad_entry(given), false;
  for (double& scale : row_scale) scale = scale > 0 ? reciprocal_power_of_two(scale) : 1;

  // columns
  for (int j = 0; j < n; ++j) {
    double largest = 0;
    for (int e = column_start[j]; e < column_start[j + 1]; ++e) {
      values[e] = given[e] * row_scale[row[e]];
      largest = std::max(largest, magnitude(values[e]));
    }
    column_scale[j] = largest > 0 ? reciprocal_power_of_two(largest) : 1;
    for (int e = column_start[j]; e < column_start[j + 1]; ++e) values[e] *= column_scale[j];
  }
  for (std::size_t k = 0; k < damped_diagonal.size(); ++k) values[damped_diagonal[k]] -= damping * weight[k];
  if (keeps_scales) find_entry_scales();
  return true;
}

template <class T>
void SparseLu<T>::Impl::note_bad_entry(std::span<const T> given) {
  pivot_ratio = 0, weakest_column = 0;
  int e = 0;
  while (std::isfinite(magnitude(given[e]))) ++e;
  while (column_start[weakest_column + 1] <= e) ++weakest_column;
  weakest_row = row[e];
}

template <class T>
void SparseLu<T>::Impl::find_entry_scales() {
  entry_scale.resize(values.size());
  for (int j = 0; j < n; ++j)
    for (int e = column_start[j]; e < column_start[j + 1]; ++e) entry_scale[e] = row_scale[row[e]] * column_scale[j];
}

template <class T>
bool SparseLu<T>::Impl::factor_dense() {
  const std::span<T> a = dense->matrix();
  std::fill(a.begin(), a.end(), T(0));
  for (int j = 0; j < n; ++j)
    for (int e = column_start[j]; e < column_start[j + 1]; ++e) a[row[e] + std::size_t(j) * n] = values[e];
  ++factorizations;
  dense->factor();
  pivot_ratio = dense->pivot_ratio(), weakest_column = dense->weakest_column(), weakest_row = dense->weakest_row();
  return pivot_ratio > singular_ratio;
}

template <class T>
bool SparseLu<T>::Impl::factor_sparse() {
  // old pivots, if they still serve
  if (klu->has_numeric() && ratio_when_fresh > singular_ratio && klu->refactor(values.data())) {
    find_weakest_pivot();
    const bool keeps = keeps_pivots();
    const bool serves = keeps || klu->reciprocal_growth(values.data()) > loss_limit * growth_when_fresh;
    if (serves && pivot_ratio > loss_limit * ratio_when_fresh) {
      ++refactorizations;
      // what has been looked at is what the next ones are compared with
      if (!keeps) note_pivots();
      return pivot_ratio > singular_ratio;
    }
  }
  // new pivots
  ++factorizations;
  if (!klu->factor(values.data()) && !klu->has_numeric()) {
    pivot_ratio = ratio_when_fresh = 0;
    return false;
  }
  values_when_fresh = values;
  find_weakest_pivot();
  note_pivots();
  ratio_when_fresh = pivot_ratio;
  if (pivot_ratio > 0) growth_when_fresh = klu->reciprocal_growth(values.data());
  return pivot_ratio > singular_ratio;
}

/// Whether the recorded order gives factors of the present values whose largest entry is at most so large.
template <class T>
bool SparseLu<T>::Impl::serves_recorded(double growth) {
  return recorded->factor(values) && recorded->pivot_ratio() > doubtful_ratio && recorded->largest() <= growth;
}

/// With the scales and the order of an earlier matrix, as long as what is near one there has not grown much.
template <class T>
bool SparseLu<T>::Impl::refactor_by_old_scales(std::span<const T> given) {
  constexpr double most = 100;
  if (!keeps_scales || !is_by_record) return false;
  if (given.size() == values.size()) {
    for (std::size_t e = 0; e < values.size(); ++e) values[e] = given[e] * entry_scale[e];
  } else {
    std::fill(values.begin(), values.end(), T(0));
    for (std::size_t e = 0; e < given.size(); ++e) values[place[e]] = given[e] * entry_scale[place[e]];
  }
  for (std::size_t k = 0; k < damped_diagonal.size(); ++k) values[damped_diagonal[k]] -= damping * weight[k];
  if (!serves_recorded(most)) return false;
  ++refactorizations, ++served;
  pivot_ratio = recorded->pivot_ratio();
  return true;
}

/// By the recorded order, or one that is recorded now; false where the other factors are needed.
template <class T>
bool SparseLu<T>::Impl::factor_recorded() {
  if (!recorded || factorizations + refactorizations < next_record) return false;
  if (recorded->is_recorded() && serves_recorded(1 / loss_limit)) {
    ++refactorizations, ++served;
  } else {
    const bool is_worth_it = !recorded->is_recorded() || served >= few;
    recorded->forget();
    if (!is_worth_it || !record() || !serves_recorded(1 / loss_limit)) {
      if (recorded) recorded->forget();
      next_record = factorizations + refactorizations + pause;
      return false;
    }
    ++factorizations, served = 0;
  }
  pivot_ratio = recorded->pivot_ratio();
  return is_by_record = true;
}

/// Records for the present values; a matrix that fills in too much is never tried again.
template <class T>
bool SparseLu<T>::Impl::record() {
  if (!recorded->record(values)) return false;
  if (double(recorded->operations()) > recorded_part * n * n * n / 3) {
    recorded.reset();
    return false;
  }
  values_when_recorded = values;
  return true;
}

template <class T>
void SparseLu<T>::Impl::note_pivots() {
  pivots_looked_at.resize(n);
  for (int k = 0; k < n; ++k) pivots_looked_at[k] = magnitude(klu->pivot(k));
}

/// Whether no pivot has become much smaller: then no other entry has become large, and the growth, which takes as long
/// to find as the factors, is as before.
template <class T>
bool SparseLu<T>::Impl::keeps_pivots() const {
  for (int k = 0; k < n; ++k)
    if (!(magnitude(klu->pivot(k)) > kept_part * pivots_looked_at[k])) return false;
  return true;
}

template <class T>
void SparseLu<T>::Impl::find_weakest_pivot() {
  double smallest = std::numeric_limits<double>::infinity(), largest = 0;
  for (int k = 0; k < n; ++k) {
    const double size = magnitude(klu->pivot(k));
    // behind a zero there are pivots that are no numbers
    if (smallest > 0 && !(size >= smallest))
      smallest = size, weakest_column = klu->pivot_column(k), weakest_row = klu->pivot_row(k);
    largest = std::max(largest, size);
  }
  pivot_ratio = smallest > 0 && std::isfinite(largest) ? smallest / largest : 0;
}

/// The order of pivots follows again from the values that it was chosen for.
template <class T>
void SparseLu<T>::Impl::visit_record(StateArchive& archive) {
  bool may_record = recorded.has_value(), has_record = may_record && recorded->is_recorded();
  archive(may_record, has_record, is_by_record, values_when_recorded, next_record, served);
  if (!archive.reads()) return;
  if (!may_record) recorded.reset();
  if (!recorded) return;
  recorded->forget();
  if (keeps_scales && is_by_record) find_entry_scales();
  if (has_record) recorded->record(values_when_recorded);
  if (is_by_record) recorded->factor(values);
}

template <class T>
SparseLu<T>::SparseLu(int n, std::span<const int> column_start, std::span<const int> row, std::span<const int> may_damp)
    : impl_(std::make_unique<Impl>()) {
  impl_->n = n;
  impl_->make_pattern(column_start, row, may_damp);
  impl_->row_scale.resize(n), impl_->column_scale.resize(n), impl_->ones.assign(n, 1.0);
  impl_->scaled_b.resize(n), impl_->correction.resize(n);
  const bool is_full = double(impl_->row.size()) > full_part * n * n;
  if (n <= dense_limit || (is_full && n <= largest_full))
    impl_->dense.emplace(n);
  else
    impl_->klu = std::make_unique<KluFactors<T>>(n, impl_->column_start.data(), impl_->row.data());
  if (n <= largest_recorded && !is_full) impl_->recorded.emplace(n, impl_->column_start, impl_->row);
}

template <class T>
SparseLu<T>::~SparseLu() = default;
template <class T>
SparseLu<T>::SparseLu(SparseLu&&) noexcept = default;
template <class T>
SparseLu<T>& SparseLu<T>::operator=(SparseLu&&) noexcept = default;

template <class T>
bool SparseLu<T>::factor(std::span<const T> values) {
  if (impl_->refactor_by_old_scales(values)) return true;
  impl_->is_by_record = false;
  if (!impl_->equilibrate(values)) return false;
  if (impl_->factor_recorded()) return true;
  return impl_->dense ? impl_->factor_dense() : impl_->factor_sparse();
}

template <class T>
void SparseLu<T>::solve(std::span<T> b) {
  Impl& s = *impl_;
  if (int(b.size()) < s.n) return s.solve_part(b, [this](std::span<T> all) { solve(all); });
  for (int i = 0; i < s.n; ++i) s.scaled_b[i] = b[i] * s.row_scale[i], s.correction[i] = s.scaled_b[i];
  s.solve_factored(s.correction);

  // one refinement: x ← x + Â⁻¹ (b − Â x)
  for (int j = 0; j < s.n; ++j) b[j] = s.correction[j];
  for (int j = 0; j < s.n; ++j)
    for (int e = s.column_start[j]; e < s.column_start[j + 1]; ++e) s.scaled_b[s.row[e]] -= s.values[e] * b[j];
  s.solve_factored(s.scaled_b);
  for (int j = 0; j < s.n; ++j) b[j] = (b[j] + s.scaled_b[j]) * s.column_scale[j];
}

template <class T>
void SparseLu<T>::solve_once(std::span<T> b) {
  Impl& s = *impl_;
  if (int(b.size()) < s.n) return s.solve_part(b, [this](std::span<T> all) { solve_once(all); });
  if (s.is_by_record) return s.recorded->solve(b, s.row_scale, s.column_scale);
  for (int i = 0; i < s.n; ++i) b[i] *= s.row_scale[i];
  s.solve_factored(b);
  for (int j = 0; j < s.n; ++j) b[j] *= s.column_scale[j];
}

template <class T>
void SparseLu<T>::keep_scales() {
  impl_->keeps_scales = true;
}
template <class T>
void SparseLu<T>::set_damping(double delta) {
  impl_->damping = delta;
  std::fill(impl_->weight.begin(), impl_->weight.end(), 1.0);
}
template <class T>
void SparseLu<T>::set_damping(double delta, std::span<const int> unknowns) {
  impl_->damping = delta;
  for (std::size_t k = 0; k < impl_->weight.size(); ++k)
    impl_->weight[k] = std::find(unknowns.begin(), unknowns.end(), impl_->damped_column[k]) != unknowns.end() ? 1 : 0;
}
template <class T>
double SparseLu<T>::damping() const {
  return impl_->damping;
}
template <class T>
double SparseLu<T>::pivot_ratio() const {
  return impl_->pivot_ratio;
}
template <class T>
int SparseLu<T>::weakest_column() const {
  return impl_->weakest_column;
}
template <class T>
int SparseLu<T>::weakest_row() const {
  return impl_->weakest_row;
}
template <class T>
std::span<const double> SparseLu<T>::row_scale() const {
  return impl_->row_scale;
}
template <class T>
std::span<const double> SparseLu<T>::column_scale() const {
  return impl_->column_scale;
}
template <class T>
void SparseLu<T>::visit(StateArchive& archive) {
  Impl& s = *impl_;
  bool has_factors = s.dense ? s.factorizations > 0 : s.klu->has_numeric();
  archive(has_factors, s.weight, s.values, s.values_when_fresh, s.row_scale, s.column_scale, s.damping);
  s.visit_record(archive);
  if (archive.reads() && s.klu) s.klu->forget();
  if (archive.reads() && has_factors) {
    if (s.dense) {
      s.factor_dense();
    } else {
      // pivots first, then the values that they were used for last
      s.klu->factor(s.values_when_fresh.data());
      if (s.values != s.values_when_fresh && s.klu->has_numeric()) s.klu->refactor(s.values.data());
    }
  }
  archive(s.pivots_looked_at, s.growth_when_fresh, s.ratio_when_fresh, s.pivot_ratio, s.weakest_column, s.weakest_row,
          s.factorizations, s.refactorizations);
}
template <class T>
int SparseLu<T>::n() const {
  return impl_->n;
}
template <class T>
long SparseLu<T>::factorizations() const {
  return impl_->factorizations;
}
template <class T>
long SparseLu<T>::refactorizations() const {
  return impl_->refactorizations;
}

template class SparseLu<double>;
template class SparseLu<std::complex<double>>;

}  // namespace coenergy::math
