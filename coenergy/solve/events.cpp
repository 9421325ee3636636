#include "coenergy/solve/events.hpp"

#include <fmt/format.h>

namespace coenergy::solve {

NewtonReport restart(Newton& newton, system::Point& p) {
  static const Rule frozen{.level = system::Level::acceleration};
  return newton.solve(frozen, p);
}

NewtonReport restart(system::Evaluator& evaluator, system::Point& p) {
  Statistics statistics;
  Newton newton(evaluator, {.max_iterations = 50, .line_search = true}, statistics);
  return restart(newton, p);
}

void settle_comparisons(system::Evaluator& evaluator, Newton& newton, system::Point& p, int most_passes) {
  system::Point at = p;
  for (int k = 0; k < most_passes; ++k) {
    newton.forget_matrix();
    if (!evaluator.update_comparisons(at)) {
      p = at;
      return;
    }
    if (!restart(newton, at).converged) return;
  }
}

EventHandler::EventHandler(system::Evaluator& evaluator, const Options& options, Statistics& statistics)
    : evaluator_(&evaluator),
      options_(options),
      statistics_(&statistics),
      newton_(
          evaluator,
          {.tolerance = options.newton_tolerance, .max_iterations = 2 * options.max_newton + 10, .line_search = true},
          statistics),
      impacts_(evaluator),
      g_(evaluator.system().indicators()),
      sides_(evaluator.system().indicators()) {}

EventHandler::Outcome EventHandler::pass(system::Point& p, const std::function<bool(const system::Point&)>& continues) {
  Outcome outcome;
  outcome.changed = evaluator_->update_clocks(p);
  const Outcome impacts = pass_impacts(p);
  if (!impacts.good) return impacts;
  outcome.changed = evaluator_->update_modes(p) || impacts.changed || outcome.changed;
  newton_.forget_matrix();
  if (!options_.restart) return outcome;
  if (continues && continues(p) && !evaluator_->update_modes(p)) {
    outcome.smooth = true;
    return outcome;
  }
  for (int k = 0; k < options_.max_event_passes; ++k) {
    find_sides(p, sides_);
    ++statistics_->restarts;
    if (const NewtonReport report = restart(newton_, p); !report.converged)
      return {false, outcome.changed, false, report.text(evaluator_->system())};
    if (!evaluator_->update_modes(p)) return outcome;
    outcome.changed = true;
    newton_.forget_matrix();
  }
  return {false, true, false, unsettled(p, sides_)};
}

/// One impact may make other contacts approach; the next pass is theirs.
EventHandler::Outcome EventHandler::pass_impacts(system::Point& p) {
  Outcome outcome;
  for (int k = 0; k < options_.max_event_passes; ++k) {
    const ImpactSolver::Outcome impact = impacts_.pass(p);
    if (!impact.any) return outcome;
    if (!impact.good) return {false, true, false, impact.text};
    outcome.changed = true;
  }
  return {false, true, false, "impacts follow each other without end"};
}

void EventHandler::find_sides(const system::Point& p, std::vector<char>& sides) {
  evaluator_->indicators(p, g_);
  sides.resize(g_.size());
  for (std::size_t k = 0; k < g_.size(); ++k) sides[k] = g_[k] > 0;
}

std::string EventHandler::unsettled(const system::Point& p, const std::vector<char>& before) {
  evaluator_->indicators(p, g_);
  std::string names;
  for (std::size_t k = 0; k < g_.size(); ++k)
    if ((g_[k] > 0) != bool(before[k]))
      names += (names.empty() ? "" : ", ") + evaluator_->system().indicator_name(int(k));
  return fmt::format("modes do not settle after {} passes: {} switches back and forth", options_.max_event_passes,
                     names.empty() ? "an event" : names);
}

}  // namespace coenergy::solve
