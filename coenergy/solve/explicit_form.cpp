#include "coenergy/solve/explicit_form.hpp"

#include <algorithm>

namespace coenergy::solve {

Options for_completion(Options options) {
  constexpr double tightest = 1e-8;
  if (options.newton_tolerance == 0) options.newton_tolerance = std::max(newton_tolerance(options), tightest);
  return options;
}

ExplicitForm::ExplicitForm(equations::Evaluator& evaluator, const Options& options, Statistics& statistics)
    : newton_(
          evaluator,
          {.tolerance = solve::newton_tolerance(options), .max_iterations = options.max_newton, .line_search = true},
          statistics),
      projection_(evaluator, statistics),
      projects_(options.project && evaluator.system().nl() > 0 && options.coordinates == "all") {
  if (options.coordinates == "minimal" && evaluator.system().nl() > 0) closure_.emplace(evaluator, statistics);
  if (TreeAccelerations::serves(evaluator.system()))
    tree_.emplace(evaluator, solve::newton_tolerance(options), statistics);
}

void ExplicitForm::begin(const equations::Point& p) {
  forget_matrix();
  if (closure_) closure_->choose(p);
}

void ExplicitForm::accept(const equations::Point& p) {
  if (closure_) closure_->renew(p);
}

bool ExplicitForm::close(const std::vector<double>& q0, std::span<double> theta, equations::Point& p,
                         NewtonReport& report) {
  if (!closure_) return true;
  auto outcome = closure_->close_position(q0, theta, p);
  if (outcome.good) outcome = closure_->close_velocity(p);
  if (!outcome.good) report.worst_row = int(p.v.size()) + outcome.constraint, report.residual = outcome.violation;
  return outcome.good;
}

NewtonReport ExplicitForm::complete(equations::Point& p) {
  if (tree_) {
    if (tree_->solve(p)) return {.converged = true};
    // not a system of this kind after all
    tree_.reset();
  }
  static const Rule frozen{.level = equations::Level::acceleration};
  return newton_.solve(frozen, p);
}

void ExplicitForm::visit(StateArchive& archive) {
  archive(newton_, projection_);
  if (closure_) archive(*closure_);
  // a tree that did not serve stays away
  bool has_tree = tree_.has_value();
  archive(has_tree);
  if (!has_tree) tree_.reset();
  if (tree_) archive(*tree_);
}

bool ExplicitForm::project(equations::Point& p, NewtonReport& report) {
  if (!projects_) return true;
  const auto position = projection_.project_position(p);
  const auto velocity = position.good ? projection_.project_velocity(p) : position;
  if (!velocity.good) report.worst_row = int(p.v.size()) + velocity.constraint, report.residual = velocity.violation;
  return velocity.good;
}

NewtonReport ExplicitForm::finish(equations::Point& p) {
  NewtonReport report;
  return project(p, report) ? complete(p) : report;
}

}  // namespace coenergy::solve
