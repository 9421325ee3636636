#include "coenergy/solve/simulation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "coenergy/base/error.hpp"
#include "coenergy/equations/data.hpp"
#include "coenergy/solve/generalized_alpha.hpp"
#include "coenergy/solve/initialize.hpp"
#include "coenergy/solve/massless.hpp"

namespace coenergy::solve {
namespace {

constexpr double same_node = 1e-9;  // of a step: two nodes closer than this are one
constexpr double leftover = 0.1;    // of a fixed step: what is shorter is added to the step beside it
constexpr double shrink_on_failure = 0.4;
constexpr int steps_without_growth = 3;  // after a failure of Newton's iteration
constexpr int max_events_without_progress = 100;
constexpr int several_switchings = 2;  // that were missed: no accident

}  // namespace

Simulation::Simulation(equations::Evaluator& evaluator, const Options& options, Hooks hooks)
    : evaluator_(&evaluator),
      options_((options.check(), options)),
      hooks_(std::move(hooks)),
      statistics_(&result_.statistics),
      events_(evaluator, options, result_.statistics),
      projection_(evaluator, result_.statistics),
      projects_rows_(options.project && evaluator.system().nl() > 0),
      recorder_(evaluator, options, hooks_.row, hooks_.keep_rows, result_),
      account_(evaluator),
      until_(options.t_end) {
  if (evaluator.system().delays() > 0 && options_.from)
    throw Error("a run cannot start from the saved state of another one: it does not hold the past that " +
                evaluator.system().data().delays[0].name + " reads; resume that run instead");
  if (evaluator.system().delays() > 0 && (options_.method == "ida" || options_.method == "cvode"))
    throw Error("method " + options_.method + " chooses steps without asking what is known of the past, which " +
                evaluator.system().data().delays[0].name + " reads; use radau or another one");
}

bool Simulation::step() {
  if (!prepare()) return false;
  return has_ended_ = !make_step(), !has_ended_;
}

bool Simulation::advance_to(double t) {
  if (!prepare()) return false;
  const double end = std::min(t, options_.t_end);
  while (now_.t < end) {
    until_ = end;
    const bool goes_on = make_step();
    until_ = options_.t_end;
    has_ended_ = !goes_on;
    if (!goes_on) return now_.t >= end;
  }
  return true;
}

/// Whether there is a point to go on from.
bool Simulation::prepare() {
  if (!has_started_) {
    has_started_ = true;
    has_ended_ = !start();
  }
  if (!has_ended_ && inputs_changed_) has_ended_ = !settle_inputs();
  return !has_ended_;
}

/// One step, cut short at the first event inside it; false where the run ends.
bool Simulation::make_step() {
  for (;;) {
    if (!advance(next_stop()) || !end_at_first_event()) return false;
    // a step that ends at an event keeps to the tolerance too: the full one may not have seen what is beside it
    if (!(adaptive_ && lands_on_crossing_ && event_error_ > 1)) break;
    if (!reject(next_.t - now_.t, event_error_)) return fail_by_error(next_.t - now_.t);
  }
  const bool is_event = lands_on_crossing_ || lands_on_time_event_ || next_.t >= clock_ - instant_;
  if (hooks_.observer)
    hooks_.observer->step(now_, next_, [this](double s) { return interpolate(s), solve_row(), at_; });
  if (!record_inside() || !record_pasts()) return false;
  note_unseen_switching();
  accept_step();
  std::swap(now_, next_);
  std::swap(g_now_, g_next_);
  ++statistics_->steps;
  account_.watch(now_);

  // rows at the new node, before and after what happens there
  const bool is_row = options_.output_step == 0 || is_on_grid(now_.t) || now_.t >= options_.t_end;
  if (!is_event) {
    if (is_row) record_node();
  } else {
    if (options_.record_events || options_.output_step == 0) record(now_, time_of_row(now_.t));
    account_.leave(now_);
    if (!pass_event()) return false;
    account_.enter(now_);
    if (options_.record_events || is_row) record_node();
  }
  const bool goes_on = report_progress();
  if (now_.t < options_.t_end) return goes_on;
  account_.leave(now_);
  if (const auto gap = account_.find_gap(options_, *statistics_)) result_.notes.push_back(*gap);
  result_.status = Status::done;
  result_.text = fmt::format("reached t = {:g} s", now_.t);
  return false;
}

const equations::Point& Simulation::now() {
  prepare();
  return now_;
}

std::vector<double> Simulation::signals() {
  prepare();
  std::vector<double> values(evaluator_->system().signals().size());
  evaluator_->signals(now_, values);
  return values;
}

double Simulation::signal(const std::string& name) {
  const int k = evaluator_->system().find_signal(name);
  if (k < 0) {
    std::vector<std::string> known;
    for (const auto& signal : evaluator_->system().signals()) known.push_back(signal.name);
    throw Error("there is no signal \"" + name + "\"" + did_you_mean(name, known));
  }
  return signals()[static_cast<std::size_t>(k)];
}

Result Simulation::take_result() {
  result_.end = now_;
  return std::move(result_);
}

// ---- steps

bool Simulation::start() {
  span_ = options_.t_end - options_.t_start;
  const double largest = std::max(std::abs(options_.t_start), std::abs(options_.t_end));
  min_step_ = options_.min_step > 0 ? options_.min_step : 1e-14 * largest;
  instant_ = 1e-12 * std::max(largest, span_);

  // consistent values
  begin_pasts();
  if (hooks_.observer && hooks_.observer->wants_traces()) events_.keep_traces();
  Start start = initialize(*evaluator_, options_, events_, *statistics_);
  result_.notes = start.notes;
  now_ = next_ = trial_ = at_ = start.point;
  if (!start.good) {
    fail(start.text);
    return false;
  }

  if (options_.start != "given") take_steady_pasts();

  // indicators, method, first row
  g_now_.resize(evaluator_->system().indicators());
  g_next_ = g_trial_ = g_now_;
  evaluator_->indicators(now_, g_now_);
  events_.find_sides(now_, sides_);
  clock_ = evaluator_->next_clock_time(now_.t);
  last_event_ = now_.t - span_;
  redundancy_ = start.redundancy;
  make_method();
  stepper_->begin(now_);
  adaptive_ = is_adaptive(options_);
  step_ = options_.step > 0 ? options_.step : first_step();
  note_unstable_method();
  account_.enter(now_);
  cap_ = std::numeric_limits<double>::infinity();
  if (hooks_.observer) hooks_.observer->begin(now_, events_.trace());
  record_node();
  if (now_.t < options_.t_end) return true;
  result_.text = fmt::format("reached t = {:g} s", now_.t);
  return false;
}

void Simulation::make_method() {
  stepper_ = make_stepper(*evaluator_, options_of_method(), *statistics_, redundancy_);
  // indicators may depend on anything
  if (shows_only_states() && evaluator_->system().indicators() == 0) stepper_->want(*recorder_.needs());
}

/// The upper limit of steps: as given, or a fiftieth of the run. While states rest no error limits a step, and what
/// comes and goes within one, a pulse of a force, would not be seen. Of fixed steps there is none. A run that is resumed
/// with another end keeps the limits of the run that was saved.
double Simulation::longest_step() const {
  constexpr double part = 1.0 / 50;
  if (options_.max_step > 0) return options_.max_step;
  return is_adaptive(options_) ? part * span_ : std::numeric_limits<double>::infinity();
}

/// The same for methods that choose their steps themselves.
Options Simulation::options_of_method() const {
  Options options = options_;
  if (is_adaptive(options)) options.max_step = longest_step();
  return options;
}

/// A hundredth of the time in which the solution would change by its own size.
double Simulation::first_step() const {
  const equations::System& s = evaluator_->system();
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
  double stop = std::min(clock_, until_);
  if (!adaptive_) {
    const double passed = std::floor((now_.t - options_.t_start) / step_ + same_node);
    double node = options_.t_start + (passed + 1) * step_;
    if (node - now_.t < leftover * step_) node += step_;
    if (node < stop - leftover * step_) stop = node;
  }
  return stop;
}

double Simulation::choose_step(double stop) {
  const double remaining = stop - now_.t;
  double h = std::min(step_, cap_);
  h = std::min(h, longest_step());
  const double reach = adaptive_ ? h : (1 + 2.5 * leftover) * h;
  if (reach >= remaining * (1 - same_node))
    h = remaining;
  else if (h > remaining / 2)
    h = remaining / 2;
  return limit_to_time_event(limit_to_pasts(h));
}

/// One accepted step from now_ to next_; repeats with smaller steps as long as needed.
bool Simulation::advance(double stop) {
  constexpr int most_cuts = 2, most_halvings = 12;
  constexpr double blind = 1e-3;  // errors of a step that say nothing of what goes on
  int cuts = 0, halvings = 0;
  double limit = std::numeric_limits<double>::infinity();  // of the step, where an event inside it was seen
  for (;;) {
    double h = choose_step(stop);
    if (limit < h) h = limit, lands_on_time_event_ = false;
    const StepOutcome outcome = try_step(h, next_);
    if (outcome.longest > 0) {
      limit = step_ = outcome.longest;
      continue;
    }
    if (!outcome.good) {
      ++statistics_->newton_failures;
      steps_before_growth_ = steps_without_growth;
      const double part = outcome.newton_limit;
      if (shrink(h, part > 0 ? std::clamp(part, 0.1, 0.5) : shrink_on_failure)) continue;
      fail(fmt::format("Newton did not converge at t = {:g} s (step {:g} s); {}", now_.t, h,
                       reason(outcome.newton, now_.t + h)));
      return false;
    }
    if (const int ahead = find_reading_ahead(); ahead >= 0) {
      ++statistics_->rejected;
      if (shrink(h, shrink_on_failure)) continue;
      fail(fmt::format("the delay of {} leaves no step at t = {:g} s: it has become too short",
                       evaluator_->system().data().delays[ahead].name, now_.t));
      return false;
    }
    if (adaptive_ && !(outcome.error <= 1)) {
      if (reject(h, outcome.error)) continue;
      return leap() || fail_by_error(h);
    }
    if (adaptive_ && !is_short_) adapt(h, outcome);
    if (const double suggested = stepper_->suggested_step(); suggested > 0 && !is_short_) step_ = suggested;
    if (steps_before_growth_ == 0) cap_ *= 2;
    steps_before_growth_ = std::max(0, steps_before_growth_ - 1);
    if (h == stop - now_.t) next_.t = stop;
    evaluator_->indicators(next_, g_next_);
    // where it vanishes in shorter steps it was round-off
    if (const double inside = cuts < most_cuts ? find_inner_event() : limit; inside < limit) {
      limit = inside;
      ++cuts;
      continue;
    }
    // where states rest their errors do not limit the step, although forces that hold them may come and go
    // (parts of the run that can be seen: below, what decides may be round-off about nothing)
    const double finest = 1e-4 * span_;
    if (adaptive_ && outcome.error <= blind && halvings < most_halvings && h > finest && !are_indicators_resolved()) {
      limit = step_ = h / 2;
      ++halvings;
      continue;
    }
    return redundancy_.always.empty() || constraints_agree();
  }
}

/// Makes the next attempt smaller; false where it would be too small.
bool Simulation::reject(double h, double error) {
  ++statistics_->rejected;
  steps_before_growth_ = 1;
  step_ = h * std::clamp(0.9 * std::pow(error, -1.0 / stepper_->error_order()), 0.1, 0.9);
  return shrink(h, 1);
}

/// Passes over a change that is faster than time can be told apart, as that of a current where iron saturates until no
/// inductance is left: by one step of implicit Euler, which goes to where the equations hold behind the change. What
/// grows without limit has no such place, and what goes on changing is no jump: then there is no leap.
bool Simulation::leap() {
  constexpr int most_leaps = 3;  // where one begins behind the other
  constexpr double apart = 1e4;  // shortest steps between two that are not
  const double h = 10 * min_step_;
  if (now_.t > last_leap_ + apart * min_step_) leaps_ = 0;
  if (++leaps_ > most_leaps || now_.t + h > std::min({clock_, until_})) return false;
  const double step = std::exchange(step_, 0.01 * span_);
  const StepOutcome outcome = try_step(h, next_);
  if (!outcome.newton.converged || !is_short_) return step_ = step, false;
  step_ = h, cap_ = std::numeric_limits<double>::infinity();
  last_leap_ = next_.t;
  evaluator_->indicators(next_, g_next_);
  return true;
}

bool Simulation::fail_by_error(double h) {
  const std::string singular = describe_singularity(), fastest = name_fastest();
  fail(fmt::format("the error cannot be kept below the tolerance at t = {:g} s (step {:g} s){}{}{}{}", now_.t, h,
                   fastest.empty() ? "" : "; what changes fastest there is ", fastest, singular.empty() ? "" : "; ",
                   singular));
  return false;
}

/// The coordinate or state whose velocity or value changes most, compared with its size or nominal value; "" where all
/// rest.
std::string Simulation::name_fastest() const {
  const equations::System& s = evaluator_->system();
  int fastest = -1;
  double largest = 0;
  const auto look_at = [&](int unknown, double rate, double value) {
    const double relative = std::abs(rate) / std::max(std::abs(value), s.unknown(unknown).nominal);
    if (relative > largest) largest = relative, fastest = unknown;
  };
  for (int i = 0; i < s.nv(); ++i) look_at(i, now_.a[i], now_.v[i]);
  for (int i = 0; i < s.nx(); ++i) look_at(s.nv() + s.nl() + i, now_.xd[i], now_.x[i]);
  return fastest < 0 ? "" : s.unknown(fastest).name;
}

/// Signals without a finite value at p: "; U1.v, R1.i have no finite value".
std::string Simulation::name_bad_signals(const equations::Point& p) {
  constexpr std::size_t most = 3;
  std::vector<double> values(evaluator_->system().signals().size());
  evaluator_->signals(p, values);
  std::vector<std::string> names;
  for (std::size_t k = 0; k < values.size() && names.size() < most; ++k)
    if (!std::isfinite(values[k])) names.push_back(evaluator_->system().signals()[k].name);
  return names.empty()
             ? ""
             : fmt::format("; {} {} no finite value", fmt::join(names, ", "), names.size() == 1 ? "has" : "have");
}

/// Why no solution was found at the time t.
std::string Simulation::reason(const NewtonReport& report, double t) {
  const equations::System& s = evaluator_->system();
  if (!std::isfinite(report.residual)) {
    trial_ = now_;
    trial_.t = t;
    return report.text(s) + name_bad_signals(trial_);
  }
  const bool is_constraint = report.worst_row >= s.nv() && report.worst_row < s.nv() + s.nl();
  if (const std::string singular = describe_singularity(); !singular.empty()) return report.text(s) + "; " + singular;
  if (redundancy_.always.empty() || !is_constraint) return report.text(s);
  return report.text(s) + "; " + redundant_names();
}

/// Whether more constraints follow from the others at the end of the last step than at the start, and what to do.
std::string Simulation::describe_singularity() {
  constexpr double nearly = 1e-4;
  if (const std::string massless = find_massless_motion(*evaluator_, now_); !massless.empty())
    return "nothing with mass moves when these do together: " + massless +
           "; give their bodies moments of inertia, or lock one of them";
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
  const equations::System& s = evaluator_->system();
  fail(fmt::format("constraints contradict each other at t = {:g} s: {} is violated by {:.3g}; {}", next_.t,
                   s.row_name(s.nv() + violation.constraint), violation.violation, redundant_names()));
  return false;
}

/// What to do about redundant constraints that do not fit any more.
std::string Simulation::redundant_names() const {
  std::vector<std::string> names;
  const equations::System& s = evaluator_->system();
  for (int k : redundancy_.always) names.push_back(s.row_name(s.nv() + k));
  return fmt::format("redundant at the start: {}; remove one of the drives or joints that hold the same motion",
                     fmt::join(names, ", "));
}

/// Makes the steps that follow smaller. False where they would be too small.
bool Simulation::shrink(double h, double factor) {
  if (factor < 1) cap_ = factor * h;
  return std::min(step_, cap_) >= min_step_ && now_.t + std::min(step_, cap_) > now_.t;
}

void Simulation::adapt(double h, const StepOutcome& outcome) {
  double largest = steps_before_growth_ > 0 ? 1 : 4;
  if (outcome.newton_limit > 0) largest = std::clamp(outcome.newton_limit, 0.5, largest);
  const double error = std::max(outcome.error, 1e-10);
  double factor = std::clamp(0.9 * std::pow(error, -1.0 / stepper_->error_order()), 0.2, largest);
  // a step that stays the same saves a factorisation
  if (factor > 1 && factor < 1.2) factor = 1;
  // a step that was cut short says little about the next one
  step_ = h < 0.5 * step_ && factor >= 1 ? std::max(step_, factor * h) : factor * h;
}

/// Parameters out of range; without numerical damping the constraints of generalised-α are only weakly stable: errors of λ do not decay.
void Simulation::note_unstable_method() {
  if (adaptive_ || !is_alpha_method(options_.method)) return;
  for (const std::string& warning : AlphaParameters::from_options(options_).warnings())
    result_.notes.push_back(warning);
  if (evaluator_->system().nl() == 0) return;
  if (AlphaParameters::from_options(options_).rho_mechanical() < 1) return;
  result_.notes.push_back(fmt::format(
      "method {} has no numerical damping and is unstable where there are constraints, as here: errors of reactions "
      "and accelerations grow; use {} or radau",
      options_.method,
      options_.method == "generalized-alpha" ? "a rho_inf below 1 (0.8)" : "generalized-alpha with rho_inf: 0.8"));
}

bool Simulation::report_progress() {
  if (!hooks_.progress) return true;
  const double span = options_.t_end - options_.t_start;
  const Progress progress{now_.t, span > 0 ? (now_.t - options_.t_start) / span : 1, statistics_};
  if (hooks_.progress(progress)) return true;
  result_.status = Status::stopped;
  result_.text = fmt::format("stopped at t = {:g} s", now_.t);
  return false;
}

void Simulation::fail(const std::string& text) {
  result_.status = Status::failed;
  result_.text = text;
  const std::string near = events_.name_near_bounds(now_);
  if (text.find(near) == std::string::npos) result_.text += "; " + near;
}

// ---- rows

/// The next output time.
double Simulation::row_time() const { return options_.t_start + rows_on_grid_ * options_.output_step; }

/// Whether t is the next output time but for round-off.
bool Simulation::is_on_grid(double t) const {
  const double same = std::min(instant_, 1e-3 * options_.output_step);
  return options_.output_step > 0 && t >= row_time() - same;
}

double Simulation::time_of_row(double t) const { return is_on_grid(t) ? row_time() : t; }

void Simulation::record(const equations::Point& p, double t) {
  recorder_.record(p, t);
  ++rows_;
  if (hooks_.observer) hooks_.observer->row(p);
}

void Simulation::record_node() {
  const double t = time_of_row(now_.t);
  if (is_on_grid(now_.t)) ++rows_on_grid_;
  record(now_, t);
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
  const equations::System& s = evaluator_->system();
  return stepper_->interpolates_all() && s.nx() + s.nv() > 0;
}

/// Whether rows need no more than the polynomials of states.
bool Simulation::shows_only_states() const {
  const auto* needs = recorder_.needs();
  return needs != nullptr && hooks_.observer == nullptr && interpolates_all() && !needs->motion &&
         needs->lambda.empty() && needs->xd.empty() && needs->y.empty();
}

/// at_ = the variables at a part s of the step just made, as the method continues them.
void Simulation::interpolate(double s) {
  at_ = now_;
  is_short_ ? stepper_->Stepper::interpolate(now_, next_, s, at_) : stepper_->interpolate(now_, next_, s, at_);
  at_.t = now_.t + s * (next_.t - now_.t);
  if (interpolates_all() && !is_short_) return;
  blend_solved(s);
}

/// What is solved for, between its values at both ends of the step.
void Simulation::blend_solved(double s) {
  const auto blend = [s](std::vector<double>& to, const std::vector<double>& end) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += s * (end[i] - to[i]);
  };
  blend(at_.a, next_.a), blend(at_.lambda, next_.lambda), blend(at_.xd, next_.xd), blend(at_.y, next_.y);
}

/// Solves the equations at at_: with the factors of the step where it has them, else for accelerations, rates and
/// algebraic variables alone, from there or from either end.
NewtonReport Simulation::solve_row() {
  if (projects_rows_) project_row();
  trial_ = at_;
  if (!is_short_ && stepper_->solve_between(trial_)) {
    std::swap(at_, trial_);
    // it moves positions and velocities a little, and only these go back: forces of what is stiff stay as solved for
    if (projects_rows_) project_row();
    return {.converged = true};
  }
  NewtonReport report;
  for (const equations::Point* guess : {&at_, &now_, &next_}) {
    trial_ = at_;
    trial_.a = guess->a, trial_.lambda = guess->lambda, trial_.xd = guess->xd, trial_.y = guess->y;
    const NewtonReport attempt = restart(events_.newton(), trial_);
    if (guess == &at_ || attempt.converged) report = attempt;
    if (attempt.converged) break;
  }
  if (report.converged) std::swap(at_, trial_);
  return report;
}

/// Rows of output times between the nodes of the step just made; false where the equations have no solution there.
bool Simulation::record_inside() {
  if (options_.output_step == 0) return true;
  const double h = next_.t - now_.t;
  const double same = std::min(instant_, 1e-3 * options_.output_step);
  const bool solves = !shows_only_states();
  for (; row_time() < next_.t - same; ++rows_on_grid_) {
    const double t = row_time();
    interpolate((t - now_.t) / h);
    at_.t = t;
    if (solves)
      if (const NewtonReport report = solve_row(); !report.converged) {
        fail(fmt::format("the equations have no solution at t = {:g} s, an output time; {}", t, reason(report, t)));
        return false;
      }
    record(at_, t);
  }
  return true;
}

}  // namespace coenergy::solve
