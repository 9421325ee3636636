#ifdef COENERGY_SUNDIALS
#include <cvode/cvode.h>

#include <cmath>

#include "coenergy/solve/sundials.hpp"
#include "coenergy/solve/sundials_stepper.hpp"

namespace coenergy::solve {
namespace {

class Cvode : public SundialsStepper {
 public:
  // the library cannot be without a state: one of its own then rests
  Cvode(equations::Evaluator& evaluator, const Options& options, Statistics& statistics, const Redundancy& redundancy)
      : SundialsStepper(evaluator, options, statistics, redundancy,
                        std::max(1, evaluator.system().nq() + evaluator.system().nv() + evaluator.system().nx())),
        newton_(this, y_.vector, context_.context),
        linear_solver_(this, context_.context),
        memory_(CVodeCreate(CV_BDF, context_.context)),
        matrices_(s_, s_.pattern()) {
    pack(at_);
    const auto rate = [](sunrealtype t, N_Vector y, N_Vector rate, void* self) {
      return static_cast<Cvode*>(self)->evaluate(t, N_VGetArrayPointer(y), N_VGetArrayPointer(rate));
    };
    CVodeInit(memory_, rate, 0, y_.vector);
    CVodeSetUserData(memory_, this);
    set_state_tolerances(options);
    CVodeSVtolerances(memory_, options.rtol, tolerance_.vector);
    CVodeSetLinearSolver(memory_, linear_solver_.solver, nullptr);
    CVodeSetMaxNumSteps(memory_, -1);
    newton_.attach_by([this](SUNNonlinearSolver solver) { CVodeSetNonlinearSolver(memory_, solver); });
    if (projects(options)) set_projection();
    if (options.max_step > 0) CVodeSetMaxStep(memory_, options.max_step);
  }
  ~Cvode() override { CVodeFree(&memory_); }

  /// (1 − γ ∂Ẏ/∂Y) δ = b, see StageMatrices.
  int solve_linear(double* z, const double* b) {
    double gamma = 0, t = 0;
    CVodeGetCurrentGamma(memory_, &gamma);
    CVodeGetCurrentTime(memory_, &t);
    if (!has_matrix_ || gamma != matrix_factor_ || t != matrix_t_) {
      if (!update_matrix(gamma)) return 1;
      matrix_factor_ = gamma, matrix_t_ = t;
    }
    const int nq = s_.nq(), nv = s_.nv(), nx = s_.nx(), first_x = nv + s_.nl();
    const std::span bv(b + nq, nv), bx(b + nq + nv, nx);
    increment_.to_tangent(at_.q, b, theta_);
    matrices_.make_rate_rows(gamma, bv, theta_, bx, right_);
    lu_.solve(right_);
    for (int i = 0; i < nv; ++i) theta_[i] = bv[i] + gamma * right_[i];
    std::copy(b, b + size_, z);
    increment_.add_from_tangent(at_.q, theta_.data(), gamma, z);
    std::copy(theta_.begin(), theta_.end(), z + nq);
    for (int i = 0; i < nx; ++i) z[nq + nv + i] = bx[i] + gamma * right_[first_x + i];
    return 0;
  }

  int finish_newton(N_Vector) { return 0; }

 private:
  bool update_matrix(double gamma) {
    constexpr auto level = equations::Level::acceleration;
    matrices_.evaluate(*evaluator_, at_, level);
    matrices_.combine(gamma, values_);
    ++statistics_->jacobians;
    return factor();
  }

  void set_projection() {
    CVodeSetProjFn(memory_, [](sunrealtype t, N_Vector y, N_Vector correction, sunrealtype, N_Vector, void* self) {
      return static_cast<Cvode*>(self)->project(t, N_VGetArrayPointer(y), N_VGetArrayPointer(correction));
    });
    CVodeSetProjErrEst(memory_, SUNFALSE);
  }

  void restart(const equations::Point& from) override {
    pack(from);
    CVodeReInit(memory_, from.t, y_.vector);
  }
  int advance(double t) override {
    double reached = now_;
    const int flag = CVode(memory_, t, y_.vector, &reached, CV_ONE_STEP);
    CVodeGetCurrentTime(memory_, &now_);
    CVodeGetLastStep(memory_, &last_step_);
    return flag;
  }
  void interpolate_to(double t) override { CVodeGetDky(memory_, t, 0, y_.vector); }
  double next_step() const override {
    double h = 0;
    CVodeGetCurrentStep(memory_, &h);
    return h;
  }
  void unpack(double t, equations::Point& to) override { unpack(t, y_.data(), to); }
  void visit_matrices(StateArchive& archive) override { archive(matrices_); }

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
    // redundant constraints contradict each other beside the positions that they allow: the equations are asked for at
    // the nearest of these
    NewtonReport report;
    if (!spare_.empty() && !form_.project(at_, report)) return 1;
    if (!form_.complete(at_).converged) return 1;
    std::fill(rate, rate + size_, 0.0);
    evaluator_->configuration_rate(at_, std::span(rate, at_.q.size()));
    rate = std::copy(at_.a.begin(), at_.a.end(), rate + at_.q.size());
    std::copy(at_.xd.begin(), at_.xd.end(), rate);
    return 0;
  }

  EmbeddedNewton<Cvode> newton_;
  EmbeddedLinearSolver<Cvode> linear_solver_;
  void* memory_;
  StageMatrices matrices_;
};

}  // namespace

std::unique_ptr<Stepper> make_cvode(equations::Evaluator& evaluator, const Options& options, Statistics& statistics,
                                    const Redundancy& redundancy) {
  return std::make_unique<Cvode>(evaluator, options, statistics, redundancy);
}

}  // namespace coenergy::solve
#endif
