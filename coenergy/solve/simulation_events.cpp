#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "coenergy/solve/simulation.hpp"

namespace coenergy::solve {
namespace {

constexpr const char* sliding_advice =
    "; where both of its sides lead back to the switching (a sliding mode), give it a hysteresis or put a steep smooth "
    "law in its place, such as tanh";

}  // namespace

/// Whether an indicator is on another side than at now_; those of time alone, or all others.
bool Simulation::has_event(const std::vector<double>& g, bool time_only) const {
  for (std::size_t k = 0; k < g.size(); ++k)
    if (evaluator_->is_time_indicator(int(k)) == time_only && (g[k] > 0) != bool(sides_[k])) return true;
  return false;
}

/// Cuts a step so that it ends just after the first known switching of time alone. Most such indicators are linear in
/// time: the secant is tried first, just beyond its zero and just before it, then halving.
double Simulation::limit_to_time_event(double h) {
  lands_on_time_event_ = false;
  if (g_now_.empty()) return h;
  trial_.d = now_.d;
  const auto switches_within = [&](double s) {
    trial_.t = now_.t + s;
    evaluator_->indicators(trial_, g_trial_);
    return has_event(g_trial_, true);
  };
  if (!switches_within(h)) {
    const double pulse = find_pulse(h);
    if (pulse >= h || !switches_within(pulse)) return h;
    h = pulse;
  }
  lands_on_time_event_ = true;
  double left = 0, right = h, zero = h;
  for (std::size_t k = 0; k < g_now_.size(); ++k)
    if (evaluator_->is_time_indicator(int(k)) && (g_trial_[k] > 0) != bool(sides_[k]) && g_trial_[k] != g_now_[k])
      zero = std::min(zero, h * g_now_[k] / (g_now_[k] - g_trial_[k]));
  for (int k = 0; right - left > instant_; ++k) {
    double middle = k == 0 ? zero + instant_ / 4 : zero - instant_ / 4;
    if (k > 1 || !(middle > left && middle < right)) middle = left + (right - left) / 2;
    if (middle <= left || middle >= right) break;
    (switches_within(middle) ? right : left) = middle;
  }
  return right;
}

/// Steps shorter than this are not the method's own (see try_step). Relative to the step that it would make: of a
/// method with a fixed step, which has the constraints at position level, round-off of the positions grows with 1/h².
double Simulation::short_step() const {
  constexpr double of_fixed = 1e-2, of_adaptive = 1e-6;
  const double usual = std::min({step_, cap_, longest_step()});
  return (adaptive_ ? of_adaptive : of_fixed) * usual;
}

/// A step of the method; or, where an event leaves next to nothing of it, one of implicit Euler with the constraints at
/// acceleration level,
///
///   v₁ = v₀ + h a₁,   q₁ = q₀ ∘ exp(h v₁),   x₁ = x₀ + h ẋ₁,
///
/// whose equations turn into those of a restart as h vanishes, so that round-off never becomes acceleration. Its error,
/// ½ h² times a second derivative, is far below that of a whole step.
StepOutcome Simulation::try_step(double h, equations::Point& to) {
  is_short_ = h < short_step();
  if (!is_short_) return stepper_->step(now_, h, to);
  Rule rule{.level = equations::Level::acceleration, .cq = h * h, .cv = h, .cx = h, .q0 = now_.q};
  rule.theta0 = rule.v0 = now_.v;
  for (double& theta : rule.theta0) theta *= h;
  rule.x0 = now_.x;
  to = now_;
  to.t = now_.t + h;
  StepOutcome outcome;
  outcome.newton = events_.newton().solve(rule, to);
  outcome.good = true;
  if (outcome.newton.converged) return outcome;
  // the event that follows solves anew for the rest
  to = now_;
  to.t = now_.t + h;
  for (std::size_t i = 0; i < to.v.size(); ++i) rule.theta0[i] += h * h / 2 * now_.a[i], to.v[i] += h * now_.a[i];
  evaluator_->retract(to.q, rule.theta0);
  for (std::size_t i = 0; i < to.x.size(); ++i) to.x[i] += h * now_.xd[i];
  return outcome;
}

/// What the method remembers follows the step, unless it was not its own.
void Simulation::accept_step() {
  if (!is_short_)
    stepper_->accept(now_, next_);
  else if (!lands_on_crossing_)
    stepper_->begin(next_);
}

/// Cuts the step just made short at the first crossing of an indicator, if there is one. False where the run ends.
bool Simulation::end_at_first_event() {
  lands_on_crossing_ = false;
  while (has_event(g_next_, false)) {
    if (locate_event()) {
      lands_on_crossing_ = true;
      return true;
    }
    // shorter steps from the same point, or a step that ends before the event
    if (result_.status == Status::failed) return false;
  }
  return true;
}

/// Shortens the step so that next_ is just after the first crossing of an indicator. The crossing is bracketed and
/// found by the Illinois method, by halving where that is slow; every trial is a step of the method itself, so the
/// state at the event has its full accuracy. False where a trial fails: then next_ is the end of a step without event,
/// or of a smaller one that may have one.
bool Simulation::locate_event() {
  const double h = next_.t - now_.t;
  const double width = std::max(1e-12 * std::max(std::abs(now_.t), h), 4e-16 * std::abs(next_.t));
  double left = 0, right = h, weight_left = 1, weight_right = 1, tried = h;
  double halved = h;  // the bracket two trials ago
  event_error_ = 0;
  g_left_ = g_now_;  // moves up with the left end
  for (int k = 0; right - left > width && k < 200; ++k) {
    double s = guess_crossing(left, right, weight_left, weight_right);
    if (k % 3 == 2) {
      if (right - left > halved / 2) s = left + (right - left) / 2;
      halved = right - left;
    }
    s = std::clamp(s, left + 0.5 * width, right - 0.5 * width);
    const StepOutcome outcome = try_step(s, trial_);
    if (!outcome.good) return cut_before_event(left, s);
    tried = s;
    evaluator_->indicators(trial_, g_trial_);
    if (has_event(g_trial_, false)) {
      weight_left = right < h && weight_right == 1 ? weight_left / 2 : 1;
      const bool is_straight = crosses_straight(left, s, right);
      right = s, weight_right = 1, event_error_ = outcome.error;
      std::swap(next_, trial_);
      std::swap(g_next_, g_trial_);
      // just behind the crossing: by the secant, which is as good as exact this near, no more than the width remains
      if (is_straight && right - guess_crossing(left, right, 1, 1) <= width) break;
    } else {
      weight_right = left > 0 && weight_left == 1 ? weight_right / 2 : 1;
      left = s, weight_left = 1;
      std::swap(g_left_, g_trial_);
    }
  }
  // the method's memory must be that of the step that is kept
  if (tried != right) {
    const StepOutcome outcome = try_step(right, next_);
    if (!outcome.good) return cut_before_event(left, right);
    event_error_ = outcome.error;
  }
  evaluator_->indicators(next_, g_next_);
  for (std::size_t k = 0; k < g_next_.size(); ++k)
    if ((g_next_[k] > 0) != bool(sides_[k])) crossed_ = int(k);
  return true;
}

/// A trial step in front of an event has failed: the step ends at `left`, where there is no event yet, and the next
/// ones are shorter; or the step is made anew, no longer than `failed`.
bool Simulation::cut_before_event(double left, double failed) {
  ++statistics_->newton_failures;
  steps_before_growth_ = 3;
  lands_on_time_event_ = false;
  if (left > short_step() && try_step(left, next_).good) {
    evaluator_->indicators(next_, g_next_);
    cap_ = 0.4 * (failed - left);
    return false;
  }
  shrink(failed, 0.4);
  advance(next_stop());
  return false;
}

/// Whether the indicators that cross between left (g_left_) and s (g_trial_) are about straight up to right (g_next_).
/// Where one is flat at its crossing, as (v − a)³ is, a small value does not mean a small distance.
bool Simulation::crosses_straight(double left, double s, double right) const {
  for (std::size_t k = 0; k < g_next_.size(); ++k) {
    if (evaluator_->is_time_indicator(int(k)) || (g_trial_[k] > 0) == bool(sides_[k])) continue;
    const double before = (g_trial_[k] - g_left_[k]) / (s - left), after = (g_next_[k] - g_trial_[k]) / (right - s);
    if (!(before / after > 0.5 && before / after < 2)) return false;
  }
  return true;
}

/// Where the first crossing should be, by the secants of all indicators that changed sides.
double Simulation::guess_crossing(double left, double right, double weight_left, double weight_right) const {
  double first = right;
  for (std::size_t k = 0; k < g_next_.size(); ++k) {
    if (evaluator_->is_time_indicator(int(k)) || (g_next_[k] > 0) == bool(sides_[k])) continue;
    const double from = weight_left * g_left_[k], to = weight_right * g_next_[k];
    const double s = from == to ? 0.5 * (left + right) : left + (right - left) * from / (from - to);
    first = std::min(first, s);
  }
  return first;
}

/// Clocks, modes and the restart solve at now_.
bool Simulation::pass_event() {
  ++statistics_->events;
  if (is_chattering()) return false;
  if (hooks_.observer) trial_ = now_;
  const int order = order_of_break();
  const EventHandler::Outcome outcome = events_.pass(
      now_, [this](const equations::Point& p) { return !is_short_ && stepper_->continues(p); },
      now_.t >= clock_ - instant_);
  if (!outcome.good) {
    fail(fmt::format("event at t = {:g} s: {}", now_.t, outcome.text));
    return false;
  }
  if (hooks_.observer) hooks_.observer->event(trial_, now_, crossed_indicators(), events_.trace());
  break_pasts(order);
  clock_ = evaluator_->next_clock_time(now_.t);
  evaluator_->indicators(now_, g_now_);
  events_.find_sides(now_, sides_);
  if (options_.restart && !outcome.smooth) stepper_->begin(now_);
  return true;
}

/// Those that are on another side at the end of the last step than at its start.
std::vector<int> Simulation::crossed_indicators() const {
  std::vector<int> crossed;
  for (std::size_t k = 0; k < g_now_.size(); ++k)
    if ((g_now_[k] > 0) != bool(sides_[k])) crossed.push_back(int(k));
  return crossed;
}

bool Simulation::is_chattering() {
  events_without_progress_ = now_.t - last_event_ > 100 * instant_ ? 0 : events_without_progress_ + 1;
  last_event_ = now_.t;
  if (events_without_progress_ < 100) return false;
  fail(fmt::format("events follow each other without progress at t = {:g} s: {} switches back and forth{}", now_.t,
                   crossed_ >= 0 ? evaluator_->system().indicator_name(crossed_) : "a mode", sliding_advice));
  return true;
}

/// Looks inside the step just made for switching of time alone that its end does not show: a square wave faster than the
/// steps is seen now on one side and now on the other, which means nothing.
void Simulation::note_unseen_switching() {
  constexpr double inside = 0.3819660112501051;  // of the step, no fraction that a wave is likely to have
  constexpr int enough = 3;                      // one or two may be short pulses
  if (g_now_.empty() || is_short_) return;
  trial_.d = now_.d;
  trial_.t = now_.t + inside * (next_.t - now_.t);
  evaluator_->indicators(trial_, g_trial_);
  unseen_.resize(g_trial_.size());
  for (std::size_t k = 0; k < g_trial_.size(); ++k) {
    if (!evaluator_->is_time_indicator(int(k)) || (g_trial_[k] > 0) == bool(sides_[k]) || ++unseen_[k] != enough)
      continue;
    result_.notes.push_back(
        fmt::format("{} switches more often than the steps can see (first noticed up to t = {:g} s): what depends on "
                    "it is a matter "
                    "of chance; limit the steps by max_step, or give its mean value instead",
                    evaluator_->system().indicator_name(int(k)), next_.t));
  }
}

}  // namespace coenergy::solve
