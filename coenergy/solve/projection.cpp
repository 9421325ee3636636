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
constexpr double negligible = 1e-12;    // of a derivative, relative to the largest of its constraint: round-off
constexpr double vanishing =
    1e-14;                        // of a derivative in m/m, m/rad, rad/rad: round-off of a row that holds identically
constexpr double closed = 1e-14;  // a constraint that needs no correction, m or rad
constexpr int max_iterations = 60;
constexpr int pulled_iterations = 20;  // later corrections are no longer drawn towards the guess: quadratic convergence

/// Pattern of [W Φᵀ; Φ 0].
struct SaddlePattern {
  std::vector<int> column_start{0}, row;
};

SaddlePattern make_pattern(const system::System& s) {
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

math::SparseLu<double> make_lu(const system::System& s) {
  const SaddlePattern pattern = make_pattern(s);
  return {s.nv() + s.nl(), pattern.column_start, pattern.row, range(s.nv(), s.nl())};
}

}  // namespace

ConstraintProjection::ConstraintProjection(system::Evaluator& evaluator, Statistics& statistics)
    : evaluator_(&evaluator),
      statistics_(&statistics),
      tangent_(evaluator.system()),
      nv_(evaluator.system().nv()),
      nl_(evaluator.system().nl()),
      lu_(make_lu(evaluator.system())) {
  const system::System& s = evaluator.system();
  const auto& pattern = s.pattern();
  SaddlePattern saddle = make_pattern(s);
  column_start_ = std::move(saddle.column_start), row_ = std::move(saddle.row);

  // each entry of Φ_q has three places: in the system's pattern, here, and here transposed
  std::vector<int> next(nl_);
  for (int k = 0; k < nl_; ++k) next[k] = column_start_[nv_ + k];
  for (int j = 0; j < nv_; ++j) {
    int here = column_start_[j];
    diagonal_.push_back(here++);
    for (int e = pattern.column_start[j]; e < pattern.column_start[j + 1]; ++e) {
      const int constraint = pattern.row[e] - nv_;
      if (constraint < 0 || constraint >= nl_) continue;
      entries_.push_back({constraint, j, e, here++, next[constraint]++});
    }
  }
  lu_.set_damping(damping);
  system_values_.resize(pattern.row.size());
  values_.resize(row_.size());
  residual_.resize(s.n());
  rhs_.resize(nv_ + nl_);
  moved_.resize(nv_);
  trial_.resize(nv_);
  gradient_size_.resize(nl_);
}

ConstraintProjection::Outcome ConstraintProjection::project_position(system::Point& p, std::span<const char> fixed) {
  Outcome outcome = violation(system::Level::position, p);
  if (nl_ == 0) return outcome;
  std::fill(moved_.begin(), moved_.end(), 0.0);
  bool is_pulled = true;  // towards the guess
  double least = std::numeric_limits<double>::infinity();
  Outcome best = outcome;
  for (int k = 0; k < max_iterations; ++k) {
    // where nothing can move, what is given must do
    if (!factor(p, fixed, system::Level::position))
      return {is_satisfied(outcome, p, false, satisfied), outcome.constraint, outcome.violation};
    if (k == 0) best_ = p.q, least = relative_size(outcome);
    if (k == 0 && std::all_of(residual_.begin() + nv_, residual_.begin() + nv_ + nl_,
                              [](double phi) { return std::abs(phi) <= closed; }))
      return {true, outcome.constraint, outcome.violation};
    for (int i = 0; i < nv_; ++i) {
      const double nominal = evaluator_->system().unknown(i).nominal;
      rhs_[i] = is_pulled ? -moved_[i] / (nominal * nominal) : 0;
    }
    for (int c = 0; c < nl_; ++c) rhs_[nv_ + c] = -residual_[nv_ + c];
    lu_.solve(rhs_);

    // no coordinate moves by more than half its size or nominal value at a time
    double largest = 0;
    for (int i = 0; i < nv_; ++i) {
      const double scale = std::max(tangent_.size(p.q, i), evaluator_->system().unknown(i).nominal);
      largest = std::max(largest, std::abs(rhs_[i]) / scale);
    }
    const double limit = largest > 0.5 ? 0.5 / largest : 1;
    for (int i = 0; i < nv_; ++i) trial_[i] = limit * rhs_[i], moved_[i] += trial_[i];
    evaluator_->retract(p.q, trial_);
    outcome = violation(system::Level::position, p);
    if (const double size = relative_size(outcome); size <= least) least = size, best_ = p.q, best = outcome;
    if (!(largest > small_change) && !is_pulled) break;
    // the last corrections are free: they converge quadratically, and damping leaves nothing behind
    is_pulled = is_pulled && k < pulled_iterations && largest > 1e-6;
  }
  // next to a singular position a correction may lead away; nothing is left worse than the best that was seen
  if (relative_size(outcome) > least && is_satisfied(best, p, false, satisfied)) p.q = best_, outcome = best;
  outcome.good = is_satisfied(outcome, p, false, satisfied);
  return outcome;
}

ConstraintProjection::Outcome ConstraintProjection::find_violation(const system::Point& p) {
  if (nl_ == 0) return {};
  measure_gradients(p);
  Outcome outcome = violation(system::Level::position, p);
  outcome.good = is_satisfied(outcome, p, false, contradiction);
  return outcome;
}

double ConstraintProjection::relative_size(const Outcome& outcome) const {
  const double gradient = gradient_size_[outcome.constraint];
  return std::abs(outcome.violation) / (gradient > 0 ? gradient : 1);
}

ConstraintProjection::Outcome ConstraintProjection::project_velocity(system::Point& p, std::span<const char> fixed) {
  Outcome outcome = violation(system::Level::velocity, p);
  if (nl_ == 0) return outcome;
  if (!factor(p, fixed, system::Level::velocity))
    return {is_satisfied(outcome, p, true, satisfied), outcome.constraint, outcome.violation};
  // the equations are linear; the second pass removes what damping and round-off left
  for (int k = 0; k < 2; ++k) {
    std::fill(rhs_.begin(), rhs_.begin() + nv_, 0.0);
    for (int c = 0; c < nl_; ++c) rhs_[nv_ + c] = -residual_[nv_ + c];
    lu_.solve(rhs_);
    for (int i = 0; i < nv_; ++i) p.v[i] += rhs_[i];
    outcome = violation(system::Level::velocity, p);
  }
  outcome.good = is_satisfied(outcome, p, true, satisfied);
  return outcome;
}

/// Φ or Φ̇ in residual_, and the largest of them.
ConstraintProjection::Outcome ConstraintProjection::violation(system::Level level, const system::Point& p) {
  Outcome outcome;
  if (nl_ == 0) return outcome;
  evaluator_->residual(p, level, residual_);
  ++statistics_->residuals;
  double worst = -1;
  for (int c = 0; c < nl_; ++c) {
    if (level == system::Level::position && evaluator_->system().is_velocity_constraint(c)) residual_[nv_ + c] = 0;
    const double value = residual_[nv_ + c];
    const double size = std::abs(value) / (gradient_size_[c] > 0 ? gradient_size_[c] : 1);
    if (size > worst || !std::isfinite(size)) worst = size, outcome.constraint = c, outcome.violation = value;
  }
  return outcome;
}

bool ConstraintProjection::is_satisfied(const Outcome& outcome, const system::Point& p, bool velocity,
                                        double limit) const {
  const double gradient = gradient_size_[outcome.constraint] > 0 ? gradient_size_[outcome.constraint] : 1;
  double scale = 0;
  for (const Entry& e : entries_) {
    if (e.constraint != outcome.constraint) continue;
    const double nominal = evaluator_->system().unknown(e.coordinate).nominal;
    const double size = velocity ? std::abs(p.v[e.coordinate]) : tangent_.size(p.q, e.coordinate);
    scale = std::max({scale, size, nominal});
  }
  return std::abs(outcome.violation) / gradient <= limit * scale;
}

/// Φ_q of p in system_values_ (∂Φ̇/∂v = Φ_q), and the largest derivative of each constraint.
void ConstraintProjection::measure_gradients(const system::Point& p) {
  evaluator_->jacobian(p, system::Level::velocity, system::Weights{.v = 1}, system_values_);
  ++statistics_->jacobians;
  std::fill(gradient_size_.begin(), gradient_size_.end(), 0.0);
  for (const Entry& e : entries_)
    gradient_size_[e.constraint] = std::max(gradient_size_[e.constraint], std::abs(system_values_[e.in_system]));
  for (double& size : gradient_size_) size = size > vanishing ? size : 0;
}

/// Φ_q of p into the saddle-point matrix; columns of fixed coordinates are left out.
bool ConstraintProjection::factor(const system::Point& p, std::span<const char> fixed, system::Level level) {
  measure_gradients(p);
  ++statistics_->factorizations;
  for (int i = 0; i < nv_; ++i) {
    const double nominal = evaluator_->system().unknown(i).nominal;
    values_[diagonal_[i]] = 1 / (nominal * nominal);
  }
  for (const Entry& e : entries_) {
    const double value = system_values_[e.in_system];
    const bool stays =
        (level == system::Level::position && evaluator_->system().is_velocity_constraint(e.constraint)) ||
        (!fixed.empty() && fixed[e.coordinate]) ||
        std::abs(value) <= std::max(negligible * gradient_size_[e.constraint], vanishing);
    values_[e.in_matrix] = values_[e.in_transpose] = stays ? 0 : value;
  }
  return lu_.factor(values_);
}

math::Matrix ConstraintProjection::constraint_matrix(const system::Point& p) {
  evaluator_->jacobian(p, system::Level::velocity, system::Weights{.v = 1}, system_values_);
  ++statistics_->jacobians;
  math::Matrix phi_q(nl_, nv_);
  for (const Entry& e : entries_) phi_q(e.constraint, e.coordinate) = system_values_[e.in_system];
  return phi_q;
}

}  // namespace coenergy::solve
