#include <algorithm>
#include <cmath>
#include <limits>

#include "coenergy/solve/simulation.hpp"

// Indicators that change sides within a step and are back at its end: what the end does not show.

namespace coenergy::solve {
namespace {

constexpr double golden = 0.3819660112501051;
constexpr double none = std::numeric_limits<double>::infinity();

}  // namespace

// ---- indicators of time alone: any number of instants can be looked at before the step

/// A part of a step h after which an indicator of time alone is on its other side, though it is back at the end: a pulse
/// that is shorter than the step. Indicators that are straight have none; of the others some values are looked at, and
/// where one comes nearer to zero than beside it, how near. h where there is none. g_trial_ are the indicators at h.
double Simulation::find_pulse(double h) {
  constexpr std::size_t parts = 8;
  constexpr double straight = 1e-12;
  nodes_.clear();
  // not evenly: no wave shall look as if it stood still
  for (std::size_t i = 0; i <= parts; ++i) {
    const double uneven = i % parts == 0 ? 0 : 0.7 * (double(i) * golden - std::floor(double(i) * golden) - 0.5);
    add_node(h * (double(i) + uneven) / parts, i == 0 ? g_now_ : g_trial_);
  }
  find_time_indicators(golden * h);
  bool any = false;
  for (std::size_t k = 0; k < g_trial_.size(); ++k) {
    if (!evaluator_->is_time_indicator(int(k))) continue;
    const double from = samples_[0][k], to = samples_[parts][k];
    any = any || std::abs(g_trial_[k] - from - golden * (to - from)) > straight * (std::abs(from) + std::abs(to));
  }
  if (!any) return h;
  for (std::size_t i = 1; i < parts; ++i) {
    find_time_indicators(nodes_[i]);
    samples_[i] = g_trial_;
  }
  for (std::size_t k = 0; k < g_trial_.size(); ++k) {
    if (!evaluator_->is_time_indicator(int(k))) continue;
    std::size_t changes = 0, first = 0;
    for (std::size_t i = 1; i <= parts; ++i) {
      const bool is_other = (samples_[i][k] > 0) != bool(sides_[k]);
      changes += (samples_[i][k] > 0) != (samples_[i - 1][k] > 0);
      if (is_other && first == 0) first = i;
    }
    // more than one pulse is a wave: one that is faster than the steps is noted
    if (first > 0 && changes <= 2) return nodes_[first];
    for (std::size_t i = 0; i <= parts && first == 0; ++i)
      if (const double s = find_low_point(k, i); s < h) return s;
  }
  return h;
}

void Simulation::find_time_indicators(double s) {
  trial_.t = now_.t + s;
  evaluator_->indicators(trial_, g_trial_);
}

/// Where indicator k of time alone is on its other side next to node i, if it is nearest to zero there; else no end. By
/// golden sections, until it cannot fall as far as it is away from zero.
double Simulation::find_low_point(std::size_t k, std::size_t i) {
  constexpr int most = 60;  // a bracket of 1e-12 of the step
  const std::size_t before = i > 0 ? i - 1 : 0, after = std::min(i + 1, nodes_.size() - 1);
  double d_left = distance(samples_[before], k), d_right = distance(samples_[after], k);
  double d = distance(samples_[i], k);
  if (d > std::min(d_left, d_right) || (d == d_left && d == d_right)) return none;
  double left = nodes_[before], right = nodes_[after], middle = nodes_[i];
  if (before == i || i == after) {
    // at an end of the step only where it falls inwards
    const double inwards = 1e-4 * (right - left);
    middle = before == i ? left + inwards : right - inwards;
    find_time_indicators(middle);
    if (distance(g_trial_, k) >= d) return none;
    d = distance(g_trial_, k);
  }
  for (int pass = 0; pass < most && d > 0 && (d_left - d) + (d_right - d) > d; ++pass) {
    const bool goes_right = right - middle > middle - left;
    const double s = goes_right ? middle + golden * (right - middle) : middle - golden * (middle - left);
    find_time_indicators(s);
    const double here = distance(g_trial_, k);
    if (here < d) {
      (goes_right ? left : right) = middle, (goes_right ? d_left : d_right) = d;
      middle = s, d = here;
    } else {
      (goes_right ? right : left) = s, (goes_right ? d_right : d_left) = here;
    }
  }
  find_time_indicators(middle);
  return has_event(g_trial_, true) ? middle : none;
}

// ---- the others: at points of the step just made

void Simulation::add_node(double s, const std::vector<double>& g) {
  if (samples_.size() <= nodes_.size()) samples_.resize(nodes_.size() + 1);
  samples_[nodes_.size()] = g;
  nodes_.push_back(s);
}

/// Whether indicator k is on its other side near a part s of the step just made, as the method continues it: s moves to
/// where it is. By parabolas through three points that draw together.
bool Simulation::is_crossed_near(std::size_t k, double& s) {
  constexpr int passes = 3;
  double width = 1.0 / 32;
  for (int pass = 0; pass < passes; ++pass, width /= 8) {
    double d[3];
    for (int i = 0; i < 3; ++i) {
      const double here = std::clamp(s + (i - 1) * width, 0.0, 1.0);
      interpolate(here);
      evaluator_->indicators(at_, g_trial_);
      d[i] = distance(g_trial_, k);
      if (d[i] <= 0) return s = here, true;
    }
    const double bend = d[0] - 2 * d[1] + d[2], shift = (d[0] - d[2]) / (2 * bend);
    if (!(bend > 0) || d[1] - bend * shift * shift / 2 > 0.5 * d[1]) return false;
    s += std::clamp(shift, -1.0, 1.0) * width;
  }
  return false;
}

/// The part of the step just made within which an indicator has changed sides that is back at its end; no end where
/// there is none, or where the end tells of an event anyway. Looked for at the points inside at which the equations were
/// solved, or on the way that the slopes at both ends tell (solved for there where indicators depend on what is), and
/// where polynomials through all these come near to zero.
double Simulation::find_inner_event() {
  nodes_.clear();
  bool any = false;
  for (std::size_t k = 0; k < g_next_.size(); ++k) any = any || !evaluator_->is_time_indicator(int(k));
  if (is_short_ || !any || has_event(g_next_, false)) return none;
  const double h = next_.t - now_.t;
  add_node(0, g_now_);
  const auto look_at = [&](const equations::Point& p) {
    evaluator_->indicators(p, g_trial_);
    if (const double s = (p.t - now_.t) / h; s > 0 && s < 1) add_node(s, g_trial_);
    return has_event(g_trial_, false);
  };
  for (int i = 0; i < stepper_->inner_points(); ++i)
    if (look_at(stepper_->inner_point(i))) return stepper_->inner_point(i).t - now_.t;
  const bool solves = adaptive_ && stepper_->inner_points() == 0 && have_indicators_unknowns();
  for (const double s : {1.0 / 3, 2.0 / 3}) {
    if (stepper_->inner_points() > 0) break;
    at_ = now_, at_.t = now_.t + s * h;
    stepper_->Stepper::interpolate(now_, next_, s, at_);
    blend_solved(s);
    trial_ = at_;
    if (solves && restart(events_.newton(), trial_).converged) std::swap(at_, trial_);
    if (look_at(at_)) return s * h;
  }
  add_node(1, g_next_);
  return find_dip() * h;
}

/// Whether indicators depend on what is solved for, as on the force of friction that sticks: where states rest, steps are
/// long, and such a force may come and go within one.
bool Simulation::have_indicators_unknowns() {
  const equations::System& s = evaluator_->system();
  trial_ = now_;
  int i = 0;
  for (std::vector<double>* part : {&trial_.a, &trial_.lambda, &trial_.xd, &trial_.y})
    for (double& value : *part) value += s.unknown(i++).nominal;
  evaluator_->indicators(trial_, g_trial_);
  for (std::size_t k = 0; k < g_trial_.size(); ++k)
    if (g_trial_[k] != g_now_[k] && !evaluator_->is_time_indicator(int(k))) return true;
  return false;
}

/// The polynomial through an indicator at all nodes but one, or all.
double Simulation::continue_indicator(std::size_t k, double s, std::size_t without) const {
  double sum = 0;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (i == without) continue;
    double weight = distance(samples_[i], k);
    for (std::size_t j = 0; j < nodes_.size(); ++j)
      if (j != i && j != without) weight *= (s - nodes_[j]) / (nodes_[i] - nodes_[j]);
    sum += weight;
  }
  return sum;
}

/// Whether the nodes inside the last step show how indicators go within it: one of them lies about where the others
/// tell, compared with the way to the other side.
bool Simulation::are_indicators_resolved() const {
  constexpr double part = 0.25, near = 0.05;
  if (nodes_.size() < 4) return true;
  const std::size_t last = nodes_.size() - 2;
  for (std::size_t k = 0; k < g_next_.size(); ++k) {
    if (evaluator_->is_time_indicator(int(k))) continue;
    double low = none, high = -none;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      low = std::min(low, distance(samples_[i], k));
      high = std::max(high, distance(samples_[i], k));
    }
    const double missed = std::abs(continue_indicator(k, nodes_[last], last) - distance(samples_[last], k));
    if (missed > part * std::max(low, near * (high - low))) return false;
  }
  return true;
}

/// Where an indicator dips to its other side between the nodes, as a part of the step; no end where none does.
double Simulation::find_dip() {
  constexpr int parts = 16;
  constexpr double near = 0.05;  // of its range within the step
  for (std::size_t k = 0; k < g_next_.size(); ++k) {
    if (evaluator_->is_time_indicator(int(k))) continue;
    double low = none, high = -none;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      low = std::min(low, distance(samples_[i], k));
      high = std::max(high, distance(samples_[i], k));
    }
    if (low > high - low) continue;  // too far away
    const auto polynomial = [&](double s) { return continue_indicator(k, s, nodes_.size()); };
    double before = polynomial(0), here = polynomial(1.0 / parts);
    for (int i = 1; i < parts; ++i) {
      const double after = polynomial((i + 1.0) / parts), bend = before - 2 * here + after;
      if (here <= before && here <= after && bend > 0) {
        // the vertex of the parabola through the three
        const double shift = (before - after) / (2 * bend), least = here - bend * shift * shift / 2;
        double s = (i + shift) / parts;
        if (least < near * (high - low) && is_crossed_near(k, s)) return s;
      }
      before = here, here = after;
    }
  }
  return none;
}

}  // namespace coenergy::solve
