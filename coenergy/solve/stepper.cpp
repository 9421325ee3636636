#include "coenergy/solve/stepper.hpp"

#include <cmath>
#include <numeric>

namespace coenergy::solve {

Stepper::Stepper(equations::Evaluator& evaluator) : tangent_(evaluator.system()), evaluator_(&evaluator) {
  const equations::System& s = evaluator.system();
  wanted_.motion = true;
  for (auto& [list, size] : {std::pair(&wanted_.lambda, s.nl()), std::pair(&wanted_.x, s.nx()),
                             std::pair(&wanted_.xd, s.nx()), std::pair(&wanted_.y, s.ny())}) {
    list->resize(static_cast<std::size_t>(size));
    std::iota(list->begin(), list->end(), 0);
  }
}

/// Hermite's cubic on 0 ≤ s ≤ 1: values and slopes (per unit of s) at both ends.
static double hermite(double s, double value0, double slope0, double value1, double slope1) {
  const double r = 1 - s;
  return r * r * ((1 + 2 * s) * value0 + s * slope0) + s * s * ((1 + 2 * r) * value1 - r * slope1);
}

void Stepper::interpolate(const equations::Point& from, const equations::Point& to, double s, equations::Point& at) {
  const double h = to.t - from.t;
  for (int i : wanted_.x) at.x[i] = hermite(s, from.x[i], h * from.xd[i], to.x[i], h * to.xd[i]);
  if (!wanted_.motion || from.v.empty()) return;
  theta_.resize(from.v.size()), rate_.resize(from.v.size());
  // positions along q₀ ∘ exp(θ)
  tangent_.difference(from.q, to.q, theta_);
  tangent_.rate(theta_, to.v, rate_);
  for (std::size_t i = 0; i < theta_.size(); ++i) theta_[i] = hermite(s, 0, h * from.v[i], theta_[i], h * rate_[i]);
  at.q = from.q;
  evaluator_->retract(at.q, theta_);
  for (std::size_t i = 0; i < at.v.size(); ++i) at.v[i] = hermite(s, from.v[i], h * from.a[i], to.v[i], h * to.a[i]);
}

ErrorNorm::ErrorNorm(const equations::System& system, const Options& options)
    : rtol_(options.rtol), atol_(options.atol) {
  const int first_x = system.nv() + system.nl(), first_y = first_x + system.nx();
  for (int i = 0; i < system.nv(); ++i) nominal_v_.push_back(system.unknown(i).nominal);
  for (int i = 0; i < system.nx(); ++i) nominal_x_.push_back(system.unknown(first_x + i).nominal);
  for (int i = 0; i < system.ny(); ++i) nominal_y_.push_back(system.unknown(first_y + i).nominal);
}

}  // namespace coenergy::solve
