#include "coenergy/solve/runge_kutta.hpp"

#include <algorithm>
#include <cmath>

namespace coenergy::solve {

RungeKutta::RungeKutta(equations::Evaluator& evaluator, const Options& options, Statistics& statistics,
                       const Tableau& tableau)
    : Stepper(evaluator),
      tableau_(&tableau),
      options_(options),
      statistics_(&statistics),
      form_(evaluator, options, statistics),
      norm_(evaluator.system(), options),
      estimates_error_(is_adaptive(options)),
      slopes_(tableau.stages + tableau.extra),
      weights_(tableau.stages + tableau.extra) {
  const equations::System& s = evaluator.system();
  for (Slope& slope : slopes_) slope.theta.resize(s.nv()), slope.v.resize(s.nv()), slope.x.resize(s.nx());
  theta_.resize(s.nv());
}

StepOutcome RungeKutta::step(const equations::Point& from, double h, equations::Point& to) {
  // a matrix of the end of a step that is not made may be far off: corrections by it would be small, and say nothing
  if (is_tried_) form_.forget_matrix();
  is_tried_ = true;

  // stages; the first is the derivative that the last step ended with
  const Tableau& t = *tableau_;
  const int computed = t.last_is_next ? t.stages - 1 : t.stages;
  std::fill(theta_.begin(), theta_.end(), 0.0);
  set_slope(slopes_[0], from);
  stage_ = from;
  has_extra_ = 0;
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
    set_slope(slopes_[t.stages - 1], to);
    if (estimates_error_) outcome.error = estimate_error(from, to, h);
  }
  return outcome;
}

void RungeKutta::set_slope(Slope& slope, const equations::Point& p) {
  tangent_.rate(theta_, p.v, slope.theta);
  slope.v = p.a, slope.x = p.xd;
}

void RungeKutta::combine(const equations::Point& from, double h, const double* weights, int count,
                         equations::Point& p) {
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

double RungeKutta::estimate_error(const equations::Point& from, const equations::Point& to, double h) {
  const double fine = embedded_error(tableau_->b_error, from, to, h);
  if (tableau_->b_coarse.empty() || fine == 0) return fine;
  const double coarse = embedded_error(tableau_->b_coarse, from, to, h);
  // no squares: those of errors below 1e-162 tolerances would be zero
  return fine * (fine / std::hypot(fine, 0.1 * coarse));
}

double RungeKutta::embedded_error(const std::vector<double>& b, const equations::Point& from,
                                  const equations::Point& to, double h) {
  const auto weighted = [&](std::vector<double> Slope::*part, std::size_t i) {
    double sum = 0;
    for (int j = 0; j < tableau_->stages; ++j) sum += b[j] * (slopes_[j].*part)[i];
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
void close_between(ExplicitForm& form, const Tangent& tangent, const equations::Point& from, const equations::Point& to,
                   double s, std::vector<double>& theta, equations::Point& at) {
  const std::vector<double> q = at.q, v = at.v;
  tangent.difference(from.q, at.q, theta);
  at.t = from.t + s * (to.t - from.t);
  NewtonReport report;
  if (!form.close(from.q, theta, at, report)) at.q = q, at.v = v;
}

}  // namespace

/// By the continuous extension of the method. Where one of its stages cannot be computed, by Hermite's polynomials.
void RungeKutta::interpolate(const equations::Point& from, const equations::Point& to, double s, equations::Point& at) {
  const Tableau& t = *tableau_;
  between_ = from, between_step_ = to.t - from.t;
  if (t.weights != nullptr && add_extra_stages(from, to.t - from.t)) {
    t.weights(s, weights_.data());
    combine(from, to.t - from.t, weights_.data(), t.stages + t.extra, at);
  } else {
    Stepper::interpolate(from, to, s, at);
  }
  close_between(form_, tangent_, from, to, s, theta_, at);
}

/// The stages that only the continuous extension needs, of the last step.
bool RungeKutta::add_extra_stages(const equations::Point& from, double h) {
  const Tableau& t = *tableau_;
  for (; has_extra_ < t.extra; ++has_extra_) {
    const int i = t.stages + has_extra_;
    combine(from, h, t.a.data() + i * (i - 1) / 2, i, stage_);
    stage_.t = from.t + t.c[i] * h;
    NewtonReport report;
    if (!form_.close(from.q, theta_, stage_, report) || !form_.complete(stage_).converged) return false;
    set_slope(slopes_[i], stage_);
  }
  return true;
}

bool RungeKutta::solve_between(equations::Point& at) {
  constexpr double far = 300;  // tolerances; of what is smooth some tens
  const Tableau& t = *tableau_;
  if (!estimates_error_ || t.weights == nullptr || has_extra_ < t.extra || !form_.complete(at).converged) return false;
  return measure_defect(at) <= far || follow(at);
}

/// h (ż of the extension − ż of the motion) at a point where this is known, in units of the tolerance.
double RungeKutta::measure_defect(const equations::Point& at) {
  constexpr double difference = 1e-4;  // polynomials of degree 7
  const int count = tableau_->stages + tableau_->extra;
  const double s = (at.t - between_.t) / between_step_;
  std::vector<double> slope(count);
  tableau_->weights(s - difference, slope.data());
  tableau_->weights(s + difference, weights_.data());
  for (int j = 0; j < count; ++j) slope[j] = (weights_[j] - slope[j]) / (2 * difference);
  const auto defect = [&](std::vector<double> Slope::*part, std::size_t i, double rate) {
    double sum = -rate;
    for (int j = 0; j < count; ++j) sum += slope[j] * (slopes_[j].*part)[i];
    return between_step_ * sum;
  };
  norm_.clear();
  for (std::size_t i = 0; i < at.v.size(); ++i)
    if (form_.is_independent(int(i))) norm_.add_velocity(int(i), defect(&Slope::v, i, at.a[i]), std::abs(at.v[i]));
  for (std::size_t i = 0; i < at.x.size(); ++i)
    norm_.add_state(int(i), defect(&Slope::x, i, at.xd[i]), std::abs(at.x[i]));
  return norm_.value();
}

/// From the start of the step to at.t by smaller ones.
bool RungeKutta::follow(equations::Point& at) {
  constexpr double smallest = 1e-9;  // of the step
  if (!inner_) inner_ = std::make_unique<RungeKutta>(*evaluator_, options_, *statistics_, *tableau_);
  equations::Point p = between_, next = between_;
  inner_->begin(p);
  for (double h = at.t - p.t; p.t < at.t;) {
    h = std::min(h, at.t - p.t);
    const StepOutcome outcome = inner_->step(p, h, next);
    const double factor = 0.9 * std::pow(std::max(outcome.error, 1e-8), -1.0 / error_order());
    if (outcome.good && outcome.error <= 1) {
      if (h == at.t - p.t) next.t = at.t;
      inner_->accept(p, next);
      std::swap(p, next);
      h *= std::clamp(factor, 0.3, 4.0);
    } else {
      h *= outcome.good ? std::clamp(factor, 0.1, 0.9) : 0.3;
      if (!(h > smallest * between_step_)) return false;
    }
  }
  at = p;
  return true;
}

void RungeKutta::visit(StateArchive& archive) {
  archive(form_, slopes_, has_extra_, stage_);
  bool has_inner = inner_ != nullptr;
  archive(has_inner);
  if (has_inner && !inner_) inner_ = std::make_unique<RungeKutta>(*evaluator_, options_, *statistics_, *tableau_);
  if (!has_inner) inner_.reset();
  if (inner_) inner_->visit(archive);
}

AdamsBashforth2::AdamsBashforth2(equations::Evaluator& evaluator, const Options& options, Statistics& statistics)
    : Stepper(evaluator), form_(evaluator, options, statistics), theta_(evaluator.system().nv()) {}

void AdamsBashforth2::begin(const equations::Point& p) {
  last_step_ = 0;
  form_.begin(p);
}

void AdamsBashforth2::interpolate(const equations::Point& from, const equations::Point& to, double s,
                                  equations::Point& at) {
  Stepper::interpolate(from, to, s, at);
  close_between(form_, tangent_, from, to, s, theta_, at);
}

StepOutcome AdamsBashforth2::step(const equations::Point& from, double h, equations::Point& to) {
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

void AdamsBashforth2::accept(const equations::Point& from, const equations::Point& to) {
  last_v_ = from.v, last_a_ = from.a, last_xd_ = from.xd;
  last_step_ = to.t - from.t;
  form_.accept(to);
}

}  // namespace coenergy::solve
