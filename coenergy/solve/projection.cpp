#include "coenergy/solve/projection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace coenergy::solve {
namespace {

constexpr double damping = 1e-10;       // of redundant constraints, relative to the equilibrated matrix
constexpr double small_change = 1e-12;  // relative; the next correction would be its square
constexpr double satisfied = 1e-9;      // of a constraint, in units of the coordinates it restricts
constexpr double contradiction = 1e-6;  // likewise, of constraints that a method has imposed in its own way
constexpr int max_iterations = 60;
constexpr int velocity_passes = 8;
constexpr double round_off = 1e-13;    // of a rate of a constraint, in units of those of the coordinates
constexpr double kept_rate = 0.03;     // of convergence, with which the matrix of an earlier correction serves
constexpr int pulled_iterations = 20;  // later corrections are no longer drawn towards the guess: quadratic convergence

/// Pattern of [W Φᵀ; Φ 0].
struct SaddlePattern {
  std::vector<int> column_start{0}, row;
};

SaddlePattern make_pattern(const equations::System& s) {
  const int nv = s.nv(), nl = s.nl();
  const auto& pattern = s.pattern();
  std::vector<std::vector<int>> by_constraint(nl);
  SaddlePattern result;
  for (int j = 0; j < nv; ++j) {
    result.row.push_back(j);
    for (int e = pattern.column_start[j]; e < pattern.column_start[j + 1]; ++e) {
      const int constraint = pattern.row[e] - nv;
      if (constraint < 0 || constraint >= nl) continue;
      result.row.push_back(nv + constraint);
      by_constraint[constraint].push_back(j);
    }
    result.column_start.push_back(int(result.row.size()));
  }
  for (const auto& coordinates : by_constraint) {
    result.row.insert(result.row.end(), coordinates.begin(), coordinates.end());
    result.column_start.push_back(int(result.row.size()));
  }
  return result;
}

std::vector<int> range(int first, int count) {
  std::vector<int> indices(count);
  std::iota(indices.begin(), indices.end(), first);
  return indices;
}

math::SparseLu<double> make_lu(const equations::System& s) {
  const SaddlePattern pattern = make_pattern(s);
  return {s.nv() + s.nl(), pattern.column_start, pattern.row, range(s.nv(), s.nl())};
}

}  // namespace

ConstraintProjection::ConstraintProjection(equations::Evaluator& evaluator, Statistics& statistics)
    : evaluator_(&evaluator),
      statistics_(&statistics),
      tangent_(evaluator.system()),
      nv_(evaluator.system().nv()),
      nl_(evaluator.system().nl()),
      rows_(evaluator),
      lu_(make_lu(evaluator.system())) {
  const equations::System& s = evaluator.system();
  SaddlePattern saddle = make_pattern(s);
  column_start_ = std::move(saddle.column_start), row_ = std::move(saddle.row);

  // each entry of Φ_q stands twice in the matrix
  std::vector<int> next(nl_);
  for (int k = 0; k < nl_; ++k) next[k] = column_start_[nv_ + k];
  int column = -1, here = 0;
  for (const ConstraintRows::Entry& e : rows_.entries()) {
    if (e.coordinate != column) column = e.coordinate, here = column_start_[column] + 1;
    places_.push_back({here++, next[e.constraint]++});
  }
  for (int j = 0; j < nv_; ++j) diagonal_.push_back(column_start_[j]);
  lu_.set_damping(damping);
  for (int c = 0; c < nl_; ++c) has_velocity_constraints_ = has_velocity_constraints_ || s.is_velocity_constraint(c);
  values_.resize(row_.size());
  rhs_.resize(nv_ + nl_);
  moved_.resize(nv_);
  trial_.resize(nv_);
}

ConstraintProjection::Outcome ConstraintProjection::project_position(equations::Point& p) {
  Outcome outcome = rows_.measure(equations::Level::position, p);
  if (nl_ == 0) return outcome;
  std::fill(moved_.begin(), moved_.end(), 0.0);
  bool is_pulled = true;  // towards the guess
  double previous = 0;    // correction
  bool has_matrix = has_matrix_here_;
  double least = std::numeric_limits<double>::infinity();
  Outcome best = outcome;
  for (int k = 0; k < max_iterations; ++k) {
    // where nothing can move, what is given must do
    if (!has_matrix && !factor(p, equations::Level::position))
      return {rows_.is_satisfied(outcome, p, false, satisfied), outcome.constraint, outcome.violation};
    if (k == 0) best_ = p.q, least = rows_.relative_size(outcome);
    if (k == 0 && rows_.are_closed()) {
      has_matrix_here_ = !has_velocity_constraints_;
      return {true, outcome.constraint, outcome.violation};
    }
    for (int i = 0; i < nv_; ++i) {
      const double nominal = evaluator_->system().unknown(i).nominal;
      rhs_[i] = is_pulled ? -moved_[i] / (nominal * nominal) : 0;
    }
    for (int c = 0; c < nl_; ++c) rhs_[nv_ + c] = -rows_.value(c);
    lu_.solve(rhs_);

    // no coordinate moves by more than half its size or nominal value at a time
    double largest = 0;
    for (int i = 0; i < nv_; ++i) {
      const double scale = std::max(tangent_.size(p.q, i), evaluator_->system().unknown(i).nominal);
      largest = std::max(largest, std::abs(rhs_[i]) / scale);
    }
    const double limit = largest > 0.5 ? 0.5 / largest : 1;
    has_matrix = limit == 1 && (k == 0 ? largest <= kept_rate : largest <= kept_rate * previous);
    previous = largest;
    for (int i = 0; i < nv_; ++i) trial_[i] = limit * rhs_[i], moved_[i] += trial_[i];
    evaluator_->retract(p.q, trial_);
    outcome = rows_.measure(equations::Level::position, p);
    if (const double size = rows_.relative_size(outcome); size <= least) least = size, best_ = p.q, best = outcome;
    if (!(largest > small_change) && !is_pulled) break;
    // the last corrections are free: they converge quadratically, and damping leaves nothing behind
    is_pulled = is_pulled && k < pulled_iterations && largest > 1e-6;
  }
  // next to a singular position a correction may lead away; nothing is left worse than the best that was seen
  if (rows_.relative_size(outcome) > least && rows_.is_satisfied(best, p, false, satisfied))
    p.q = best_, outcome = best;
  outcome.good = rows_.is_satisfied(outcome, p, false, satisfied);
  has_matrix_here_ = has_matrix && !has_velocity_constraints_;
  return outcome;
}

ConstraintProjection::Outcome ConstraintProjection::find_violation(const equations::Point& p) {
  if (nl_ == 0) return {};
  rows_.differentiate(p);
  Outcome outcome = rows_.measure(equations::Level::position, p);
  outcome.good = rows_.is_satisfied(outcome, p, false, contradiction);
  return outcome;
}

ConstraintProjection::Outcome ConstraintProjection::project_velocity(equations::Point& p) {
  Outcome outcome = rows_.measure(equations::Level::velocity, p);
  if (nl_ == 0) return outcome;
  bool is_old = has_matrix_here_;
  for (;; is_old = false) {
    if (!is_old && !factor(p, equations::Level::velocity)) {
      has_matrix_here_ = false;
      return {rows_.is_satisfied(outcome, p, true, satisfied), outcome.constraint, outcome.violation};
    }
    correct_velocity(p, outcome);
    if (!is_old || rows_.is_satisfied(outcome, p, true, round_off)) break;
  }
  has_matrix_here_ = !has_velocity_constraints_;
  outcome.good = rows_.is_satisfied(outcome, p, true, satisfied);
  return outcome;
}

/// The equations are linear; further passes remove what damping, round-off and a matrix from nearby left.
void ConstraintProjection::correct_velocity(equations::Point& p, Outcome& outcome) {
  double before = std::numeric_limits<double>::infinity();
  for (int k = 0; k < velocity_passes; ++k) {
    std::fill(rhs_.begin(), rhs_.begin() + nv_, 0.0);
    for (int c = 0; c < nl_; ++c) rhs_[nv_ + c] = -rows_.value(c);
    lu_.solve(rhs_);
    for (int i = 0; i < nv_; ++i) p.v[i] += rhs_[i];
    outcome = rows_.measure(equations::Level::velocity, p);
    const double left = rows_.relative_size(outcome);
    if (k > 0 && !(left < 0.1 * before)) break;
    before = left;
  }
}

bool ConstraintProjection::find_corrections(const equations::Point& p, equations::Level level,
                                            std::vector<std::vector<double>>& r) {
  if (nl_ == 0 || !factor(p, level)) return false;
  for (std::vector<double>& left : r) {
    std::vector<double> sum(nv_, 0.0);
    // the second pass removes what damping and round-off left
    for (int k = 0; k < 2; ++k) {
      std::fill(rhs_.begin(), rhs_.begin() + nv_, 0.0);
      for (int c = 0; c < nl_; ++c) rhs_[nv_ + c] = -left[c];
      lu_.solve(rhs_);
      for (int i = 0; i < nv_; ++i) sum[i] += rhs_[i];
      for (std::size_t e = 0; e < places_.size(); ++e) {
        const ConstraintRows::Entry& entry = rows_.entries()[e];
        left[entry.constraint] += values_[places_[e].in_matrix] * rhs_[entry.coordinate];
      }
    }
    left = std::move(sum);
  }
  return true;
}

/// Φ_q of p into the saddle-point matrix.
bool ConstraintProjection::factor(const equations::Point& p, equations::Level level) {
  rows_.differentiate(p);
  ++statistics_->factorizations;
  for (int i = 0; i < nv_; ++i) {
    const double nominal = evaluator_->system().unknown(i).nominal;
    values_[diagonal_[i]] = 1 / (nominal * nominal);
  }
  for (std::size_t k = 0; k < places_.size(); ++k) {
    const ConstraintRows::Entry& e = rows_.entries()[k];
    const bool left_out =
        (level == equations::Level::position && evaluator_->system().is_velocity_constraint(e.constraint)) ||
        rows_.is_negligible(e);
    values_[places_[k].in_matrix] = values_[places_[k].in_transpose] = left_out ? 0 : rows_.derivative(e);
  }
  return lu_.factor(values_);
}

math::Matrix ConstraintProjection::constraint_matrix(const equations::Point& p) {
  rows_.differentiate(p);
  math::Matrix phi_q(nl_, nv_);
  for (const ConstraintRows::Entry& e : rows_.entries()) phi_q(e.constraint, e.coordinate) = rows_.derivative(e);
  return phi_q;
}

std::vector<math::Triplet> ConstraintProjection::constraint_entries(const equations::Point& p) {
  rows_.differentiate(p);
  std::vector<math::Triplet> entries;
  for (const ConstraintRows::Entry& e : rows_.entries())
    if (!rows_.is_negligible(e)) entries.push_back({e.constraint, e.coordinate, rows_.derivative(e)});
  return entries;
}

}  // namespace coenergy::solve
