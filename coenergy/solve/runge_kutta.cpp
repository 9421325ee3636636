#include "coenergy/solve/runge_kutta.hpp"

#include <algorithm>
#include <cmath>

namespace coenergy::solve {

const Tableau& Tableau::euler() {
  static const Tableau t{.stages = 1, .c = {0}, .a = {}, .b = {1}, .b_error = {}};
  return t;
}

const Tableau& Tableau::rk4() {
  static const Tableau t{.stages = 4,
                         .c = {0, 0.5, 0.5, 1},
                         .a = {0.5, 0, 0.5, 0, 0, 1},
                         .b = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6},
                         .b_error = {}};
  return t;
}

const Tableau& Tableau::dormand_prince() {
  static const Tableau t{
      .stages = 7,
      .c = {0, 0.2, 0.3, 0.8, 8.0 / 9, 1, 1},
      .a = {1.0 / 5,                    //
            3.0 / 40,        9.0 / 40,  //
            44.0 / 45,       -56.0 / 15,
            32.0 / 9,  //
            19372.0 / 6561,  -25360.0 / 2187,
            64448.0 / 6561,  -212.0 / 729,  //
            9017.0 / 3168,   -355.0 / 33,
            46732.0 / 5247,  49.0 / 176,
            -5103.0 / 18656,  //
            35.0 / 384,      0,
            500.0 / 1113,    125.0 / 192,
            -2187.0 / 6784,  11.0 / 84},
      .b = {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84, 0},
      .b_error = {71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40},
      .last_is_next = true,
      .error_order = 5};
  return t;
}

RungeKutta::RungeKutta(system::Evaluator& evaluator, const Options& options, Statistics& statistics,
                       const Tableau& tableau)
    : Stepper(evaluator),
      tableau_(&tableau),
      form_(evaluator, options, statistics),
      norm_(evaluator.system(), options),
      estimates_error_(is_adaptive(options)),
      slopes_(tableau.stages) {
  const system::System& s = evaluator.system();
  for (Slope& slope : slopes_) slope.theta.resize(s.nv()), slope.v.resize(s.nv()), slope.x.resize(s.nx());
  theta_.resize(s.nv());
}

StepOutcome RungeKutta::step(const system::Point& from, double h, system::Point& to) {
  // stages; the first is the derivative that the last step ended with
  const Tableau& t = *tableau_;
  const int computed = t.last_is_next ? t.stages - 1 : t.stages;
  std::fill(theta_.begin(), theta_.end(), 0.0);
  set_slope(slopes_[0], from);
  stage_ = from;
  StepOutcome outcome;
  const double* a = t.a.data();
  for (int i = 1; i < computed; a += i, ++i) {
    combine(from, h, a, i, stage_);
    stage_.t = from.t + t.c[i] * h;
    if (!form_.close(from.q, theta_, stage_, outcome.newton)) return outcome;
    outcome.newton = form_.complete(stage_);
    if (!outcome.newton.converged) return outcome;
    set_slope(slopes_[i], stage_);
  }

  // end of the step
  to = stage_;
  combine(from, h, t.b.data(), computed, to);
  to.t = from.t + h;
  if (!form_.close(from.q, theta_, to, outcome.newton)) return outcome;
  outcome.newton = form_.finish(to);
  outcome.good = outcome.newton.converged;
  if (t.last_is_next && outcome.good) {
    set_slope(slopes_.back(), to);
    if (estimates_error_) outcome.error = estimate_error(from, to, h);
  }
  return outcome;
}

void RungeKutta::set_slope(Slope& slope, const system::Point& p) {
  tangent_.rate(theta_, p.v, slope.theta);
  slope.v = p.a, slope.x = p.xd;
}

void RungeKutta::combine(const system::Point& from, double h, const double* weights, int count, system::Point& p) {
  std::fill(theta_.begin(), theta_.end(), 0.0);
  p.v = from.v, p.x = from.x, p.q = from.q;
  for (int j = 0; j < count; ++j) {
    const double w = h * weights[j];
    if (w == 0) continue;
    const Slope& slope = slopes_[j];
    for (std::size_t i = 0; i < theta_.size(); ++i) theta_[i] += w * slope.theta[i], p.v[i] += w * slope.v[i];
    for (std::size_t i = 0; i < p.x.size(); ++i) p.x[i] += w * slope.x[i];
  }
  evaluator_->retract(p.q, theta_);
}

double RungeKutta::estimate_error(const system::Point& from, const system::Point& to, double h) {
  const auto weighted = [&](std::vector<double> Slope::*part, std::size_t i) {
    double sum = 0;
    for (int j = 0; j < tableau_->stages; ++j) sum += tableau_->b_error[j] * (slopes_[j].*part)[i];
    return h * sum;
  };
  norm_.clear();
  for (std::size_t i = 0; i < from.v.size(); ++i) {
    const int k = int(i);
    if (!form_.is_independent(k)) continue;
    norm_.add_position(k, weighted(&Slope::theta, i), std::max(tangent_.size(from.q, k), tangent_.size(to.q, k)));
    norm_.add_velocity(k, weighted(&Slope::v, i), std::max(std::abs(from.v[i]), std::abs(to.v[i])));
  }
  for (std::size_t i = 0; i < from.x.size(); ++i)
    norm_.add_state(int(i), weighted(&Slope::x, i), std::max(std::abs(from.x[i]), std::abs(to.x[i])));
  return norm_.value();
}

namespace {

/// Closes the loops at an interpolated point; one that cannot be closed stays as it was interpolated.
void close_between(ExplicitForm& form, const Tangent& tangent, const system::Point& from, const system::Point& to,
                   double s, std::vector<double>& theta, system::Point& at) {
  const std::vector<double> q = at.q, v = at.v;
  tangent.difference(from.q, at.q, theta);
  at.t = from.t + s * (to.t - from.t);
  NewtonReport report;
  if (!form.close(from.q, theta, at, report)) at.q = q, at.v = v;
}

}  // namespace

/// Dormand–Prince: the continuous extension of order 4 (Hairer, Nørsett & Wanner, Solving ODEs I, II.6).
void RungeKutta::interpolate(const system::Point& from, const system::Point& to, double s, system::Point& at) {
  if (!tableau_->last_is_next) {
    Stepper::interpolate(from, to, s, at);
    close_between(form_, tangent_, from, to, s, theta_, at);
    return;
  }
  const double h = to.t - from.t, r = 1 - s;
  const double u = s * s * (3 - 2 * s), w = s * s * r * r;
  const std::vector<double>& b = tableau_->b;
  const double weights[] = {u * b[0] + s * r * r - w * 5 * (2558722523 - 31403016 * s) / 11282082432,
                            0,
                            u * b[2] + w * 100 * (882725551 - 15701508 * s) / 32700410799,
                            u * b[3] - w * 25 * (443332067 - 31403016 * s) / 1880347072,
                            u * b[4] + w * 32805 * (23143187 - 3489224 * s) / 199316789632,
                            u * b[5] - w * 55 * (29972135 - 7076736 * s) / 822651844,
                            -s * s * r + w * 10 * (7414447 - 829305 * s) / 29380423};
  combine(from, h, weights, 7, at);
  close_between(form_, tangent_, from, to, s, theta_, at);
}

AdamsBashforth2::AdamsBashforth2(system::Evaluator& evaluator, const Options& options, Statistics& statistics)
    : Stepper(evaluator), form_(evaluator, options, statistics), theta_(evaluator.system().nv()) {}

void AdamsBashforth2::begin(const system::Point& p) {
  last_step_ = 0;
  form_.begin(p);
}

void AdamsBashforth2::interpolate(const system::Point& from, const system::Point& to, double s, system::Point& at) {
  Stepper::interpolate(from, to, s, at);
  close_between(form_, tangent_, from, to, s, theta_, at);
}

StepOutcome AdamsBashforth2::step(const system::Point& from, double h, system::Point& to) {
  const double k = last_step_ > 0 ? h / (2 * last_step_) : 0;
  const auto extrapolated = [k](double now, double before) { return now + k * (now - before); };
  const bool has_last = last_step_ > 0;
  to = from;
  to.t = from.t + h;
  for (std::size_t i = 0; i < theta_.size(); ++i) {
    theta_[i] = h * (has_last ? extrapolated(from.v[i], last_v_[i]) : from.v[i]);
    to.v[i] += h * (has_last ? extrapolated(from.a[i], last_a_[i]) : from.a[i]);
  }
  for (std::size_t i = 0; i < to.x.size(); ++i)
    to.x[i] += h * (has_last ? extrapolated(from.xd[i], last_xd_[i]) : from.xd[i]);
  evaluator_->retract(to.q, theta_);
  StepOutcome outcome;
  if (!form_.close(from.q, theta_, to, outcome.newton)) return outcome;
  outcome.newton = form_.finish(to);
  outcome.good = outcome.newton.converged;
  return outcome;
}

void AdamsBashforth2::accept(const system::Point& from, const system::Point& to) {
  last_v_ = from.v, last_a_ = from.a, last_xd_ = from.xd;
  last_step_ = to.t - from.t;
  form_.accept(to);
}

}  // namespace coenergy::solve
