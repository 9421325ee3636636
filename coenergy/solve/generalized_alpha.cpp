#include "coenergy/solve/generalized_alpha.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace coenergy::solve {

static constexpr double short_part = 0.05;  // of the fixed step

AlphaParameters AlphaParameters::from_alphas(double alpha_m, double alpha_f) {
  AlphaParameters p{alpha_m, alpha_f};
  p.gamma = 0.5 + alpha_f - alpha_m;
  p.beta = (p.gamma + 0.5) * (p.gamma + 0.5) / 4;
  return p;
}

AlphaParameters AlphaParameters::chung_hulbert(double rho_inf) {
  return from_alphas((2 * rho_inf - 1) / (rho_inf + 1), rho_inf / (rho_inf + 1));
}

AlphaParameters AlphaParameters::jansen(double rho_inf) {
  return from_alphas((3 * rho_inf - 1) / (2 * (rho_inf + 1)), rho_inf / (rho_inf + 1));
}

namespace {

AlphaParameters choose_alphas(const Options& options) {
  if (options.method == "newmark") return AlphaParameters::from_alphas(0, 0);
  if (options.method == "hht") return AlphaParameters::from_alphas(0, options.alpha_f.value_or(0.05));
  if (options.alpha_m || options.alpha_f)
    return AlphaParameters::from_alphas(options.alpha_m.value_or(0), options.alpha_f.value_or(0));
  const double rho_inf = options.rho_inf.value_or(0.8);
  return options.method == "jansen" ? AlphaParameters::jansen(rho_inf) : AlphaParameters::chung_hulbert(rho_inf);
}

}  // namespace

AlphaParameters AlphaParameters::from_options(const Options& options) {
  AlphaParameters p = choose_alphas(options);
  p.gamma = options.gamma.value_or(p.gamma);
  p.beta = options.beta.value_or((p.gamma + 0.5) * (p.gamma + 0.5) / 4);
  return p;
}

std::vector<std::string> AlphaParameters::warnings() const {
  constexpr double round_off = 1e-12;
  std::vector<std::string> texts;
  const double best = 0.5 + alpha_f - alpha_m;
  if (gamma < best - round_off)
    texts.push_back(
        fmt::format("gamma = {:g} is below 1/2 + alpha_f - alpha_m = {:g}: oscillations grow", gamma, best));
  else if (gamma > best + round_off)
    texts.push_back(
        fmt::format("gamma = {:g} is not 1/2 + alpha_f - alpha_m = {:g}: errors fall with the step, not with its "
                    "square",
                    gamma, best));
  if (const double least = gamma / 2; beta < least - round_off)
    texts.push_back(fmt::format(
        "beta = {:g} is below gamma/2 = {:g}: steps must be short beside the fastest oscillation", beta, least));
  return texts;
}

/// The principal roots solve z² − (2 − (γ + ½)/β) z + 1 − (γ − ½)/β = 0.
double AlphaParameters::rho_mechanical() const {
  constexpr double double_root = 1e-12;  // of what is left of the discriminant there
  const double half = 1 - (gamma + 0.5) / (2 * beta), product = 1 - (gamma - 0.5) / beta;
  const double discriminant = half * half - product;
  const double principal = discriminant <= double_root ? std::sqrt(std::max(product, half * half))
                                                       : std::abs(half) + std::sqrt(discriminant);
  return std::max(alpha_f / (1 - alpha_f), principal);
}

double AlphaParameters::rho_state() const {
  const double kappa = alpha_f - alpha_m;
  return std::max(alpha_f / (1 - alpha_f), std::abs(1 - 2 * kappa) / (1 + 2 * kappa));
}

GeneralizedAlpha::GeneralizedAlpha(equations::Evaluator& evaluator, const Options& options, Statistics& statistics)
    : Stepper(evaluator),
      parameters_(AlphaParameters::from_options(options)),
      newton_(evaluator, {.tolerance = solve::newton_tolerance(options), .max_iterations = options.max_newton},
              statistics),
      form_(evaluator, for_completion(options), statistics),
      norm_(evaluator.system(), options),
      usual_step_(options.step),
      is_adaptive_(is_adaptive(options)),
      is_constrained_(evaluator.system().nl() > 0) {
  const equations::System& s = evaluator.system();
  rule_.q0.resize(s.nq());
  rule_.theta0.resize(s.nv()), rule_.v0.resize(s.nv()), a0_.resize(s.nv());
  rule_.x0.resize(s.nx()), w0_.resize(s.nx());
}

void GeneralizedAlpha::damp_multipliers(const std::vector<int>& spare) {
  newton_.damp_multipliers(spare);
  form_.damp_multipliers(spare);
}

void GeneralizedAlpha::Memory::begin(const std::vector<double>& values) {
  now = next = values;
  last_slope.assign(values.size(), 0.0);
}

void GeneralizedAlpha::begin(const equations::Point& p) {
  a_.begin(p.a);
  w_.begin(p.xd);
  last_step_ = 0;
  has_consistent_ = false;
  newton_.forget_matrix();
  form_.forget_matrix();
}

StepOutcome GeneralizedAlpha::step(const equations::Point& given, double h, equations::Point& to) {
  const auto [alpha_m, alpha_f, beta, gamma] = parameters_;
  const double c = (1 - alpha_f) / (1 - alpha_m);

  // equilibrium at t₁
  const equations::Point& from = start_of_step(given, h);
  set_rule(from, h);
  // a short step to an event: at position level accelerations would have the round-off of q over h²
  const bool is_short = h < short_part * usual_step_;
  const bool projects = is_constrained_ && (is_adaptive_ || is_short);
  rule_.level = is_adaptive_ || is_short ? equations::Level::acceleration : equations::Level::position;
  to = from;
  to.t = given.t + h;
  StepOutcome outcome;
  outcome.newton = newton_.solve(rule_, to);
  outcome.good = outcome.newton.converged;
  if (!outcome.good) return outcome;

  // algorithmic accelerations and rates at t₁
  for (std::size_t i = 0; i < a0_.size(); ++i)
    a_.next[i] = c * to.a[i] + (alpha_f * from.a[i] - alpha_m * a0_[i]) / (1 - alpha_m);
  for (std::size_t i = 0; i < w0_.size(); ++i)
    w_.next[i] = c * to.xd[i] + (alpha_f * from.xd[i] - alpha_m * w0_[i]) / (1 - alpha_m);

  // with error control: estimate; and back to the constraints
  if (is_adaptive_) outcome.error = estimate_error(from, to, h);
  if (projects && outcome.error <= 1) {
    outcome.newton = form_.finish(to);
    outcome.good = outcome.newton.converged;
  }
  return outcome;
}

const equations::Point& GeneralizedAlpha::start_of_step(const equations::Point& from, double h) {
  const bool is_changed = last_step_ > 0 && std::abs(h - last_step_) > 1e-6 * last_step_;
  if (is_adaptive_ || !is_constrained_ || !is_changed) return from;
  if (!has_consistent_) {
    consistent_ = from;
    has_consistent_ = form_.finish(consistent_).converged;
  }
  return has_consistent_ ? consistent_ : from;
}

/// a₁ = c q̈₁ + r with r known: positions and velocities as the rule wants them. Likewise states.
void GeneralizedAlpha::set_rule(const equations::Point& from, double h) {
  const auto [alpha_m, alpha_f, beta, gamma] = parameters_;
  const double c = (1 - alpha_f) / (1 - alpha_m);
  const double ratio = last_step_ > 0 ? h / last_step_ : 1;
  const bool forgets = &from == &consistent_;
  rule_.cq = h * h * beta * c, rule_.cv = rule_.cx = h * gamma * c;
  rule_.q0 = from.q;
  for (std::size_t i = 0; i < a0_.size(); ++i) {
    a0_[i] = forgets ? from.a[i] : from.a[i] + ratio * (a_.now[i] - from.a[i]);
    const double r = (alpha_f * from.a[i] - alpha_m * a0_[i]) / (1 - alpha_m);
    rule_.theta0[i] = h * from.v[i] + h * h * ((0.5 - beta) * a0_[i] + beta * r);
    rule_.v0[i] = from.v[i] + h * ((1 - gamma) * a0_[i] + gamma * r);
  }
  for (std::size_t i = 0; i < w0_.size(); ++i) {
    w0_[i] = from.xd[i] + ratio * (w_.now[i] - from.xd[i]);
    const double r = (alpha_f * from.xd[i] - alpha_m * w0_[i]) / (1 - alpha_m);
    rule_.x0[i] = from.x[i] + h * ((1 - gamma) * w0_[i] + gamma * r);
  }
}

void GeneralizedAlpha::accept(const equations::Point& from, const equations::Point& to) {
  const double h = to.t - from.t;
  for (std::size_t i = 0; i < a0_.size(); ++i) a_.last_slope[i] = (a_.next[i] - a0_[i]) / h;
  for (std::size_t i = 0; i < w0_.size(); ++i) w_.last_slope[i] = (w_.next[i] - w0_[i]) / h;
  std::swap(a_.now, a_.next);
  std::swap(w_.now, w_.next);
  last_step_ = h;
  has_consistent_ = false;
}

double GeneralizedAlpha::estimate_error(const equations::Point& from, const equations::Point& to, double h) {
  const auto [alpha_m, alpha_f, beta, gamma] = parameters_;
  const double kappa = alpha_f - alpha_m;
  const double cq = std::abs(1.0 / 6 - beta + kappa / 2);
  const double cx = std::abs(1.0 / 6 - gamma / 2 + gamma * kappa + kappa * (alpha_m - 0.5));
  // h³ times the second derivative of a rate, by divided differences; in the first step the first difference stands in
  const auto third_order = [&](double before, double after, double last_slope) {
    const double slope = (after - before) / h;
    if (last_step_ == 0) return cx * h * h * slope;
    return cx * h * h * h * (slope - last_slope) * 2 / (h + last_step_);
  };
  norm_.clear();
  for (std::size_t i = 0; i < a0_.size(); ++i) {
    const int k = int(i);
    const double q = std::max(tangent_.size(from.q, k), tangent_.size(to.q, k));
    norm_.add_position(k, cq * h * h * (a_.next[i] - a0_[i]), q);
    norm_.add_velocity(k, third_order(a0_[i], a_.next[i], a_.last_slope[i]),
                       std::max(std::abs(from.v[i]), std::abs(to.v[i])));
  }
  for (std::size_t i = 0; i < w0_.size(); ++i)
    norm_.add_state(int(i), third_order(w0_[i], w_.next[i], w_.last_slope[i]),
                    std::max(std::abs(from.x[i]), std::abs(to.x[i])));
  return norm_.value();
}

}  // namespace coenergy::solve
