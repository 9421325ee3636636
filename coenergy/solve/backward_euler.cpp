#include "coenergy/solve/backward_euler.hpp"

namespace coenergy::solve {

BackwardEuler::BackwardEuler(system::Evaluator& evaluator, const Options& options, Statistics& statistics)
    : Stepper(evaluator),
      newton_(evaluator, {.tolerance = options.newton_tolerance, .max_iterations = options.max_newton}, statistics) {
  rule_.theta0.resize(evaluator.system().nv());
}

StepOutcome BackwardEuler::step(const system::Point& from, double h, system::Point& to) {
  rule_.cq = h * h, rule_.cv = rule_.cx = h;
  rule_.q0 = from.q, rule_.v0 = from.v, rule_.x0 = from.x;
  for (std::size_t i = 0; i < from.v.size(); ++i) rule_.theta0[i] = h * from.v[i];
  to = from;
  to.t = from.t + h;
  StepOutcome outcome;
  outcome.newton = newton_.solve(rule_, to);
  outcome.good = outcome.newton.converged;
  return outcome;
}

}  // namespace coenergy::solve
