#include "coenergy/solve/events.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "coenergy/base/error.hpp"
#include "coenergy/equations/data.hpp"

namespace coenergy::solve {

NewtonReport restart(Newton& newton, equations::Point& p) {
  static const Rule frozen{.level = equations::Level::acceleration};
  return newton.solve(frozen, p);
}

NewtonReport restart(equations::Evaluator& evaluator, equations::Point& p) {
  Statistics statistics;
  Newton newton(evaluator, {.max_iterations = 50, .line_search = true}, statistics);
  return restart(newton, p);
}

void settle_comparisons(equations::Evaluator& evaluator, Newton& newton, equations::Point& p, int most_passes) {
  equations::Point at = p;
  for (int k = 0; k < most_passes; ++k) {
    newton.forget_matrix();
    if (!evaluator.update_comparisons(at)) {
      p = at;
      return;
    }
    if (!restart(newton, at).converged) return;
  }
}

EventHandler::EventHandler(equations::Evaluator& evaluator, const Options& options, Statistics& statistics)
    : evaluator_(&evaluator),
      options_(options),
      statistics_(&statistics),
      newton_(evaluator,
              {.tolerance = solve::newton_tolerance(options),
               .max_iterations = 2 * options.max_newton + 10,
               .line_search = true},
              statistics),
      impacts_(evaluator, options),
      jumps_(evaluator, options, statistics),
      g_(evaluator.system().indicators()),
      sides_(evaluator.system().indicators()),
      switched_(evaluator.system().indicators()),
      held_(evaluator.system().indicators()) {}

EventHandler::Outcome EventHandler::pass(equations::Point& p,
                                         const std::function<bool(const equations::Point&)>& continues, bool samples) {
  Outcome outcome;
  before_ = fitting_ = p.d;
  trace_.clear();
  note(EventStage::Kind::solved, p);
  if (samples && evaluator_->is_clock_due(p.t)) {
    decide_comparisons(p);
    note(EventStage::Kind::sampled, p);
    outcome.changed = evaluator_->update_clocks(p);
  }
  evaluator_->update_comparisons(p);
  const Outcome jumps = pass_jumps(p);
  if (!jumps.good) return jumps;
  const Outcome impacts = pass_impacts(p);
  if (!impacts.good) return impacts;
  note(EventStage::Kind::modes, p);
  outcome.changed = evaluator_->update_modes(p) || impacts.changed || jumps.changed || outcome.changed;
  outcome.changed = outcome.changed || p.d != before_;
  note_switched(p);
  newton_.forget_matrix();
  if (!options_.restart) return outcome;
  if (!impacts.changed && !jumps.changed && continues && continues(p)) {
    note(EventStage::Kind::solved, p);
    note(EventStage::Kind::modes, p);
    if (!evaluator_->update_modes(p)) {
      outcome.smooth = true;
      return check_requirements(p, outcome);
    }
  }
  return restart_and_settle(p, outcome);
}

EventHandler::Outcome EventHandler::change_inputs(equations::Point& p) {
  Outcome outcome;
  before_ = fitting_ = p.d;
  trace_.clear();
  note(EventStage::Kind::solved, p);
  note(EventStage::Kind::modes, p);
  outcome.changed = evaluator_->update_modes(p);
  note_switched(p);
  newton_.forget_matrix();
  return restart_and_settle(p, outcome);
}

EventHandler::Outcome EventHandler::restart_and_settle(equations::Point& p, Outcome outcome) {
  for (int k = 0; k < options_.max_event_passes; ++k) {
    if (const Outcome late = pass_jumps(p); !late.good) return late;
    find_sides(p, sides_);
    ++statistics_->restarts;
    if (const NewtonReport report = restart(newton_, p); !report.converged)
      return {false, outcome.changed, false, report.text(evaluator_->system())};
    note(EventStage::Kind::solved, p);
    note(EventStage::Kind::modes, p);
    if (!update_modes(p)) return check_requirements(p, outcome);
    outcome.changed = true;
    newton_.forget_matrix();
  }
  return {false, true, false, unsettled(p, sides_)};
}

/// By the values at this instant, solving again for what depends on them. Where they do not settle, what follows tells.
void EventHandler::decide_comparisons(equations::Point& p) {
  for (int k = 0; k < options_.max_event_passes && evaluator_->update_comparisons(p); ++k) {
    newton_.forget_matrix();
    if (!pass_jumps(p).good || !restart(newton_, p).converged) return;
    note(EventStage::Kind::solved, p);
  }
}

EventHandler::Outcome EventHandler::pass_jumps(equations::Point& p) {
  note(EventStage::Kind::jumped, p);
  const DriveJumps::Outcome jumps = jumps_.pass(p, fitting_);
  if (!jumps.good) return {false, true, false, jumps.text};
  if (keeps_traces_ && jumps.any) trace_.back().to = p, trace_.back().positions_jump = jumps.positions;
  if (keeps_traces_ && !jumps.any) trace_.pop_back();
  fitting_ = p.d;
  return {.changed = jumps.any};
}

/// Comparisons that are others than before the event.
void EventHandler::note_switched(const equations::Point& p) {
  const std::vector<int>& modes = evaluator_->system().data().indicator_mode;
  for (std::size_t k = 0; k < modes.size(); ++k) switched_[k] = modes[k] >= 0 && p.d[modes[k]] != before_[modes[k]];
}

/// Modes after a restart. A comparison that has switched at this event is not switched back by an indicator that is
/// zero but for round-off; where it moves on to the wrong side, the next step finds out.
bool EventHandler::update_modes(equations::Point& p) {
  constexpr double round_off = 1e-11;
  double largest = 1;
  for (const std::vector<double>* part : {&p.v, &p.x, &p.y})
    for (double value : *part) largest = std::max(largest, std::abs(value));
  evaluator_->indicators(p, g_);
  for (std::size_t k = 0; k < g_.size(); ++k) held_[k] = switched_[k] && std::abs(g_[k]) <= round_off * largest;
  return evaluator_->update_modes(p, held_);
}

EventHandler::Outcome EventHandler::check_requirements(const equations::Point& p, Outcome outcome) {
  const auto& requirements = evaluator_->system().data().requirements;
  if (requirements.empty()) return outcome;
  evaluator_->indicators(p, g_);
  for (const auto& r : requirements)
    if (r.is_broken(g_[r.indicator])) return {false, outcome.changed, false, r.text};
  return outcome;
}

void EventHandler::check_bounds(const equations::Point& p, bool of_time) {
  ErrorList errors;
  const auto& requirements = evaluator_->system().data().requirements;
  if (requirements.empty()) return;
  evaluator_->indicators(p, g_);
  for (const auto& r : requirements)
    if (r.where.known() && r.is_broken(g_[r.indicator]) && (!of_time || evaluator_->is_time_indicator(r.indicator)))
      errors.add(r.where, r.text + fmt::format(" (at the start, t = {:g} s)", p.t));
  errors.throw_if_any();
}

void EventHandler::check_start(const equations::Point& p) {
  const ImpactSolver::Beyond beyond = impacts_.find_beyond(p);
  if (beyond.name.empty()) return;
  throw Error(fmt::format("{}: the start lies {:.6g} beyond this rigid stop; start within the range", beyond.name,
                          beyond.depth));
}

std::string EventHandler::name_near_bounds(const equations::Point& p) {
  constexpr double near = 1e-6;  // of the distance at the start
  const auto& requirements = evaluator_->system().data().requirements;
  if (requirements.empty()) return "";
  std::vector<double> start(g_.size());
  equations::Point from = evaluator_->start();
  from.t = options_.t_start;
  evaluator_->indicators(from, start);
  evaluator_->indicators(p, g_);
  for (const auto& r : requirements)
    if (g_[r.indicator] >= -near * std::abs(start[r.indicator])) return r.text;
  return "";
}

/// One impact may make other contacts approach; the next pass is theirs.
EventHandler::Outcome EventHandler::pass_impacts(equations::Point& p) {
  Outcome outcome;
  for (int k = 0; k < options_.max_event_passes; ++k) {
    note(EventStage::Kind::hit, p);
    const ImpactSolver::Outcome impact = impacts_.pass(p);
    if (!impact.any && keeps_traces_) trace_.pop_back();
    if (!impact.any) return outcome;
    if (!impact.good) return {false, true, false, impact.text};
    if (keeps_traces_) trace_.back().to = p, trace_.back().impact = impacts_.record();
    outcome.changed = true;
  }
  return {false, true, false, "impacts follow each other without end"};
}

void EventHandler::note(EventStage::Kind kind, const equations::Point& at) {
  if (keeps_traces_) trace_.push_back({.kind = kind, .at = at, .to = {}, .impact = {}});
}

void EventHandler::find_sides(const equations::Point& p, std::vector<char>& sides) {
  evaluator_->indicators(p, g_);
  sides.resize(g_.size());
  const std::vector<int>& modes = evaluator_->system().data().indicator_mode;
  for (std::size_t k = 0; k < g_.size(); ++k) sides[k] = modes[k] >= 0 ? p.d[modes[k]] != 0 : g_[k] > 0;
}

std::string EventHandler::unsettled(const equations::Point& p, const std::vector<char>& before) {
  evaluator_->indicators(p, g_);
  std::string names;
  for (std::size_t k = 0; k < g_.size(); ++k)
    if ((g_[k] > 0) != bool(before[k]))
      names += (names.empty() ? "" : ", ") + evaluator_->system().indicator_name(int(k));
  return fmt::format("modes do not settle after {} passes: {} switches back and forth", options_.max_event_passes,
                     names.empty() ? "an event" : names);
}

}  // namespace coenergy::solve
