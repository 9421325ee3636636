#ifdef COENERGY_SUNDIALS
#include <ida/ida.h>

#include <cmath>

#include "coenergy/solve/sundials.hpp"
#include "coenergy/solve/sundials_support.hpp"

namespace coenergy::solve {
namespace {

class Ida : public Stepper {
 public:
  Ida(equations::Evaluator& evaluator, const Options& options, Statistics& statistics, bool damp_multipliers)
      : Stepper(evaluator),
        s_(evaluator.system()),
        statistics_(&statistics),
        form_(evaluator, options, statistics),
        increment_(s_),
        size_(s_.nq() + s_.n()),
        y_(size_, context_.context),
        rate_(size_, context_.context),
        tolerance_(size_, context_.context),
        linear_solver_(this, context_.context),
        memory_(IDACreate(context_.context)),
        lu_(s_.n(), s_.pattern().column_start, s_.pattern().row, multiplier_indices(s_)),
        values_(s_.pattern().row.size()),
        by_q_(values_.size()),
        right_(s_.n()),
        theta_(s_.nv()),
        at_(s_.start()) {
    at_.q.resize(s_.nq()), at_.v.resize(s_.nv()), at_.a.resize(s_.nv()), at_.lambda.resize(s_.nl());
    at_.x.resize(s_.nx()), at_.xd.resize(s_.nx()), at_.y.resize(s_.ny()), at_.d.resize(s_.nd());
    if (damp_multipliers) form_.damp_multipliers(), lu_.set_damping(1e-8);
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
    if (options.max_step > 0) IDASetMaxStep(memory_, options.max_step);
  }
  ~Ida() override { IDAFree(&memory_); }

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
      IDAReInit(memory_, from.t, y_.vector, rate_.vector);
      is_running_ = true, has_matrix_ = false, now_ = from.t;
    }
    log_.add_step(from, h);
    StepOutcome outcome;
    // one step of the library at a time: its polynomial is that of the last one
    if (now_ <= from.t) {
      const int flag = IDASolve(memory_, t, &reached, y_.vector, rate_.vector, IDA_ONE_STEP);
      IDAGetCurrentTime(memory_, &now_);
      IDAGetLastStep(memory_, &last_step_);
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
    to = from;
    unpack(t, y_.data(), rate_.data(), to);
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
    unpack(t, y_.data(), rate_.data(), at);
    evaluator_->normalize(at.q);
  }
  /// All but the memory of the library.
  void visit_memory(StateArchive& archive) {
    archive(form_, lu_, values_, by_q_, at_, has_matrix_, now_, last_step_, asked_, matrix_c_, matrix_t_);
  }
  int error_order() const override { return 2; }
  double suggested_step() const override {
    if (now_ > asked_) return now_ - asked_;
    double h = 0;
    IDAGetCurrentStep(memory_, &h);
    return h;
  }

  /// Newton's matrix J = ∂F/∂Y + c ∂F/∂Ẏ: from c δq − ½ q ⊗ δv = b_q follows δq, and
  /// (∂R/∂q/c + ∂R/∂v + c ∂R/∂a) δv + … = b − ∂R/∂q b_q/c.
  int solve_linear(double* z, const double* b) {
    double c = 0, t = 0;
    IDAGetCurrentCj(memory_, &c);
    IDAGetCurrentTime(memory_, &t);
    if (!has_matrix_ || c != matrix_c_ || t != matrix_t_) {
      evaluator_->jacobian(at_, level, {.q = 1 / c, .v = 1, .a = c, .lambda = 1, .x = 1, .xd = c, .y = 1}, values_);
      evaluator_->jacobian(at_, level, {.q = 1}, by_q_);
      statistics_->jacobians += 2, ++statistics_->factorizations;
      has_matrix_ = lu_.factor(values_);
      if (!has_matrix_) return 1;
      matrix_c_ = c, matrix_t_ = t;
    }
    const int nq = s_.nq(), nv = s_.nv();
    increment_.to_tangent(at_.q, b, theta_);
    for (double& value : theta_) value /= c;
    // rows in the order of the system, variables (q, v, x, λ, y) in that of Y
    std::copy(b + nq, b + size_, right_.begin());
    subtract_product(s_, by_q_, 0, theta_, right_);
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

 private:
  static constexpr double round_off = 1e-15;  // of a time
  /// y at a time within the last step of the library.
  void read(double t) {
    t = std::min(t, now_);
    IDAGetDky(memory_, t, 0, y_.vector), IDAGetDky(memory_, t, 1, rate_.vector);
  }
  static constexpr auto level = equations::Level::acceleration;

  void set_tolerances(const Options& options) {
    double* to = tolerance_.data();
    const auto put = [&](int unknown) { *to++ = options.atol * (unknown < 0 ? 1 : s_.unknown(unknown).nominal); };
    const int scalars = s_.nv() - 3 * (s_.nq() - s_.nv());
    for (int i = 0; i < s_.nq(); ++i) put(i < scalars ? i : -1);
    for (int i = 0; i < s_.nv(); ++i) put(i);
    for (int i = 0; i < s_.nx(); ++i) put(s_.nv() + s_.nl() + i);
    // multipliers and algebraic variables are not integrated: no error test
    SundialsVector differential(size_, context_.context);
    N_VConst(1, differential.vector);
    for (double* id = differential.data() + (to - tolerance_.data()); id < differential.data() + size_; ++id) *id = 0;
    for (int i = 0; i < s_.nl(); ++i) put(s_.nv() + i);
    for (int i = 0; i < s_.ny(); ++i) put(s_.nv() + s_.nl() + s_.nx() + i);
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
    ++statistics_->residuals;
    return std::all_of(rows.begin(), rows.end(), [](double value) { return std::isfinite(value); }) ? 0 : 1;
  }

  const equations::System& s_;
  Statistics* statistics_;
  ExplicitForm form_;
  ConfigurationIncrement increment_;
  int size_;
  SundialsContext context_;
  SundialsVector y_, rate_, tolerance_;
  EmbeddedLinearSolver<Ida> linear_solver_;
  void* memory_;
  math::SparseLu<double> lu_;
  std::vector<double> values_, by_q_, right_, theta_;
  equations::Point at_;  // last point at which F was evaluated
  CallLog log_;
  bool is_running_ = false, has_matrix_ = false;
  double now_ = 0, last_step_ = 0, asked_ = 0, matrix_c_ = 0, matrix_t_ = 0;
};

}  // namespace

std::unique_ptr<Stepper> make_ida(equations::Evaluator& evaluator, const Options& options, Statistics& statistics,
                                  bool damp_multipliers) {
  return std::make_unique<Ida>(evaluator, options, statistics, damp_multipliers);
}

}  // namespace coenergy::solve
#endif
