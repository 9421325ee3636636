#include "coenergy/solve/esdirk.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "coenergy/solve/between.hpp"
#include "coenergy/solve/lagrange.hpp"
#include "coenergy/solve/residual_size.hpp"

namespace coenergy::solve {
namespace {

constexpr int max_iterations = 14;    // of a stage
constexpr int max_sweeps = 20;        // of the rotation vectors
constexpr double damping = 1e-8;      // of multipliers
constexpr double vanished = 1e-3;     // of the correction that a residual this much smaller would still cause
constexpr double near = 1e-2;         // relative correction beyond which the matrix says nothing of what is left
constexpr double rounding = 1e-9;     // relative correction that may be round-off of a stiff circuit
constexpr double overshoot = 10;      // growth of the residual that a correction may cause
constexpr double slow = 0.2;          // iterations that converge more slowly get a new matrix
constexpr double exact_part = 1e5;    // a solution of linear equations leaves less than one such part of its correction
constexpr double farthest_guess = 3;  // extrapolate over at most this many last steps

/// Fixed steps know no tolerance but that of Newton's iteration.
Options with_newton_tolerance(Options options) {
  options.rtol = options.atol = newton_tolerance(options);
  return options;
}

/// ∫₀ˢ of the polynomials of lagrange(), the first `count` nodes used.
std::array<double, 4> integrate_lagrange(const std::array<double, 4>& nodes, int count, double s) {
  // Gauss–Legendre with two points is exact up to degree 3
  const double r = 0.5 / std::sqrt(3.0);
  const std::array<double, 4> low = lagrange(nodes, s * (0.5 - r), 0, count);
  const std::array<double, 4> high = lagrange(nodes, s * (0.5 + r), 0, count);
  std::array<double, 4> weights;
  for (int i = 0; i < 4; ++i) weights[i] = s / 2 * (low[i] + high[i]);
  return weights;
}

template <class Stages>
void combine(const Stages& stages, std::vector<double> equations::Point::*part, const std::array<double, 4>& w,
             int count, std::vector<double>& to) {
  std::fill(to.begin(), to.end(), 0.0);
  for (int j = 0; j < count; ++j) {
    if (w[j] == 0) continue;
    const double* from = (stages[j].*part).data();
    for (std::size_t k = 0; k < to.size(); ++k) to[k] += w[j] * from[k];
  }
}

constexpr std::vector<double> equations::Point::*unknowns[] = {&equations::Point::a, &equations::Point::lambda,
                                                               &equations::Point::xd, &equations::Point::y};
constexpr std::vector<double> equations::Point::*guessed[] = {&equations::Point::a, &equations::Point::lambda,
                                                              &equations::Point::x, &equations::Point::y};

}  // namespace

Esdirk::Esdirk(equations::Evaluator& evaluator, const Options& options, Statistics& statistics)
    : Stepper(evaluator),
      options_(is_adaptive(options) ? options : with_newton_tolerance(options)),
      statistics_(&statistics),
      norm_(evaluator.system(), options_),
      form_(evaluator, for_completion(options), statistics),
      newton_limit_(std::max(10 * std::numeric_limits<double>::epsilon() / options_.rtol, 0.02)),
      method_(&sdirk_method()),
      matrices_(evaluator.system(), evaluator.system().pattern()),
      lu_(evaluator.system().n(), evaluator.system().pattern().column_start, evaluator.system().pattern().row,
          multiplier_indices(evaluator.system())),
      linear_(evaluator.system()) {
  const equations::System& s = evaluator.system();
  for (int i = 0; i < most_stages; ++i) theta_[i].resize(s.nv()), rate_[i].resize(s.nv());
  base_v_.resize(s.nv()), base_theta_.resize(s.nv()), base_x_.resize(s.nx()), residual_.resize(s.n());
  values_.resize(s.pattern().row.size());
  error_v_.resize(s.nv()), error_q_.resize(s.nv()), error_x_.resize(s.nx()), filtered_.resize(s.n()),
      delta_.resize(s.n());
}

void Esdirk::damp_multipliers() {
  lu_.set_damping(damping);
  form_.damp_multipliers();
  factored_step_ = 0;
}

void Esdirk::begin(const equations::Point& p) {
  for (auto& stage : stage_) stage = p;
  scratch_ = p;
  for (auto& stage : last_stage_) stage = p;
  is_first_ = true;
  last_step_ = 0;
  has_derivatives_ = has_derivatives_ && linear_.fits(*evaluator_, p);
  factored_step_ = 0;
  form_.forget_matrix();
}

StepOutcome Esdirk::step(const equations::Point& from, double h, equations::Point& to) {
  StepOutcome outcome;
  method_ = is_first_ ? &sdirk_method() : &esdirk_method();
  const int last = method_->stages - 1;
  if (!prepare_matrix(from, h, outcome.newton)) return outcome;
  for (int i = 0; i <= last; ++i) {
    if (i == 0 && method_->explicit_first) {
      for (auto part : unknowns) stage_[0].*part = from.*part;
      stage_[0].v = from.v, stage_[0].x = from.x;
      std::fill(theta_[0].begin(), theta_[0].end(), 0.0);
      rate_[0] = from.v;
      continue;
    }
    stage_[i].t = from.t + method_->c[i] * h;
    stage_[i].d = from.d;
    guess_stage(i, from, h);
    place_base(i, from, h);
    if (!solve_stage(i, from, h, outcome.newton)) {
      has_derivatives_ = false;
      return outcome;
    }
  }

  // the last stage is the end of the step
  to = stage_[last];
  outcome.error = is_adaptive(options_) ? estimate_error(from, to, h) : 0;
  outcome.good = true;
  if (!(outcome.error <= 1) || evaluator_->system().nl() == 0) return outcome;
  outcome.newton = form_.finish(to);
  outcome.good = outcome.newton.converged;
  return outcome;
}

void Esdirk::accept(const equations::Point& from, const equations::Point& to) {
  for (int i = 0; i < method_->stages; ++i)
    for (auto part : guessed) std::swap(last_stage_[i].*part, stage_[i].*part);
  last_method_ = method_;
  last_step_ = to.t - from.t;
  is_first_ = false;
}

void Esdirk::visit(StateArchive& archive) {
  for (const EsdirkMethod** method : {&method_, &last_method_}) {
    int which = *method == nullptr ? 0 : *method == &sdirk_method() ? 1 : 2;
    archive(which);
    *method = which == 0 ? nullptr : which == 1 ? &sdirk_method() : &esdirk_method();
  }
  archive(form_, is_first_, stage_, last_stage_, scratch_, theta_, rate_, last_step_);
  archive(matrices_, values_, lu_, has_derivatives_, linear_, factored_step_, row_scales_, rate_of_newton_);
}

/// By what the new modes change in the equations, for these are solved at p only as well as Newton's iteration did.
bool Esdirk::continues(const equations::Point& p) {
  rate_of_newton_ = -1;
  if (factored_step_ == 0 || last_step_ == 0) return false;
  evaluator_->residual(p, level_, delta_);
  scratch_ = p;
  scratch_.d = stage_[last_method_->stages - 1].d;
  evaluator_->residual(scratch_, level_, residual_);
  statistics_->residuals += 2;
  for (std::size_t k = 0; k < delta_.size(); ++k) delta_[k] -= residual_[k];
  lu_.solve_once(delta_);
  const double* delta = delta_.data();
  norm_.clear();
  for (std::size_t j = 0; j < p.a.size(); ++j) norm_.add_velocity(int(j), last_step_ * *delta++, std::abs(p.v[j]));
  delta += p.lambda.size();
  for (std::size_t j = 0; j < p.xd.size(); ++j) norm_.add_state(int(j), last_step_ * *delta++, std::abs(p.x[j]));
  for (std::size_t j = 0; j < p.y.size(); ++j) norm_.add_algebraic(int(j), *delta++, std::abs(p.y[j]));
  return norm_.value() <= newton_limit_;
}

// ---- stages

/// A stage is continued from those before it, the first one from the last step: x itself and not its rate, for a stiff
/// state would be led astray by that. Behind an event everything starts as it was.
void Esdirk::guess_stage(int i, const equations::Point& from, double h) {
  const bool is_leading = i == (method_->explicit_first ? 1 : 0);
  equations::Point& p = stage_[i];
  if (is_leading && last_step_ > 0 && method_->c[i] * h <= farthest_guess * last_step_) {
    const int count = last_method_->stages;
    const auto w = lagrange(last_method_->c, 1 + method_->c[i] * h / last_step_, count - 3, 3);
    for (auto part : guessed) combine(last_stage_, part, w, count, p.*part);
  } else if (is_leading || is_first_) {
    const equations::Point& before = is_leading ? from : stage_[i - 1];
    for (auto part : guessed) p.*part = before.*part;
  } else {
    const auto w = lagrange(method_->c, method_->c[i], 0, i);
    for (auto part : guessed) combine(stage_, part, w, i, p.*part);
  }
}

/// What a stage has from those before it.
void Esdirk::place_base(int i, const equations::Point& from, double h) {
  const auto& a = method_->a[i];
  base_x_ = from.x;
  for (int j = 0; j < i; ++j) {
    const double f = h * a[j];
    const double* xd = stage_[j].xd.data();
    for (std::size_t k = 0; k < base_x_.size(); ++k) base_x_[k] += f * xd[k];
  }
  if (!base_v_.empty()) {
    base_v_ = from.v;
    std::fill(base_theta_.begin(), base_theta_.end(), 0.0);
    for (int j = 0; j < i; ++j)
      for (std::size_t k = 0; k < base_v_.size(); ++k) {
        base_v_[k] += h * a[j] * stage_[j].a[k];
        base_theta_[k] += h * a[j] * rate_[j][k];
      }
    std::copy(base_theta_.begin(), base_theta_.end(), theta_[i].begin());
  }
  const double g = h * method_->gamma;
  for (std::size_t k = 0; k < base_x_.size(); ++k) stage_[i].xd[k] = (stage_[i].x[k] - base_x_[k]) / g;
  place_stage(i, from, h);
}

/// q, v, x of a stage from its a and ẋ.
void Esdirk::place_stage(int i, const equations::Point& from, double h) {
  equations::Point& p = stage_[i];
  const double g = h * method_->gamma;
  for (std::size_t k = 0; k < p.x.size(); ++k) p.x[k] = base_x_[k] + g * p.xd[k];
  if (p.v.empty()) return;
  for (std::size_t k = 0; k < p.v.size(); ++k) p.v[k] = base_v_[k] + g * p.a[k];
  // θ = base + hγ T⁻¹(θ) v by sweeps; without rotations the first is exact
  for (int sweep = 0; sweep < max_sweeps; ++sweep) {
    tangent_.rate(theta_[i], p.v, rate_[i]);
    double change = 0;
    for (std::size_t k = 0; k < p.v.size(); ++k) {
      const double theta = base_theta_[k] + g * rate_[i][k];
      if (tangent_.is_rotation(int(k))) change = std::max(change, std::abs(theta - theta_[i][k]));
      theta_[i][k] = theta;
    }
    if (change < 1e-15) break;
  }
  p.q = from.q;
  evaluator_->retract(p.q, theta_[i]);
}

/// Newton's iteration of one stage, with the matrix at hand while that serves.
bool Esdirk::solve_stage(int i, const equations::Point& from, double h, NewtonReport& report) {
  report = {};
  double previous = 0, last_size = 0, residual_before = 0;
  for (int k = 0; k < max_iterations; ++k) {
    evaluator_->residual(stage_[i], level_, residual_);
    ++statistics_->residuals, ++statistics_->newton_iterations;
    // a residual that has all but vanished needs no further solve; one that has grown by far tells of a bend behind
    // which the correction has led
    if (k > 0) {
      const double size = residual_size();
      const bool is_near = last_size * options_.rtol <= near || linear_.fits(*evaluator_, stage_[i]);
      if (is_near && size * last_size <= vanished * newton_limit_ * residual_before) {
        rate_of_newton_ = std::max(rate_of_newton_, 0.0);
        report.converged = true;
        return true;
      }
      if (!(size <= overshoot * residual_before)) {
        search_line(i, from, h, residual_before);
        evaluate_derivatives(stage_[i]);
        if (!factor(h, report)) return false;
        previous = 0;
      }
    }
    report.iterations = k + 1;
    for (std::size_t j = 0; j < residual_.size(); ++j) delta_[j] = -residual_[j];
    lu_.solve_once(delta_);
    const double size = apply_correction(i, from, h);
    if (!std::isfinite(size)) break;

    // how fast it converges, and whether what is left is small
    double rate = rate_of_newton_;
    if (previous > 0) rate = rate_of_newton_ = std::max(size / previous, 0.3 * rate_of_newton_);
    // a matrix that is far too stiff leaves corrections that do not shrink either
    const bool is_round_off =
        previous > 0 && rate > 0.5 && size <= std::min(10 * newton_limit_, rounding / options_.rtol);
    const bool is_exact = linear_.fits(*evaluator_, stage_[i]);
    const bool is_rate_measured =
        (previous > 0 && (is_exact || previous * options_.rtol <= near)) || (rate >= 0 && size <= 1 && previous == 0);
    const bool is_small = is_rate_measured && rate < 0.9 && rate / (1 - rate) * size <= newton_limit_;
    const double enough = is_exact ? exact_part : 1e-3;
    report.converged = size <= enough * newton_limit_ || is_small || is_round_off;
    if (report.converged) return true;
    last_size = size;
    residual_before = residual_size();
    if (previous > 0 && rate > slow) {
      evaluate_derivatives(stage_[i]);
      if (!factor(h, report)) return false;
      previous = 0;
    } else {
      previous = size;
    }
  }
  double worst = -1;
  note_worst_row(residual_, row_scales_, worst, report);
  return false;
}

/// Takes back as little of the last correction as brings the residual down to about its value before it.
void Esdirk::search_line(int i, const equations::Point& from, double h, double before) {
  double good = 0, bad = 1, at = 1;
  for (int k = 0; k < 16; ++k) {
    const double next = (good + bad) / 2;
    shift_stage(i, from, h, next - at);
    at = next;
    evaluator_->residual(stage_[i], level_, residual_);
    ++statistics_->residuals;
    const double size = residual_size();
    (size <= 2 * before ? good : bad) = at;
    if (size <= 2 * before && size >= 0.1 * before) return;
  }
  shift_stage(i, from, h, good - at);
  evaluator_->residual(stage_[i], level_, residual_);
  ++statistics_->residuals;
}

/// Moves the unknowns of a stage along the last correction.
void Esdirk::shift_stage(int i, const equations::Point& from, double h, double factor) {
  const double* delta = delta_.data();
  for (auto part : unknowns)
    for (double& value : stage_[i].*part) value += factor * *delta++;
  place_stage(i, from, h);
}

/// Largest residual, each relative to the largest coefficient of its row.
double Esdirk::residual_size() const { return scaled_size(residual_, row_scales_); }

/// Adds the correction to a stage; its size in units of the tolerance.
double Esdirk::apply_correction(int i, const equations::Point& from, double h) {
  equations::Point& p = stage_[i];
  const double* delta = delta_.data();
  norm_.clear();
  for (std::size_t j = 0; j < p.a.size(); ++j, ++delta) {
    p.a[j] += *delta;
    norm_.add_velocity(int(j), h * *delta, std::abs(from.v[j]));
  }
  for (double& lambda : p.lambda) lambda += *delta++;
  for (std::size_t j = 0; j < p.xd.size(); ++j, ++delta) {
    p.xd[j] += *delta;
    norm_.add_state(int(j), h * *delta, std::abs(from.x[j]));
  }
  for (std::size_t j = 0; j < p.y.size(); ++j, ++delta) {
    p.y[j] += *delta;
    norm_.add_algebraic(int(j), *delta, std::abs(p.y[j]));
  }
  place_stage(i, from, h);
  return norm_.value();
}

// ---- matrix

bool Esdirk::prepare_matrix(const equations::Point& p, double h, NewtonReport& report) {
  if (!has_derivatives_) evaluate_derivatives(p);
  return factored_step_ == h || factor(h, report);
}

void Esdirk::evaluate_derivatives(const equations::Point& p) {
  matrices_.evaluate(*evaluator_, p, level_);
  ++statistics_->jacobians;
  has_derivatives_ = true;
  linear_.take(*evaluator_, p);
  factored_step_ = 0;
}

bool Esdirk::factor(double h, NewtonReport& report) {
  const double g = h * method_->gamma;
  matrices_.combine(g, values_);
  ++statistics_->factorizations;
  bool good = lu_.factor(values_);
  if (!good && evaluator_->system().nl() > 0 && lu_.damping() == 0) {
    damp_multipliers();
    ++statistics_->factorizations;
    good = lu_.factor(values_);
  }
  factored_step_ = good ? h : 0;
  if (good) find_row_scales(evaluator_->system(), evaluator_->system().pattern(), values_, g, row_scales_);
  rate_of_newton_ = -1;
  if (!good) {
    has_derivatives_ = false;
    report.singular = true, report.singular_column = lu_.weakest_column(), report.worst_row = lu_.weakest_row();
  }
  return good;
}

// ---- error and dense output

/// e = h Σ eᵢ żᵢ for z = (q, v, x), then (1 − hγ ∂ż/∂z) δ = e (StageMatrices).
double Esdirk::estimate_error(const equations::Point& from, const equations::Point& to, double h) {
  const equations::System& s = evaluator_->system();
  const double g = h * method_->gamma;
  for (auto* error : {&error_v_, &error_q_, &error_x_}) std::fill(error->begin(), error->end(), 0.0);
  for (int i = 0; i < method_->stages; ++i) {
    const double f = h * method_->error[i];
    for (int k = 0; k < s.nv(); ++k) error_v_[k] += f * stage_[i].a[k], error_q_[k] += f * rate_[i][k];
    for (int k = 0; k < s.nx(); ++k) error_x_[k] += f * stage_[i].xd[k];
  }

  const int first_x = s.nv() + s.nl();
  matrices_.make_rate_rows(g, error_v_, error_q_, error_x_, filtered_);
  lu_.solve_once(filtered_);

  norm_.clear();
  for (int i = 0; i < s.nv(); ++i) {
    const double v = error_v_[i] + g * filtered_[i], q = error_q_[i] + g * g * filtered_[i];
    norm_.add_position(i, q, std::max(tangent_.size(from.q, i), tangent_.size(to.q, i)));
    norm_.add_velocity(i, v, std::max(std::abs(from.v[i]), std::abs(to.v[i])));
  }
  for (int i = 0; i < s.nx(); ++i)
    norm_.add_state(i, error_x_[i] + g * filtered_[first_x + i], std::max(std::abs(from.x[i]), std::abs(to.x[i])));
  return norm_.value();
}

bool Esdirk::solve_between(equations::Point& at) {
  if (factored_step_ == 0) return false;
  return solve::solve_between(*evaluator_, *statistics_, lu_, factored_step_ * method_->gamma, newton_limit_, norm_,
                              filtered_, at);
}

/// a, λ, ẋ and y as sums of those of the stages and of the start.
void Esdirk::interpolate_unknowns(const equations::Point& from, const std::array<double, 4>& w, double at_start,
                                  equations::Point& at) const {
  const int count = method_->stages;
  const auto sum = [&](std::vector<double> equations::Point::*part, int k) {
    double value = at_start * (from.*part)[k];
    for (int j = 0; j < count; ++j) value += w[j] * (stage_[j].*part)[k];
    (at.*part)[k] = value;
  };
  for (int k : wanted_.xd) sum(&equations::Point::xd, k);
  for (int k : wanted_.y) sum(&equations::Point::y, k);
  for (int k : wanted_.lambda) sum(&equations::Point::lambda, k);
  if (wanted_.motion)
    for (int k = 0; k < int(at.a.size()); ++k) sum(&equations::Point::a, k);
}

/// q, v and x by Hermite's cubic, or behind an event, where the slope at the start is not to be used, by the integral
/// of the polynomial through the slopes of the stages, which is exact at the end; a, λ, ẋ and y by the polynomial
/// through the stages, before the first of them by that through the start too.
void Esdirk::interpolate(const equations::Point& from, const equations::Point& to, double s, equations::Point& at) {
  const int count = method_->stages;
  if (method_->explicit_first) {
    interpolate_unknowns(from, lagrange(method_->c, s, 0, count), 0, at);
    return Stepper::interpolate(from, to, s, at);
  }
  const std::array<double, 4> with_start = {method_->c[0], method_->c[1], method_->c[2], 0};
  const auto through = s < method_->c[0] ? lagrange(with_start, s) : lagrange(method_->c, s, 0, count);
  interpolate_unknowns(from, through, through[3], at);

  const double h = to.t - from.t;
  const std::array<double, 4> w = integrate_lagrange(method_->c, count, s);
  for (int k : wanted_.x) {
    at.x[k] = from.x[k];
    for (int j = 0; j < count; ++j) at.x[k] += h * w[j] * stage_[j].xd[k];
  }
  if (!wanted_.motion || at.v.empty()) return;
  std::vector<double>& theta = error_q_;
  at.v = from.v;
  std::fill(theta.begin(), theta.end(), 0.0);
  for (int j = 0; j < count; ++j) {
    const double f = h * w[j];
    for (std::size_t k = 0; k < at.v.size(); ++k) at.v[k] += f * stage_[j].a[k], theta[k] += f * rate_[j][k];
  }
  at.q = from.q;
  evaluator_->retract(at.q, theta);
}

}  // namespace coenergy::solve
