#include "coenergy/solve/explicit_form.hpp"

namespace coenergy::solve {

ExplicitForm::ExplicitForm(system::Evaluator& evaluator, const Options& options, Statistics& statistics)
    : newton_(evaluator,
              {.tolerance = options.newton_tolerance, .max_iterations = options.max_newton, .line_search = true},
              statistics),
      projection_(evaluator, statistics),
      projects_(options.project && evaluator.system().nl() > 0) {}

NewtonReport ExplicitForm::complete(system::Point& p) {
  static const Rule frozen{.level = system::Level::acceleration};
  return newton_.solve(frozen, p);
}

NewtonReport ExplicitForm::finish(system::Point& p) {
  if (projects_) {
    const auto position = projection_.project_position(p);
    const auto velocity = position.good ? projection_.project_velocity(p) : position;
    if (!velocity.good) {
      NewtonReport report;
      report.worst_row = int(p.v.size()) + velocity.constraint, report.residual = velocity.violation;
      return report;
    }
  }
  return complete(p);
}

}  // namespace coenergy::solve
