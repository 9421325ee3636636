#include "coenergy/solve/backward_euler.hpp"

namespace coenergy::solve {

BackwardEuler::BackwardEuler(equations::Evaluator& evaluator, const Options& options, Statistics& statistics)
    : Stepper(evaluator),
      newton_(evaluator, {.tolerance = solve::newton_tolerance(options), .max_iterations = options.max_newton},
              statistics),
      form_(evaluator, options, statistics),
      usual_step_(options.step) {
  rule_.theta0.resize(evaluator.system().nv());
}

StepOutcome BackwardEuler::step(const equations::Point& from, double h, equations::Point& to) {
  // a short step to an event: at position level accelerations would have the round-off of q over h²
  constexpr double short_part = 0.05;
  const bool is_short = h < short_part * usual_step_;
  rule_.level = is_short ? equations::Level::acceleration : equations::Level::position;
  rule_.cq = h * h, rule_.cv = rule_.cx = h;
  rule_.q0 = from.q, rule_.v0 = from.v, rule_.x0 = from.x;
  for (std::size_t i = 0; i < from.v.size(); ++i) rule_.theta0[i] = h * from.v[i];
  to = from;
  to.t = from.t + h;
  StepOutcome outcome;
  outcome.newton = newton_.solve(rule_, to);
  if (is_short && outcome.newton.converged && !to.lambda.empty()) outcome.newton = form_.finish(to);
  outcome.good = outcome.newton.converged;
  return outcome;
}

}  // namespace coenergy::solve
