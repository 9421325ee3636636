#include "coenergy/solve/radau.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "coenergy/solve/between.hpp"
#include "coenergy/solve/lagrange.hpp"
#include "coenergy/solve/radau_method.hpp"
#include "coenergy/solve/residual_size.hpp"

namespace coenergy::solve {
namespace {

using Complex = std::complex<double>;
constexpr int max_iterations = 12;
constexpr int max_sweeps = 20;  // of the rotation vectors
constexpr double damping = 1e-8;
constexpr double keep_derivatives_rate = 1e-3;
/// Errors of states that algebraic variables show so many times as large count: a transistor amplifies. Beyond, as of the
/// voltage where a diode blocks a current, it would be round-off that counts.
constexpr double most_amplified = 300;
constexpr double vanished = 1e-4;     // of the correction that a residual this much smaller would still cause
constexpr double exact_part = 1e5;    // a solution of linear equations leaves less than one such part of its correction
constexpr double near = 1e-2;         // relative correction beyond which the matrix says nothing of what is left
constexpr double good_rate = 0.3;     // of convergence, that a step shall not be too long for
constexpr double poor_choice = 1e-2;  // loss of pivots after which other redundant constraints are left out

/// The tolerances that the embedded error, of lower order than the method, is compared with; their ratio is kept. The
/// estimate is of order h⁴, what rows and the end of a run are wrong by of order h⁵: a power of 4/5 keeps that
/// proportional to rtol. Fixed steps know no tolerance but that of Newton's iteration.
Options with_inner_tolerance(Options options, bool is_constrained) {
  if (!is_adaptive(options)) {
    options.rtol = options.atol = newton_tolerance(options);
    return options;
  }
  // constraints: beside singular positions the stages leave them by more than the embedded error would allow
  const double inner = is_constrained ? 0.1 * std::pow(options.rtol, 2.0 / 3) : 0.2 * std::pow(options.rtol, 0.8);
  options.atol *= inner / options.rtol;
  options.rtol = inner;
  return options;
}

/// The part of the tolerance that Newton's iteration may leave: what stiff circuits at 1e-9 can reach; with constraints
/// less, since more would show: Andrews' mechanism at 1e-5 ends ten times nearer for the same work.
double newton_part(double rtol, bool is_constrained) {
  constexpr double usual = 0.03;
  const double part = is_constrained ? std::min(usual, 0.1 * std::sqrt(rtol)) : usual;
  return std::max(part, 10 * std::numeric_limits<double>::epsilon() / rtol);
}

double power(double x, int exponent) {
  double value = 1;
  for (int k = 0; k < exponent; ++k) value *= x;
  return value;
}

}  // namespace

Radau::Radau(equations::Evaluator& evaluator, const Options& options, Statistics& statistics)
    : Stepper(evaluator),
      options_(with_inner_tolerance(options, evaluator.system().nl() > 0)),
      statistics_(&statistics),
      norm_(evaluator.system(), options_),
      form_(evaluator, for_completion(options), statistics),
      round_off_(std::min(0.03, 1e4 * std::numeric_limits<double>::epsilon() / options_.rtol)),
      newton_limit_(newton_part(options_.rtol, evaluator.system().nl() > 0)),
      pattern_(&evaluator.system().solver_pattern()),
      matrices_(evaluator.system(), *pattern_),
      real_lu_(pattern_->n, pattern_->column_start, pattern_->row, multiplier_indices(evaluator.system())),
      complex_lu_(pattern_->n, pattern_->column_start, pattern_->row, multiplier_indices(evaluator.system())),
      linear_(evaluator.system()) {
  const equations::System& s = evaluator.system();
  real_lu_.keep_scales(), complex_lu_.keep_scales();
  for (int i = 0; i < stages; ++i) {
    theta_[i].resize(s.nv()), rate_[i].resize(s.nv()), residual_[i].resize(s.n());
  }
  weights_.resize(s.n()), delta_.resize(s.n());
  real_part_.resize(s.n()), complex_part_.resize(s.n());
  real_values_.resize(pattern_->row.size());
  complex_values_.resize(pattern_->row.size());
  error_v_.resize(s.nv()), error_q_.resize(s.nv()), error_x_.resize(s.nx()), filtered_.resize(pattern_->n);
}

// ---- redundant constraints

void Radau::hold_multipliers(const Redundancy& redundancy) {
  redundant_ = redundancy.always.size();
  form_.damp_multipliers(redundancy.always);
  if (redundancy.always.empty())
    damp_multipliers();
  else
    hold(redundancy.always);
}

void Radau::hold(std::vector<int> multipliers) {
  held_ = std::move(multipliers);
  std::vector<int> unknowns = held_;
  for (int& k : unknowns) k += evaluator_->system().nv();
  real_lu_.set_damping(1, unknowns);
  complex_lu_.set_damping(1, unknowns);
  factored_step_ = ratio_of_held_ = 0;
}

/// Leaves out other redundant constraints, those that are best left out at p; false where that changes nothing. More
/// dependent rows than are left out tell a singular position, where each of them is needed.
bool Radau::choose_held(const equations::Point& p) {
  if (held_.empty()) return false;
  ConstraintProjection projection(*evaluator_, *statistics_);
  std::vector<int> best = find_dependent_rows(projection, p);
  if (best.size() != held_.size() || best == held_) return false;
  hold(std::move(best));
  return true;
}

void Radau::damp_multipliers() {
  held_.clear();
  is_damped_ = true;
  real_lu_.set_damping(damping);
  complex_lu_.set_damping(damping);
  form_.damp_multipliers();
  factored_step_ = 0;
}

void Radau::begin(const equations::Point& p) {
  for (auto& stage : stage_) stage = p;
  last_stage_ = stage_;
  scratch_ = p;
  last_step_ = 0;
  has_derivatives_ = has_derivatives_ && linear_.fits(*evaluator_, p);
  was_rejected_ = false;
  form_.forget_matrix();
}

/// By what the new modes change in the equations, for these are solved at p only as well as Newton's iteration did.
bool Radau::continues(const equations::Point& p) {
  has_derivatives_ = has_derivatives_ && factored_step_ != 0;
  if (!has_derivatives_ || last_step_ == 0) return false;
  std::vector<double>& change = real_part_;
  evaluator_->residual(p, level_, change);
  scratch_ = p;
  scratch_.d = last_stage_[2].d;
  evaluator_->residual(scratch_, level_, residual_[0]);
  statistics_->residuals += 2;
  for (std::size_t k = 0; k < change.size(); ++k) change[k] -= residual_[0][k];
  real_lu_.solve_once(change);
  const double* delta = change.data();
  norm_.clear();
  for (std::size_t j = 0; j < p.a.size(); ++j) norm_.add_velocity(int(j), last_step_ * *delta++, std::abs(p.v[j]));
  delta += p.lambda.size();
  for (std::size_t j = 0; j < p.xd.size(); ++j) norm_.add_state(int(j), last_step_ * *delta++, std::abs(p.x[j]));
  for (std::size_t j = 0; j < p.y.size(); ++j) norm_.add_algebraic(int(j), *delta++, std::abs(p.y[j]));
  return norm_.value() <= newton_limit_;
}

StepOutcome Radau::step(const equations::Point& from, double h, equations::Point& to) {
  StepOutcome outcome;
  if (is_stuck_at_singularity(from, h)) return outcome;
  const equations::System& s = evaluator_->system();
  bool converged = false;
  // with old derivatives first, where there are any
  for (int attempt = 0; attempt < 2 && !converged; ++attempt) {
    // of mechanisms the derivatives of the end, as far as it can be foreseen, serve all stages better than those of the
    // start; an extrapolation that overshoots the knee of a diode would find slopes beside which no correction counts
    const bool is_foreseen = guess(from, h) && attempt == 0 && s.nx() + s.ny() == 0;
    if (!prepare_matrices(is_foreseen ? stage_[2] : from, h, outcome.newton)) {
      if (is_foreseen) continue;
      return outcome;
    }
    const bool was_fresh = derivatives_are_fresh_;
    converged = iterate(from, h, outcome.newton);
    if (!converged) has_derivatives_ = false;
    if (was_fresh && !(!converged && choose_held(from))) break;
  }
  // a smaller step is cheaper, unless it has become small already
  const bool is_anew = !converged && h < smallest_part * longest_step_;
  if (is_anew) converged = iterate_anew(from, h, outcome.newton);
  if (slowest_rate_ > 0) outcome.newton_limit = good_rate / slowest_rate_;
  if (!converged) return outcome;

  // the last stage is the end of the step
  to = stage_[2];
  has_estimate_ = false;
  outcome.error = is_adaptive(options_) ? estimate_error(from, to, h) : 0;
  was_rejected_ = !(outcome.error <= 1);
  if (was_rejected_) {
    // derivatives at the end of a step that is not made are of no use for a shorter one
    if (is_anew) has_derivatives_ = false;
    outcome.good = true;
    return outcome;
  }
  outcome.newton = evaluator_->system().nl() > 0 ? form_.finish(to) : outcome.newton;
  outcome.good = outcome.newton.converged;
  return outcome;
}

void Radau::accept(const equations::Point& from, const equations::Point& to) {
  std::swap(last_stage_, stage_);
  last_start_y_ = from.y;
  last_step_ = to.t - from.t;
  longest_step_ = std::max(longest_step_, last_step_);
  derivatives_are_fresh_ = false;
  if (rate_of_last_ > keep_derivatives_rate) has_derivatives_ = false;
}

void Radau::visit(StateArchive& archive) {
  archive(form_, stage_, last_stage_, last_start_y_, scratch_, theta_, rate_, last_step_, longest_step_, was_rejected_);
  archive(matrices_, real_values_, complex_values_, real_lu_, complex_lu_, has_derivatives_, derivatives_are_fresh_,
          linear_, factored_step_, row_scales_, rate_of_last_);
  archive(held_, is_damped_, ratio_of_held_, slowest_rate_, has_estimate_, redundant_);
}

/// Stages by the collocation polynomial of the last step, continued; false where there is none that reaches so far, and
/// their unknowns are those of the start.
bool Radau::guess(const equations::Point& from, double h) {
  const RadauMethod& m = radau_method();
  const bool is_continued = last_step_ > 0 && h <= 4 * last_step_;
  for (int i = 0; i < stages; ++i) {
    equations::Point& p = stage_[i];
    p.t = from.t + m.c[i] * h;
    p.d = from.d;
    if (!is_continued) {
      p.a = from.a, p.lambda = from.lambda, p.xd = from.xd, p.y = from.y;
      continue;
    }
    const auto w = lagrange<3>({m.c[0], m.c[1], m.c[2]}, 1 + m.c[i] * h / last_step_);
    const auto extrapolate = [&](std::vector<double> equations::Point::*part) {
      std::vector<double>& to = p.*part;
      for (std::size_t k = 0; k < to.size(); ++k)
        to[k] = w[0] * (last_stage_[0].*part)[k] + w[1] * (last_stage_[1].*part)[k] + w[2] * (last_stage_[2].*part)[k];
    };
    extrapolate(&equations::Point::a), extrapolate(&equations::Point::lambda), extrapolate(&equations::Point::xd);
    // algebraic variables are no integrals: the start of the last step makes their polynomial as good as that of states
    const auto u = lagrange<4>({0, m.c[0], m.c[1], m.c[2]}, 1 + m.c[i] * h / last_step_);
    for (std::size_t k = 0; k < p.y.size(); ++k)
      p.y[k] = u[0] * last_start_y_[k] + u[1] * last_stage_[0].y[k] + u[2] * last_stage_[1].y[k] +
               u[3] * last_stage_[2].y[k];
    for (int k : held_) p.lambda[k] = from.lambda[k];
  }
  for (auto& theta : theta_) std::fill(theta.begin(), theta.end(), 0.0);
  place_stages(from, h);
  find_weights(from, h);
  return is_continued;
}

/// Simplified Newton iteration with a fixed matrix; stopped as soon as the remaining error is small, or cannot become
/// small in time. A residual that has all but vanished, as it does in linear systems, needs no further solve.
bool Radau::iterate(const equations::Point& from, double h, NewtonReport& report) {
  report = {};
  const bool is_exact = linear_.fits(*evaluator_, from);
  double previous = 0, rate = 0, residual_before = 0;
  slowest_rate_ = 0;
  for (int k = 0; k < max_iterations; ++k) {
    evaluate_stages();
    // what is not finite shows in the correction too
    const double residual = k == 0 && is_exact ? 0 : residual_size();
    if (!std::isfinite(residual)) break;
    const bool is_near = is_exact || previous * norm_.rtol() <= near;
    if (k > 0 && is_near && residual * previous <= vanished * newton_limit_ * residual_before) {
      report.converged = true;
      rate_of_last_ = std::min(rate_of_last_, residual / residual_before);
      return true;
    }
    residual_before = residual;
    solve_for_correction();
    const double size = apply_correction(from, h);
    if (k == 0 && last_step_ == 0) find_weights(from, h);
    ++statistics_->newton_iterations;
    report.iterations = k + 1;
    if (!std::isfinite(size)) break;
    if (k > 0) {
      rate = size / previous;
      // multipliers are not in the norm: the first correction is theirs, and tells nothing of the rate
      const bool is_telling = k > 1 || from.lambda.empty();
      if (is_telling) slowest_rate_ = std::max(slowest_rate_, rate);
      // corrections that are small and no longer shrink are round-off
      const bool is_round_off = rate > 0.5 && size <= std::max(10 * newton_limit_, round_off_);
      if (rate >= 1 && !is_round_off && is_telling) break;
      const int left = max_iterations - 1 - k;
      if (!is_round_off && is_telling && power(rate, left) / (1 - rate) * size > newton_limit_) break;
      rate_of_last_ = rate;
      report.converged = is_round_off || (is_near && rate < 1 && rate / (1 - rate) * size <= newton_limit_);
    } else {
      report.converged = size <= (is_exact ? exact_part : 1e-3) * newton_limit_;
      rate_of_last_ = k == 0 && report.converged ? 0 : 1;
    }
    previous = size;
    if (report.converged) return true;
  }
  report = worst_residual(report);
  return false;
}

/// Largest residual of all stages, each relative to the largest coefficient of its row; not a number where any is none.
double Radau::residual_size() {
  find_scales();
  double size = 0;
  for (const auto& residual : residual_) {
    const double own = scaled_size(residual, row_scales_);
    if (!(own <= size)) size = own;
    if (std::isnan(own)) return own;
  }
  return size;
}

/// Newton's iteration with new derivatives in every turn, at the end of the step: for steps over a sharp bend, such as
/// that of a diode, behind which the derivatives at the start are of no use.
bool Radau::iterate_anew(const equations::Point& from, double h, NewtonReport& report) {
  constexpr int most = 25;
  for (int i = 0; i < stages; ++i)
    stage_[i].a = from.a, stage_[i].lambda = from.lambda, stage_[i].xd = from.xd, stage_[i].y = from.y;
  for (auto& theta : theta_) std::fill(theta.begin(), theta.end(), 0.0);
  place_stages(from, h);
  double smallest = std::numeric_limits<double>::infinity();
  for (int k = 0; k < most; ++k) {
    evaluate_derivatives(stage_[2]);
    NewtonReport matrix;
    evaluate_stages();
    if (!factor(h, matrix) || !std::isfinite(residual_size())) break;
    solve_for_correction();
    const double size = apply_correction(from, h);
    find_weights(from, h);
    ++statistics_->newton_iterations;
    if (!std::isfinite(size) || (k > 5 && size > 100 * smallest)) break;
    smallest = std::min(smallest, size);
    if (size <= 0.1 * newton_limit_) {
      report = {};
      report.converged = true, report.iterations = k + 1;
      rate_of_last_ = 1;
      return true;
    }
  }
  has_derivatives_ = false;
  return false;
}

/// q, v, x of all stages from their a and ẋ.
void Radau::place_stages(const equations::Point& from, double h) {
  const RadauMethod& m = radau_method();
  const double *const s0 = stage_[0].xd.data(), *const s1 = stage_[1].xd.data(), *const s2 = stage_[2].xd.data();
  for (int i = 0; i < stages; ++i) {
    std::vector<double>& x = stage_[i].x;
    const double a0 = h * m.a[i][0], a1 = h * m.a[i][1], a2 = h * m.a[i][2];
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = from.x[k] + (a0 * s0[k] + a1 * s1[k] + a2 * s2[k]);
  }
  if (!from.v.empty()) place_motion(from, h);
}

/// q and v of all stages from their a.
void Radau::place_motion(const equations::Point& from, double h) {
  const RadauMethod& m = radau_method();
  for (int i = 0; i < stages; ++i) {
    equations::Point& p = stage_[i];
    for (std::size_t k = 0; k < p.v.size(); ++k)
      p.v[k] = from.v[k] + h * (m.a[i][0] * stage_[0].a[k] + m.a[i][1] * stage_[1].a[k] + m.a[i][2] * stage_[2].a[k]);
  }
  // θ = h A T⁻¹(θ) v by sweeps; without rotations the first is exact
  for (int sweep = 0; sweep < max_sweeps; ++sweep) {
    double change = 0;
    for (int i = 0; i < stages; ++i) tangent_.rate(theta_[i], stage_[i].v, rate_[i]);
    for (int i = 0; i < stages; ++i)
      for (std::size_t k = 0; k < theta_[i].size(); ++k) {
        const double theta = h * (m.a[i][0] * rate_[0][k] + m.a[i][1] * rate_[1][k] + m.a[i][2] * rate_[2][k]);
        if (tangent_.is_rotation(int(k))) change = std::max(change, std::abs(theta - theta_[i][k]));
        theta_[i][k] = theta;
      }
    if (change < 1e-15) break;
  }
  for (int i = 0; i < stages; ++i) {
    stage_[i].q = from.q;
    evaluator_->retract(stage_[i].q, theta_[i]);
  }
}

void Radau::evaluate_stages() {
  for (int i = 0; i < stages; ++i) {
    evaluator_->residual(stage_[i], level_, residual_[i]);
    ++statistics_->residuals;
    for (int k : held_) residual_[i][evaluator_->system().nv() + k] = 0;
  }
}

/// Corrections in the eigenvector basis: S(μ₀) for the real part, S(μ₁) for the complex one.
void Radau::solve_for_correction() {
  const RadauMethod& m = radau_method();
  for (std::size_t k = 0; k < real_part_.size(); ++k) {
    const double r0 = residual_[0][k], r1 = residual_[1][k], r2 = residual_[2][k];
    real_part_[k] = -(m.w0[0] * r0 + m.w0[1] * r1 + m.w0[2] * r2);
    complex_part_[k] = -(m.w1[0] * r0 + m.w1[1] * r1 + m.w1[2] * r2);
  }
  real_lu_.solve_once(real_part_);
  complex_lu_.solve_once(complex_part_);
}

/// By how many tolerances a unit of each unknown changes what is integrated; multipliers are not looked at.
void Radau::find_weights(const equations::Point& from, double h) {
  const equations::Point& end = stage_[2];
  double* weight = weights_.data();
  const auto put = [&](const std::vector<double>& start, const std::vector<double>& values, double factor,
                       const auto& allowed) {
    for (std::size_t j = 0; j < values.size(); ++j)
      *weight++ = factor / allowed(int(j), std::max(std::abs(start[j]), std::abs(values[j])));
  };
  put(from.v, end.v, h, [this](int j, double size) { return norm_.allowed_velocity(j, size); });
  weight += end.lambda.size();
  put(from.x, end.x, h, [this](int j, double size) { return norm_.allowed_state(j, size); });
  put(from.y, end.y, 1, [this](int j, double size) { return norm_.allowed_algebraic(j, size); });
}

/// Adds the correction to all stages; its size in units of the tolerance.
double Radau::apply_correction(const equations::Point& from, double h) {
  const RadauMethod& m = radau_method();
  double size = 0;
  for (int i = 0; i < stages; ++i) {
    const double v0 = m.v0[i], re = 2 * m.v1[i].real(), im = 2 * m.v1[i].imag();
    for (std::size_t k = 0; k < delta_.size(); ++k)
      delta_[k] = v0 * real_part_[k] + (re * complex_part_[k].real() - im * complex_part_[k].imag());
    const double own = scaled_size(delta_, weights_);
    if (!(own <= size)) size = own;
    const double* d = delta_.data();
    for (std::vector<double>* part : {&stage_[i].a, &stage_[i].lambda, &stage_[i].xd, &stage_[i].y})
      for (double& value : *part) value += *d++;
    if (std::isnan(size)) break;
  }
  place_stages(from, h);
  return size;
}

void Radau::find_scales() {
  if (!row_scales_.empty()) return;
  find_row_scales(evaluator_->system(), *pattern_, real_values_, factored_step_ * radau_method().mu0, row_scales_);
}

NewtonReport Radau::worst_residual(NewtonReport report) {
  find_scales();
  double worst = -1;
  for (const auto& residual : residual_)
    if (!note_worst_row(residual, row_scales_, worst, report)) break;
  return report;
}

// ---- matrices

bool Radau::prepare_matrices(const equations::Point& at, double h, NewtonReport& report) {
  if (!has_derivatives_) {
    if (real_lu_.pivot_ratio() < poor_choice * ratio_of_held_) choose_held(at);
    evaluate_derivatives(at);
    factored_step_ = 0;
  }
  if (factored_step_ != h) return factor(h, report);
  return true;
}

void Radau::evaluate_derivatives(const equations::Point& p) {
  matrices_.evaluate(*evaluator_, p, level_);
  ++statistics_->jacobians;
  has_derivatives_ = derivatives_are_fresh_ = true;
  linear_.take(*evaluator_, p);
}

bool Radau::factor(double h, NewtonReport& report) {
  const RadauMethod& m = radau_method();
  matrices_.combine(h * m.mu0, real_values_);
  matrices_.combine(h * m.mu1, complex_values_);
  statistics_->factorizations += 2;
  bool good = real_lu_.factor(real_values_) && complex_lu_.factor(complex_values_);
  if (!good && evaluator_->system().nl() > 0 && !is_damped_) {
    damp_multipliers();
    statistics_->factorizations += 2;
    good = real_lu_.factor(real_values_) && complex_lu_.factor(complex_values_);
  }
  factored_step_ = good ? h : 0;
  row_scales_.clear();
  if (good && !held_.empty()) ratio_of_held_ = std::max(ratio_of_held_, real_lu_.pivot_ratio());
  if (!good) {
    has_derivatives_ = false;
    report.note_singular(evaluator_->system(), real_lu_.weakest_column(), real_lu_.weakest_row());
  }
  return good;
}

// ---- error and dense output

/// e = γ(h ż₀ + Σ eᵢ (zᵢ − z₀)) for z = (q, v, x), γ = μ₀, then (1 − hγ ∂ż/∂z) δ = e, which damps what is stiff (StageMatrices).
double Radau::estimate_error(const equations::Point& from, const equations::Point& to, double h) {
  const RadauMethod& m = radau_method();
  const equations::System& s = evaluator_->system();
  const double gamma = m.mu0;
  const auto embedded = [&](double slope, double z1, double z2, double z3) {
    return gamma * (h * slope + m.embedded[0] * z1 + m.embedded[1] * z2 + m.embedded[2] * z3);
  };
  for (int i = 0; i < s.nv(); ++i) {
    const double v = from.v[i];
    error_q_[i] = embedded(v, theta_[0][i], theta_[1][i], theta_[2][i]);
    error_v_[i] = embedded(from.a[i], stage_[0].v[i] - v, stage_[1].v[i] - v, stage_[2].v[i] - v);
  }
  for (int i = 0; i < s.nx(); ++i) {
    const double x = from.x[i];
    error_x_[i] = embedded(from.xd[i], stage_[0].x[i] - x, stage_[1].x[i] - x, stage_[2].x[i] - x);
  }
  filter_error(h * gamma);
  has_estimate_ = true;
  const double error = measure_error(from, to);
  // a transient that is over after a small part of the first step has a slope that says nothing about the step
  if (error < 1 || !(last_step_ == 0 || was_rejected_)) return error;
  filter_error(h * gamma);
  return measure_error(from, to);
}

/// (1 − g ∂ż/∂z) δ = e: e becomes δ.
void Radau::filter_error(double g) {
  const equations::System& s = evaluator_->system();
  const int first_x = s.nv() + s.nl();
  matrices_.make_rate_rows(g, error_v_, error_q_, error_x_, filtered_);
  // next to a singular position of a mechanism, one solution is not enough
  stage_[2].lambda.empty() ? real_lu_.solve_once(filtered_) : real_lu_.solve(filtered_);
  for (int i = 0; i < s.nv(); ++i) {
    error_v_[i] += g * filtered_[i];
    error_q_[i] += g * g * filtered_[i];
  }
  for (int i = 0; i < s.nx(); ++i) error_x_[i] += g * filtered_[first_x + i];
}

double Radau::measure_error(const equations::Point& from, const equations::Point& to) {
  norm_.clear();
  for (int i = 0; i < int(error_v_.size()); ++i) {
    norm_.add_position(i, error_q_[i], std::max(tangent_.size(from.q, i), tangent_.size(to.q, i)));
    norm_.add_velocity(i, error_v_[i], std::max(std::abs(from.v[i]), std::abs(to.v[i])));
  }
  ErrorNorm::Largest largest;
  for (int i = 0; i < int(error_x_.size()); ++i)
    norm_.add_state(largest, i, error_x_[i], std::max(std::abs(from.x[i]), std::abs(to.x[i])));
  norm_.add(largest);
  const double of_states = norm_.value();
  if (from.y.empty()) return of_states;

  ErrorNorm::Largest of_algebraic;
  const double* y = filtered_.data() + error_v_.size() + from.lambda.size() + error_x_.size();
  for (int i = 0; i < int(from.y.size()); ++i)
    norm_.add_algebraic(of_algebraic, i, y[i], std::max(std::abs(from.y[i]), std::abs(to.y[i])));
  if (std::isnan(of_algebraic.value)) return of_algebraic.value;
  return std::max(of_states, std::min(of_algebraic.value, most_amplified * of_states));
}

bool Radau::solve_between(equations::Point& at) {
  if (factored_step_ == 0 || !held_.empty()) return false;
  return solve::solve_between(*evaluator_, *statistics_, real_lu_, factored_step_ * radau_method().mu0, newton_limit_,
                              norm_, real_part_, at);
}

/// Beside a singular position, steps this much shorter than others show that it cannot be passed.
bool Radau::is_stuck_at_singularity(const equations::Point& from, double h) {
  constexpr double stuck = 1e-5, nearly = 1e-3;  // of the longest step; what is left of a row of unit length
  if (evaluator_->system().nl() == 0 || h >= stuck * longest_step_) return false;
  ConstraintProjection projection(*evaluator_, *statistics_);
  return find_dependent_rows(projection, from, nearly).size() > redundant_;
}

/// The collocation polynomial, of order 4 with the part of its error that the estimate tells.
void Radau::interpolate(const equations::Point& from, const equations::Point&, double s, equations::Point& at) {
  const RadauMethod& m = radau_method();
  const auto w = lagrange<4>({0, m.c[0], m.c[1], m.c[2]}, s);
  const auto sum = [&](std::vector<double> equations::Point::*part, int i) {
    (at.*part)[i] = w[0] * (from.*part)[i] + w[1] * (stage_[0].*part)[i] + w[2] * (stage_[1].*part)[i] +
                    w[3] * (stage_[2].*part)[i];
  };
  const double missing = has_estimate_ ? m.omega(s) * m.between : 0;
  for (int i : wanted_.x) sum(&equations::Point::x, i), at.x[i] += missing * error_x_[i];
  for (int i : wanted_.xd) sum(&equations::Point::xd, i);
  for (int i : wanted_.y) sum(&equations::Point::y, i);
  for (int i : wanted_.lambda) sum(&equations::Point::lambda, i);
  if (!wanted_.motion || at.v.empty()) return;
  std::vector<double>& theta = rate_[0];
  for (int i = 0; i < int(at.v.size()); ++i) {
    theta[i] = w[1] * theta_[0][i] + w[2] * theta_[1][i] + w[3] * theta_[2][i] + missing * error_q_[i];
    sum(&equations::Point::v, i), sum(&equations::Point::a, i);
    at.v[i] += missing * error_v_[i];
  }
  at.q = from.q;
  evaluator_->retract(at.q, theta);
}

}  // namespace coenergy::solve
