#include "coenergy/solve/simulation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "coenergy/solve/initialize.hpp"

namespace coenergy::solve {
namespace {

constexpr double same_node = 1e-9;  // of a step: two nodes closer than this are one
constexpr double shrink_on_failure = 0.4;
constexpr int steps_without_growth = 3;  // after a failure of Newton's iteration
constexpr int max_events_without_progress = 100;

}  // namespace

Simulation::Simulation(system::Evaluator& evaluator, const Options& options, const Hooks& hooks, Result& result)
    : evaluator_(&evaluator),
      options_(options),
      hooks_(&hooks),
      result_(&result),
      statistics_(&result.statistics),
      events_(evaluator, options, result.statistics),
      projection_(evaluator, result.statistics),
      projects_rows_(options.project && evaluator.system().nl() > 0),
      recorder_(evaluator, options, hooks.row, hooks.keep_rows, result) {}

void Simulation::run() {
  if (!start()) return;
  while (now_.t < options_.t_end) {
    // one step, cut short at the first event inside it
    if (!advance(next_stop())) return;
    bool is_event = lands_on_time_event_ || next_.t >= clock_ - instant_;
    if (has_event(g_next_, false)) {
      if (!locate_event()) return;
      is_event = true;
    }
    if (hooks_->observer) hooks_->observer->step(now_, next_, [this](double s) { return interpolate(s), at_; });
    record_inside();
    stepper_->accept(now_, next_);
    std::swap(now_, next_);
    std::swap(g_now_, g_next_);
    ++statistics_->steps;

    // rows at the new node, before and after what happens there
    if (!is_event) {
      if (options_.output_step == 0 || is_on_grid(now_.t)) record_node();
    } else {
      if (options_.record_events || options_.output_step == 0) record(now_);
      if (!pass_event()) return;
      if (options_.record_events || options_.output_step == 0 || is_on_grid(now_.t)) record_node();
    }
    if (!report_progress()) return;
  }
  result_->text = fmt::format("reached t = {:g} s", now_.t);
}

// ---- steps

bool Simulation::start() {
  const double span = options_.t_end - options_.t_start;
  const double largest = std::max(std::abs(options_.t_start), std::abs(options_.t_end));
  min_step_ = options_.min_step > 0 ? options_.min_step : 1e-14 * largest;
  instant_ = 1e-12 * std::max(largest, span);

  // consistent values
  Start start = initialize(*evaluator_, options_, events_, *statistics_);
  result_->notes = start.notes;
  now_ = next_ = trial_ = at_ = start.point;
  if (!start.good) {
    fail(start.text);
    return false;
  }

  // indicators, method, first row
  g_now_.resize(evaluator_->system().indicators());
  g_next_ = g_trial_ = g_now_;
  evaluator_->indicators(now_, g_now_);
  events_.find_sides(now_, sides_);
  clock_ = evaluator_->next_clock_time(now_.t);
  last_event_ = now_.t - span;
  redundancy_ = start.redundancy;
  stepper_ = make_stepper(*evaluator_, options_, *statistics_, redundancy_);
  stepper_->begin(now_);
  if (recorder_.needs() != nullptr && interpolates_all() && !projects_rows_ && hooks_->observer == nullptr)
    stepper_->want(*recorder_.needs());
  adaptive_ = is_adaptive(options_);
  if (options_.step > 0)
    step_ = options_.step;
  else
    step_ = adaptive_ ? first_step() : span / 1000;
  cap_ = std::numeric_limits<double>::infinity();
  if (hooks_->observer) hooks_->observer->begin(now_);
  record_node();
  return true;
}

/// A hundredth of the time in which the solution would change by its own size.
double Simulation::first_step() const {
  const system::System& s = evaluator_->system();
  const double span = options_.t_end - options_.t_start;
  ErrorNorm size(s, options_), change(s, options_);
  const int first_x = s.nv() + s.nl();
  const Tangent tangent(s);
  for (int i = 0; i < s.nv(); ++i) {
    const double q = std::max(tangent.size(now_.q, i), s.unknown(i).nominal),
                 v = std::max(std::abs(now_.v[i]), 1e-3 * q / span);
    size.add_position(i, q, q), change.add_position(i, now_.v[i], q);
    size.add_velocity(i, v, v), change.add_velocity(i, now_.a[i], v);
  }
  for (int i = 0; i < s.nx(); ++i) {
    const double x = std::max(std::abs(now_.x[i]), 1e-3 * s.unknown(first_x + i).nominal);
    size.add_state(i, x, x), change.add_state(i, now_.xd[i], x);
  }
  const double rate = size.value() > 0 ? change.value() / size.value() : 0;
  const double h = rate > 0 ? 0.01 / rate : span;
  return std::clamp(h, std::max(min_step_ * 10, 1e-9 * span), 0.01 * span);
}

/// The latest instant that the next step may reach: a clock, the end, or the next node of a fixed grid.
double Simulation::next_stop() const {
  double stop = std::min(clock_, options_.t_end);
  if (!adaptive_) {
    const double passed = std::floor((now_.t - options_.t_start) / step_ + same_node);
    const double node = options_.t_start + (passed + 1) * step_;
    if (node < stop - same_node * step_) stop = node;
  }
  return stop;
}

double Simulation::choose_step(double stop) {
  const double remaining = stop - now_.t;
  double h = std::min(step_, cap_);
  if (options_.max_step > 0) h = std::min(h, options_.max_step);
  if (h >= remaining * (1 - same_node))
    h = remaining;
  else if (adaptive_ && h > remaining / 2)
    h = remaining / 2;
  return limit_to_time_event(h);
}

/// One accepted step from now_ to next_; repeats with smaller steps as long as needed.
bool Simulation::advance(double stop) {
  for (;;) {
    const double h = choose_step(stop);
    const StepOutcome outcome = stepper_->step(now_, h, next_);
    if (!outcome.good) {
      ++statistics_->newton_failures;
      steps_before_growth_ = steps_without_growth;
      if (shrink(h, shrink_on_failure)) continue;
      fail(fmt::format("Newton did not converge at t = {:g} s (step {:g} s); {}", now_.t, h, reason(outcome.newton)));
      return false;
    }
    if (adaptive_ && !(outcome.error <= 1)) {
      ++statistics_->rejected;
      const double factor = std::clamp(0.9 * std::pow(outcome.error, -1.0 / stepper_->error_order()), 0.1, 0.9);
      steps_before_growth_ = 1;
      step_ = h * factor;
      if (shrink(h, 1)) continue;
      const std::string singular = describe_singularity();
      fail(fmt::format("the error cannot be kept below the tolerance at t = {:g} s (step {:g} s){}{}", now_.t, h,
                       singular.empty() ? "" : "; ", singular));
      return false;
    }
    if (adaptive_) adapt(h, outcome.error);
    if (const double suggested = stepper_->suggested_step(); suggested > 0) step_ = suggested;
    if (steps_before_growth_ == 0) cap_ *= 2;
    steps_before_growth_ = std::max(0, steps_before_growth_ - 1);
    if (h == stop - now_.t) next_.t = stop;
    evaluator_->indicators(next_, g_next_);
    return redundancy_.always.empty() || constraints_agree();
  }
}

std::string Simulation::reason(const NewtonReport& report) {
  const system::System& s = evaluator_->system();
  const bool is_constraint = report.worst_row >= s.nv() && report.worst_row < s.nv() + s.nl();
  if (const std::string singular = describe_singularity(); !singular.empty()) return report.text(s) + "; " + singular;
  if (redundancy_.always.empty() || !is_constraint) return report.text(s);
  return report.text(s) + "; " + redundant_names();
}

/// Whether more constraints follow from the others at the end of the last step than at the start, and what to do.
std::string Simulation::describe_singularity() {
  constexpr double nearly = 1e-4;
  const std::vector<int> dependent = find_dependent_rows(projection_, now_, nearly);
  if (dependent.size() <= redundancy_.always.size()) return "";
  return fmt::format(
      "the mechanism is next to a singular position, where {} constraints follow from others, {} more than at the "
      "start; use relative coordinates, a larger tolerance, or a start that does not lead there",
      dependent.size(), dependent.size() - redundancy_.always.size());
}

/// Constraints that follow from the others at the start may contradict them later: two drives of one motion.
bool Simulation::constraints_agree() {
  const auto violation = projection_.find_violation(next_);
  if (violation.good) return true;
  const system::System& s = evaluator_->system();
  fail(fmt::format("constraints contradict each other at t = {:g} s: {} is violated by {:.3g}; {}", next_.t,
                   s.row_name(s.nv() + violation.constraint), violation.violation, redundant_names()));
  return false;
}

/// What to do about redundant constraints that do not fit any more.
std::string Simulation::redundant_names() const {
  std::vector<std::string> names;
  const system::System& s = evaluator_->system();
  for (int k : redundancy_.always) names.push_back(s.row_name(s.nv() + k));
  return fmt::format("redundant at the start: {}; remove one of the drives or joints that hold the same motion",
                     fmt::join(names, ", "));
}

/// Makes the steps that follow smaller. False where they would be too small.
bool Simulation::shrink(double h, double factor) {
  if (factor < 1) cap_ = factor * h;
  return std::min(step_, cap_) >= min_step_ && now_.t + std::min(step_, cap_) > now_.t;
}

void Simulation::adapt(double h, double error) {
  const double largest = steps_before_growth_ > 0 ? 1 : 4;
  double factor = std::clamp(0.9 * std::pow(std::max(error, 1e-10), -1.0 / stepper_->error_order()), 0.2, largest);
  // a step that stays the same saves a factorisation
  if (factor > 1 && factor < 1.2) factor = 1;
  // a step that was cut short says little about the next one
  step_ = h < 0.5 * step_ && factor >= 1 ? std::max(step_, factor * h) : factor * h;
}

bool Simulation::report_progress() {
  if (!hooks_->progress) return true;
  const double span = options_.t_end - options_.t_start;
  const Progress progress{now_.t, span > 0 ? (now_.t - options_.t_start) / span : 1, statistics_};
  if (hooks_->progress(progress)) return true;
  result_->status = Status::stopped;
  result_->text = fmt::format("stopped at t = {:g} s", now_.t);
  return false;
}

void Simulation::fail(const std::string& text) {
  result_->status = Status::failed;
  result_->text = text;
}

// ---- rows

bool Simulation::is_on_grid(double t) const {
  return options_.output_step > 0 &&
         t >= options_.t_start + rows_on_grid_ * options_.output_step - same_node * options_.output_step;
}

void Simulation::record(const system::Point& p) {
  recorder_.record(p);
  if (hooks_->observer) hooks_->observer->row(p);
}

void Simulation::record_node() {
  if (is_on_grid(now_.t)) ++rows_on_grid_;
  record(now_);
}

/// Between nodes a polynomial of lower order than the method stands for the motion; what the constraints say of it is
/// exact again afterwards. A row that cannot be projected stays as it is.
void Simulation::project_row() {
  trial_ = at_;
  if (projection_.project_position(trial_).good && projection_.project_velocity(trial_).good)
    at_.q = trial_.q, at_.v = trial_.v;
}

/// Without states no error keeps the steps short, and the equations alone tell what is between their ends.
bool Simulation::interpolates_all() const {
  const system::System& s = evaluator_->system();
  return stepper_->interpolates_all() && s.nx() + s.nv() > 0;
}

/// at_ = the variables at a part s of the step just made; those that are wanted, where the method gives all of them.
void Simulation::interpolate(double s) {
  const bool all = interpolates_all();
  if (all)
    at_.d = now_.d;
  else
    at_ = now_;
  stepper_->interpolate(now_, next_, s, at_);
  at_.t = now_.t + s * (next_.t - now_.t);
  if (projects_rows_) project_row();
  if (all) return;
  const auto blend = [s](std::vector<double>& to, const std::vector<double>& end) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += s * (end[i] - to[i]);
  };
  blend(at_.a, next_.a), blend(at_.lambda, next_.lambda), blend(at_.xd, next_.xd), blend(at_.y, next_.y);
  trial_ = at_;
  if (restart(events_.newton(), trial_).converged) at_ = trial_;
}

/// Rows of output times between the nodes of the step just made.
void Simulation::record_inside() {
  if (options_.output_step == 0) return;
  const double h = next_.t - now_.t;
  for (;; ++rows_on_grid_) {
    const double t = options_.t_start + rows_on_grid_ * options_.output_step;
    if (t >= next_.t - same_node * options_.output_step) return;
    interpolate((t - now_.t) / h);
    at_.t = t;
    record(at_);
  }
}

}  // namespace coenergy::solve
