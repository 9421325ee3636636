#include "coenergy/solve/constraint_rows.hpp"

#include <algorithm>
#include <cmath>

namespace coenergy::solve {
namespace {

constexpr double negligible = 1e-12;  // of a derivative, relative to the largest of its constraint: round-off
constexpr double vanishing =
    1e-14;                        // of a derivative in m/m, m/rad, rad/rad: round-off of a row that holds identically
constexpr double closed = 1e-14;  // a constraint that needs no correction, m or rad

}  // namespace

ConstraintRows::ConstraintRows(equations::Evaluator& evaluator)
    : evaluator_(&evaluator), tangent_(evaluator.system()), nv_(evaluator.system().nv()), nl_(evaluator.system().nl()) {
  const auto& pattern = evaluator.system().pattern();
  for (int j = 0; j < nv_; ++j)
    for (int e = pattern.column_start[j]; e < pattern.column_start[j + 1]; ++e)
      if (const int constraint = pattern.row[e] - nv_; constraint >= 0 && constraint < nl_)
        entries_.push_back({constraint, j, e});
  derivatives_.resize(pattern.row.size());
  residual_.resize(nl_);
  gradient_size_.resize(nl_);
}

ConstraintRows::Outcome ConstraintRows::measure(equations::Level level, const equations::Point& p) {
  Outcome outcome;
  if (nl_ == 0) return outcome;
  evaluator_->constraints(p, level, residual_);
  double worst = -1;
  for (int c = 0; c < nl_; ++c) {
    if (level == equations::Level::position && evaluator_->system().is_velocity_constraint(c)) residual_[c] = 0;
    const double value = residual_[c], size = std::abs(value) / gradient(c);
    if (size > worst || !std::isfinite(size)) worst = size, outcome.constraint = c, outcome.violation = value;
  }
  return outcome;
}

void ConstraintRows::differentiate(const equations::Point& p) {
  // ∂Φ̇/∂v = Φ_q
  evaluator_->constraint_jacobian(p, equations::Level::velocity, {.v = 1}, derivatives_);
  std::fill(gradient_size_.begin(), gradient_size_.end(), 0.0);
  for (const Entry& e : entries_)
    gradient_size_[e.constraint] = std::max(gradient_size_[e.constraint], std::abs(derivatives_[e.place]));
  for (double& size : gradient_size_) size = size > vanishing ? size : 0;
}

bool ConstraintRows::is_negligible(const Entry& e) const {
  return std::abs(derivative(e)) <= std::max(negligible * gradient_size_[e.constraint], vanishing);
}

double ConstraintRows::relative_size(const Outcome& outcome) const {
  return std::abs(outcome.violation) / gradient(outcome.constraint);
}

bool ConstraintRows::is_satisfied(const Outcome& outcome, const equations::Point& p, bool velocity,
                                  double limit) const {
  double scale = 0;
  for (const Entry& e : entries_) {
    if (e.constraint != outcome.constraint) continue;
    const double nominal = evaluator_->system().unknown(e.coordinate).nominal;
    const double size = velocity ? std::abs(p.v[e.coordinate]) : tangent_.size(p.q, e.coordinate);
    scale = std::max({scale, size, nominal});
  }
  return relative_size(outcome) <= limit * scale;
}

bool ConstraintRows::are_closed() const {
  return std::all_of(residual_.begin(), residual_.end(), [](double phi) { return std::abs(phi) <= closed; });
}

}  // namespace coenergy::solve
