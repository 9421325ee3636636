#ifdef COENERGY_SUNDIALS
#include <cvode/cvode.h>

#include <cmath>

#include "coenergy/solve/sundials.hpp"
#include "coenergy/solve/sundials_support.hpp"

namespace coenergy::solve {
namespace {

class Cvode : public Stepper {
 public:
  Cvode(equations::Evaluator& evaluator, const Options& options, Statistics& statistics, bool damp_multipliers)
      : Stepper(evaluator),
        s_(evaluator.system()),
        statistics_(&statistics),
        form_(evaluator, options, statistics),
        increment_(s_),
        size_(s_.nq() + s_.nv() + s_.nx()),
        y_(size_, context_.context),
        tolerance_(size_, context_.context),
        linear_solver_(this, context_.context),
        memory_(CVodeCreate(CV_BDF, context_.context)),
        lu_(s_.n(), s_.pattern().column_start, s_.pattern().row, multiplier_indices(s_)),
        s0_(s_.pattern().row.size()),
        s1_(s0_.size()),
        s2_(s0_.size()),
        values_(s0_.size()),
        right_(s_.n()),
        theta_(s_.nv()),
        at_(s_.start()) {
    at_.q.resize(s_.nq()), at_.v.resize(s_.nv()), at_.a.resize(s_.nv()), at_.lambda.resize(s_.nl());
    at_.x.resize(s_.nx()), at_.xd.resize(s_.nx()), at_.y.resize(s_.ny()), at_.d.resize(s_.nd());
    if (damp_multipliers) form_.damp_multipliers(), lu_.set_damping(1e-8);
    pack(at_);
    const auto rate = [](sunrealtype t, N_Vector y, N_Vector rate, void* self) {
      return static_cast<Cvode*>(self)->evaluate(t, N_VGetArrayPointer(y), N_VGetArrayPointer(rate));
    };
    CVodeInit(memory_, rate, 0, y_.vector);
    CVodeSetUserData(memory_, this);
    set_tolerances(options);
    CVodeSetLinearSolver(memory_, linear_solver_.solver, nullptr);
    CVodeSetMaxNumSteps(memory_, -1);
    if (options.max_step > 0) CVodeSetMaxStep(memory_, options.max_step);
  }
  ~Cvode() override { CVodeFree(&memory_); }

  void begin(const equations::Point&) override {
    is_running_ = false;
    form_.forget_matrix();
  }

  StepOutcome step(const equations::Point& from, double h, equations::Point& to) override {
    const double t = from.t + h;
    double reached = now_;
    if (!is_running_ || t < now_ - last_step_) {
      StateArchive memory;
      visit_memory(memory);
      log_.restart(memory.bytes());
      at_ = from;
      pack(from);
      CVodeReInit(memory_, from.t, y_.vector);
      is_running_ = true, has_matrix_ = false, now_ = from.t;
    }
    log_.add_step(from, h);
    StepOutcome outcome;
    // one step of the library at a time: its polynomial is that of the last one
    if (now_ <= from.t) {
      const int flag = CVode(memory_, t, y_.vector, &reached, CV_ONE_STEP);
      CVodeGetCurrentTime(memory_, &now_);
      CVodeGetLastStep(memory_, &last_step_);
      if (flag < 0) {
        is_running_ = false;
        return outcome;
      }
    }
    if (t - now_ > round_off * std::abs(t)) {
      outcome.longest = now_ - from.t;
      return outcome;
    }
    read(t);
    asked_ = t;
    to = at_;
    to.d = from.d;
    unpack(t, y_.data(), to);
    evaluator_->normalize(to.q);
    outcome.newton = form_.finish(to);
    outcome.good = outcome.newton.converged;
    return outcome;
  }

  void accept(const equations::Point&, const equations::Point& to) override { log_.accept(to); }
  void visit(StateArchive& archive) override {
    archive(is_running_);
    if (!is_running_) return visit_memory(archive);
    archive(log_);
    if (!archive.reads()) return;
    const CallLog log = log_;
    is_running_ = false;
    CallLog::replay(log, *this);
  }
  /// By the polynomial of the library, of the order of the method.
  void interpolate(const equations::Point& from, const equations::Point& to, double s, equations::Point& at) override {
    const double t = from.t + s * (to.t - from.t);
    read(t);
    unpack(t, y_.data(), at);
    evaluator_->normalize(at.q);
  }
  /// All but the memory of the library.
  void visit_memory(StateArchive& archive) {
    archive(form_, lu_, s0_, s1_, s2_, values_, at_, has_matrix_, now_, last_step_, asked_, matrix_gamma_, matrix_t_);
  }
  int error_order() const override { return 2; }
  double suggested_step() const override {
    if (now_ > asked_) return now_ - asked_;
    double h = 0;
    CVodeGetCurrentStep(memory_, &h);
    return h;
  }

  /// (1 − γ ∂Ẏ/∂Y) δ = b: δv = b_v + γ δa, δq = b_q + γ δv, δx = b_x + γ δẋ with
  /// (S₀ + γ S₁ + γ² S₂)(δa, δλ, δẋ, δy) = −∂R/∂v b_v − ∂R/∂q (b_q + γ b_v) − ∂R/∂x b_x.
  int solve_linear(double* z, const double* b) {
    double gamma = 0, t = 0;
    CVodeGetCurrentGamma(memory_, &gamma);
    CVodeGetCurrentTime(memory_, &t);
    if (!has_matrix_ || gamma != matrix_gamma_ || t != matrix_t_) {
      if (!update_matrix(gamma)) return 1;
      matrix_gamma_ = gamma, matrix_t_ = t;
    }
    const int nq = s_.nq(), nv = s_.nv(), nx = s_.nx(), first_x = nv + s_.nl();
    const std::span bv(b + nq, nv), bx(b + nq + nv, nx);
    increment_.to_tangent(at_.q, b, theta_);
    for (int i = 0; i < nv; ++i) theta_[i] += gamma * bv[i];
    std::fill(right_.begin(), right_.end(), 0.0);
    subtract_product(s_, s1_, 0, bv, right_);
    subtract_product(s_, s2_, 0, theta_, right_);
    subtract_product(s_, s1_, first_x, bx, right_);
    lu_.solve(right_);
    for (int i = 0; i < nv; ++i) theta_[i] = bv[i] + gamma * right_[i];
    std::copy(b, b + nq, z);
    increment_.add_from_tangent(at_.q, theta_.data(), gamma, z);
    std::copy(theta_.begin(), theta_.end(), z + nq);
    for (int i = 0; i < nx; ++i) z[nq + nv + i] = bx[i] + gamma * right_[first_x + i];
    return 0;
  }

 private:
  static constexpr double round_off = 1e-15;  // of a time
  /// y at a time within the last step of the library.
  void read(double t) {
    t = std::min(t, now_);
    CVodeGetDky(memory_, t, 0, y_.vector);
  }
  bool update_matrix(double gamma) {
    constexpr auto level = equations::Level::acceleration;
    evaluator_->jacobian(at_, level, {.a = 1, .lambda = 1, .xd = 1, .y = 1}, s0_);
    evaluator_->jacobian(at_, level, {.v = 1, .x = 1}, s1_);
    evaluator_->jacobian(at_, level, {.q = 1}, s2_);
    for (std::size_t e = 0; e < s0_.size(); ++e) values_[e] = s0_[e] + gamma * (s1_[e] + gamma * s2_[e]);
    statistics_->jacobians += 3, ++statistics_->factorizations;
    return has_matrix_ = lu_.factor(values_);
  }

  void set_tolerances(const Options& options) {
    double* to = tolerance_.data();
    const int scalars = s_.nv() - 3 * (s_.nq() - s_.nv());
    for (int i = 0; i < s_.nq(); ++i) *to++ = options.atol * (i < scalars ? s_.unknown(i).nominal : 1);
    for (int i = 0; i < s_.nv(); ++i) *to++ = options.atol * s_.unknown(i).nominal;
    for (int i = 0; i < s_.nx(); ++i) *to++ = options.atol * s_.unknown(s_.nv() + s_.nl() + i).nominal;
    CVodeSVtolerances(memory_, options.rtol, tolerance_.vector);
  }

  void pack(const equations::Point& p) {
    double* y = std::copy(p.q.begin(), p.q.end(), y_.data());
    y = std::copy(p.v.begin(), p.v.end(), y);
    std::copy(p.x.begin(), p.x.end(), y);
  }

  static void unpack(double t, const double* y, equations::Point& p) {
    p.t = t;
    for (auto* part : {&p.q, &p.v, &p.x}) {
      std::copy(y, y + part->size(), part->begin());
      y += part->size();
    }
  }

  int evaluate(double t, const double* y, double* rate) {
    unpack(t, y, at_);
    if (!form_.complete(at_).converged) return 1;
    evaluator_->configuration_rate(at_, std::span(rate, at_.q.size()));
    rate = std::copy(at_.a.begin(), at_.a.end(), rate + at_.q.size());
    std::copy(at_.xd.begin(), at_.xd.end(), rate);
    return 0;
  }

  const equations::System& s_;
  Statistics* statistics_;
  ExplicitForm form_;
  ConfigurationIncrement increment_;
  int size_;
  SundialsContext context_;
  SundialsVector y_, tolerance_;
  EmbeddedLinearSolver<Cvode> linear_solver_;
  void* memory_;
  math::SparseLu<double> lu_;
  std::vector<double> s0_, s1_, s2_, values_, right_, theta_;
  equations::Point at_;  // last point at which the rates were evaluated
  CallLog log_;
  bool is_running_ = false, has_matrix_ = false;
  double now_ = 0, last_step_ = 0, asked_ = 0, matrix_gamma_ = 0, matrix_t_ = 0;
};

}  // namespace

std::unique_ptr<Stepper> make_cvode(equations::Evaluator& evaluator, const Options& options, Statistics& statistics,
                                    bool damp_multipliers) {
  return std::make_unique<Cvode>(evaluator, options, statistics, damp_multipliers);
}

}  // namespace coenergy::solve
#endif
