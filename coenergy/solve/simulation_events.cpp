#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "coenergy/solve/simulation.hpp"

namespace coenergy::solve {

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
  if (!switches_within(h)) return h;
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

/// Shortens the step so that next_ is just after the first crossing of an indicator. The crossing is bracketed and
/// found by the Illinois method; every trial is a step of the method itself, so the state at the event has its full
/// accuracy.
bool Simulation::locate_event() {
  const double h = next_.t - now_.t;
  const double width = std::max(1e-12 * std::max(std::abs(now_.t), h), 4e-16 * std::abs(next_.t));
  double left = 0, right = h, weight_left = 1, weight_right = 1, tried = h;
  std::vector<double>& g_left = g_now_;  // moves up with the left end
  for (int k = 0; right - left > width && k < 100; ++k) {
    double s = guess_crossing(left, right, weight_left, weight_right);
    if (k > 60) s = left + (right - left) / 2;
    s = std::clamp(s, left + 0.5 * width, right - 0.5 * width);
    const StepOutcome outcome = stepper_->step(now_, s, trial_);
    if (!outcome.good) {
      fail(fmt::format("Newton did not converge at t = {:g} s (step {:g} s) while locating an event; {}", now_.t, s,
                       outcome.newton.text(evaluator_->system())));
      return false;
    }
    tried = s;
    evaluator_->indicators(trial_, g_trial_);
    if (has_event(g_trial_, false)) {
      weight_left = right < h && weight_right == 1 ? weight_left / 2 : 1;
      right = s, weight_right = 1;
      std::swap(next_, trial_);
      std::swap(g_next_, g_trial_);
      // just behind the crossing: by the secant, which is as good as exact this near, no more than the width remains
      if (right - guess_crossing(left, right, 1, 1) <= width) break;
    } else {
      weight_right = left > 0 && weight_left == 1 ? weight_right / 2 : 1;
      left = s, weight_left = 1;
      std::swap(g_left, g_trial_);
    }
  }
  // the method's memory must be that of the step that is kept
  if (tried != right && !stepper_->step(now_, right, next_).good) {
    fail(fmt::format("Newton did not converge at t = {:g} s (step {:g} s) while locating an event", now_.t, right));
    return false;
  }
  evaluator_->indicators(next_, g_next_);
  for (std::size_t k = 0; k < g_next_.size(); ++k)
    if ((g_next_[k] > 0) != bool(sides_[k])) crossed_ = int(k);
  return true;
}

/// Where the first crossing should be, by the secants of all indicators that changed sides.
double Simulation::guess_crossing(double left, double right, double weight_left, double weight_right) const {
  double first = right;
  for (std::size_t k = 0; k < g_next_.size(); ++k) {
    if (evaluator_->is_time_indicator(int(k)) || (g_next_[k] > 0) == bool(sides_[k])) continue;
    const double from = weight_left * g_now_[k], to = weight_right * g_next_[k];
    const double s = from == to ? 0.5 * (left + right) : left + (right - left) * from / (from - to);
    first = std::min(first, s);
  }
  return first;
}

/// Clocks, modes and the restart solve at now_.
bool Simulation::pass_event() {
  ++statistics_->events;
  if (is_chattering()) return false;
  if (hooks_->observer) trial_ = now_;
  const EventHandler::Outcome outcome =
      events_.pass(now_, [this](const system::Point& p) { return stepper_->continues(p); });
  if (!outcome.good) {
    fail(fmt::format("event at t = {:g} s: {}", now_.t, outcome.text));
    return false;
  }
  if (hooks_->observer) hooks_->observer->event(trial_, now_, crossed_indicators());
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
  fail(fmt::format("events follow each other without progress at t = {:g} s: {} switches back and forth", now_.t,
                   crossed_ >= 0 ? evaluator_->system().indicator_name(crossed_) : "a mode"));
  return true;
}

}  // namespace coenergy::solve
