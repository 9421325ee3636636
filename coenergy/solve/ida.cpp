#ifdef COENERGY_SUNDIALS
#include <ida/ida.h>

#include <cmath>

#include "coenergy/solve/sundials.hpp"
#include "coenergy/solve/sundials_stepper.hpp"

namespace coenergy::solve {
namespace {

class Ida : public SundialsStepper {
 public:
  Ida(equations::Evaluator& evaluator, const Options& options, Statistics& statistics, const Redundancy& redundancy)
      : SundialsStepper(evaluator, for_completion(options), statistics, redundancy,
                        evaluator.system().nq() + evaluator.system().n()),
        rate_(size_, context_.context),
        corrected_(size_, context_.context),
        further_(size_, context_.context),
        projects_(projects(options)),
        newton_(this, y_.vector, context_.context),
        linear_solver_(this, context_.context),
        memory_(IDACreate(context_.context)),
        by_q_(values_.size()) {
    pack(at_);
    const auto residual = [](sunrealtype t, N_Vector y, N_Vector rate, N_Vector r, void* self) {
      return static_cast<Ida*>(self)->residual(t, N_VGetArrayPointer(y), N_VGetArrayPointer(rate),
                                               N_VGetArrayPointer(r));
    };
    IDAInit(memory_, residual, 0, y_.vector, rate_.vector);
    IDASetUserData(memory_, this);
    set_tolerances(options);
    IDASetLinearSolver(memory_, linear_solver_.solver, nullptr);
    IDASetMaxNumSteps(memory_, -1);
    newton_.attach_by([this](SUNNonlinearSolver solver) { IDASetNonlinearSolver(memory_, solver); });
    if (options.max_step > 0) IDASetMaxStep(memory_, options.max_step);
  }
  ~Ida() override { IDAFree(&memory_); }

  /// Newton's matrix J = ∂F/∂Y + c ∂F/∂Ẏ: from c δq − ½ q ⊗ δv = b_q follows δq, and
  /// (∂R/∂q/c + ∂R/∂v + c ∂R/∂a) δv + … = b − ∂R/∂q b_q/c.
  int solve_linear(double* z, const double* b) {
    double c = 0, t = 0;
    IDAGetCurrentCj(memory_, &c);
    IDAGetCurrentTime(memory_, &t);
    if (!has_matrix_ || c != matrix_factor_ || t != matrix_t_) {
      evaluator_->jacobian(at_, level, {.q = 1 / c, .v = 1, .a = c, .lambda = 1, .x = 1, .xd = c, .y = 1}, values_);
      evaluator_->jacobian(at_, level, {.q = 1}, by_q_);
      statistics_->jacobians += 2;
      if (!factor()) return 1;
      matrix_factor_ = c, matrix_t_ = t;
    }
    const int nq = s_.nq(), nv = s_.nv();
    increment_.to_tangent(at_.q, b, theta_);
    for (double& value : theta_) value /= c;
    // rows in the order of the system, variables (q, v, x, λ, y) in that of Y
    std::copy(b + nq, b + size_, right_.begin());
    subtract_product(s_.pattern(), by_q_, 0, theta_, right_);
    lu_.solve(right_);
    const double* solution = right_.data();
    for (int i = 0; i < nq; ++i) z[i] = b[i] / c;
    increment_.add_from_tangent(at_.q, solution, 1 / c, z);
    std::copy(solution, solution + nv, z + nq);
    std::copy(solution + nv + s_.nl(), solution + nv + s_.nl() + s_.nx(), z + nq + nv);
    std::copy(solution + nv, solution + nv + s_.nl(), z + nq + nv + s_.nx());
    std::copy(solution + nv + s_.nl() + s_.nx(), solution + s_.n(), z + nq + nv + s_.nx() + s_.nl());
    ++statistics_->newton_iterations;
    return 0;
  }

  /// IDA knows no projection; but its Newton iteration may end with one.
  int finish_newton(N_Vector correction) {
    if (!projects_) return 0;
    double t = 0;
    IDAGetCurrentTime(memory_, &t);
    IDAComputeY(memory_, correction, corrected_.vector);
    if (project(t, corrected_.data(), further_.data()) != 0) return SUN_NLS_CONV_RECVR;
    N_VLinearSum(1, correction, 1, further_.vector, correction);
    return 0;
  }

 private:
  static constexpr auto level = equations::Level::acceleration;

  void restart(const equations::Point& from) override {
    pack(from);
    IDAReInit(memory_, from.t, y_.vector, rate_.vector);
  }
  int advance(double t) override {
    double reached = now_;
    const int flag = IDASolve(memory_, t, &reached, y_.vector, rate_.vector, IDA_ONE_STEP);
    IDAGetCurrentTime(memory_, &now_);
    IDAGetLastStep(memory_, &last_step_);
    return flag;
  }
  void interpolate_to(double t) override {
    IDAGetDky(memory_, t, 0, y_.vector);
    IDAGetDky(memory_, t, 1, rate_.vector);
  }
  double next_step() const override {
    double h = 0;
    IDAGetCurrentStep(memory_, &h);
    return h;
  }
  void unpack(double t, equations::Point& to) override { unpack(t, y_.data(), rate_.data(), to); }
  void visit_matrices(StateArchive& archive) override { archive(by_q_); }

  void set_tolerances(const Options& options) {
    const int states = set_state_tolerances(options);
    double* to = tolerance_.data() + states;
    for (int i = 0; i < s_.nl(); ++i) *to++ = options.atol * s_.unknown(s_.nv() + i).nominal;
    for (int i = 0; i < s_.ny(); ++i) *to++ = options.atol * s_.unknown(s_.nv() + s_.nl() + s_.nx() + i).nominal;
    // multipliers and algebraic variables are not integrated: no error test
    SundialsVector differential(size_, context_.context);
    N_VConst(1, differential.vector);
    std::fill(differential.data() + states, differential.data() + size_, 0.0);
    IDASetId(memory_, differential.vector);
    IDASetSuppressAlg(memory_, 1);
    IDASVtolerances(memory_, options.rtol, tolerance_.vector);
  }

  void pack(const equations::Point& p) {
    double *y = y_.data(), *rate = rate_.data();
    evaluator_->configuration_rate(p, std::span(rate, p.q.size()));
    y = std::copy(p.q.begin(), p.q.end(), y), rate += p.q.size();
    y = std::copy(p.v.begin(), p.v.end(), y), rate = std::copy(p.a.begin(), p.a.end(), rate);
    y = std::copy(p.x.begin(), p.x.end(), y), rate = std::copy(p.xd.begin(), p.xd.end(), rate);
    y = std::copy(p.lambda.begin(), p.lambda.end(), y);
    std::copy(p.y.begin(), p.y.end(), y);
    std::fill(rate, rate_.data() + size_, 0.0);
  }

  static void unpack(double t, const double* y, const double* rate, equations::Point& p) {
    p.t = t;
    const auto take = [](const double*& from, std::vector<double>& to) {
      std::copy(from, from + to.size(), to.begin());
      from += to.size();
    };
    take(y, p.q), take(y, p.v), take(y, p.x), take(y, p.lambda), take(y, p.y);
    rate += p.q.size();
    take(rate, p.a), take(rate, p.xd);
  }

  int residual(double t, const double* y, const double* rate, double* r) {
    unpack(t, y, rate, at_);
    evaluator_->configuration_rate(at_, std::span(r, at_.q.size()));
    for (std::size_t i = 0; i < at_.q.size(); ++i) r[i] = rate[i] - r[i];
    const std::span rows(r + at_.q.size(), s_.n());
    evaluator_->residual(at_, level, rows);
    for (const int k : spare_) rows[k] = 0;
    ++statistics_->residuals;
    return std::all_of(rows.begin(), rows.end(), [](double value) { return std::isfinite(value); }) ? 0 : 1;
  }

  SundialsVector rate_, corrected_, further_;
  bool projects_;
  EmbeddedNewton<Ida> newton_;
  EmbeddedLinearSolver<Ida> linear_solver_;
  void* memory_;
  std::vector<double> by_q_;
};

}  // namespace

std::unique_ptr<Stepper> make_ida(equations::Evaluator& evaluator, const Options& options, Statistics& statistics,
                                  const Redundancy& redundancy) {
  return std::make_unique<Ida>(evaluator, options, statistics, redundancy);
}

}  // namespace coenergy::solve
#endif
