#include "coenergy/solve/explicit_form.hpp"

namespace coenergy::solve {

ExplicitForm::ExplicitForm(system::Evaluator& evaluator, const Options& options, Statistics& statistics)
    : newton_(evaluator,
              {.tolerance = options.newton_tolerance, .max_iterations = options.max_newton, .line_search = true},
              statistics),
      projection_(evaluator, statistics),
      projects_(options.project && evaluator.system().nl() > 0 && options.coordinates == "all") {
  if (options.coordinates == "minimal" && evaluator.system().nl() > 0) closure_.emplace(evaluator, statistics);
  if (TreeAccelerations::serves(evaluator.system())) tree_.emplace(evaluator, options.newton_tolerance, statistics);
}

void ExplicitForm::begin(const system::Point& p) {
  forget_matrix();
  if (closure_) closure_->choose(p);
}

void ExplicitForm::accept(const system::Point& p) {
  if (closure_) closure_->renew(p);
}

bool ExplicitForm::close(const std::vector<double>& q0, std::span<double> theta, system::Point& p,
                         NewtonReport& report) {
  if (!closure_) return true;
  auto outcome = closure_->close_position(q0, theta, p);
  if (outcome.good) outcome = closure_->close_velocity(p);
  if (!outcome.good) report.worst_row = int(p.v.size()) + outcome.constraint, report.residual = outcome.violation;
  return outcome.good;
}

NewtonReport ExplicitForm::complete(system::Point& p) {
  if (tree_) {
    if (tree_->solve(p)) return {.converged = true};
    // not a system of this kind after all
    tree_.reset();
  }
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
