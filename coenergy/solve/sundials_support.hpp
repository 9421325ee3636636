#pragma once
#ifdef COENERGY_SUNDIALS
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sundials/sundials_linearsolver.h>
#include <sunnonlinsol/sunnonlinsol_newton.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "coenergy/math/rotation.hpp"
#include "coenergy/solve/explicit_form.hpp"
#include "coenergy/solve/stage_matrices.hpp"
#include "coenergy/solve/stepper.hpp"

namespace coenergy::solve {

/// A SUNDIALS context, vector and matrix-embedded linear solver with C++ ownership.
struct SundialsContext {
  SundialsContext() { SUNContext_Create(nullptr, &context); }
  ~SundialsContext() { SUNContext_Free(&context); }
  SundialsContext(const SundialsContext&) = delete;
  SundialsContext& operator=(const SundialsContext&) = delete;
  SUNContext context = nullptr;
};

struct SundialsVector {
  SundialsVector(int n, SUNContext context) : vector(N_VNew_Serial(n, context)) { N_VConst(0, vector); }
  ~SundialsVector() { N_VDestroy(vector); }
  SundialsVector(const SundialsVector&) = delete;
  SundialsVector& operator=(const SundialsVector&) = delete;
  double* data() { return N_VGetArrayPointer(vector); }
  N_Vector vector;
};

/// Solves J z = b by a member function of the owner: int Owner::solve_linear(double* z, const double* b), 0 for
/// success.
template <class Owner>
struct EmbeddedLinearSolver {
  EmbeddedLinearSolver(Owner* owner, SUNContext context) : solver(SUNLinSolNewEmpty(context)) {
    solver->content = owner;
    solver->ops->gettype = [](SUNLinearSolver) { return SUNLINEARSOLVER_MATRIX_EMBEDDED; };
    solver->ops->solve = [](SUNLinearSolver s, SUNMatrix, N_Vector z, N_Vector b, sunrealtype) {
      return static_cast<Owner*>(s->content)->solve_linear(N_VGetArrayPointer(z), N_VGetArrayPointer(b));
    };
    solver->ops->free = [](SUNLinearSolver s) {
      SUNLinSolFreeEmpty(s);
      return 0;
    };
  }
  ~EmbeddedLinearSolver() { SUNLinSolFreeEmpty(solver); }
  EmbeddedLinearSolver(const EmbeddedLinearSolver&) = delete;
  EmbeddedLinearSolver& operator=(const EmbeddedLinearSolver&) = delete;
  SUNLinearSolver solver;
};

/// Newton's iteration of the library with a test of convergence of its own. That of the library takes the rate of
/// convergence of earlier steps for that of this one, since only a set-up, which embedded linear solvers lack, would
/// forget it: then any first correction is called converged, and what it leaves fails the test of errors.
///
/// int Owner::finish_newton(N_Vector correction) follows where it has converged, 0 for success.
template <class Owner>
class EmbeddedNewton {
 public:
  EmbeddedNewton(Owner* owner, N_Vector like, SUNContext context)
      : solver_(SUNNonlinSol_Newton(like, context)), owner_(owner) {}
  ~EmbeddedNewton() { SUNNonlinSolFree(solver_); }
  EmbeddedNewton(const EmbeddedNewton&) = delete;
  EmbeddedNewton& operator=(const EmbeddedNewton&) = delete;

  /// `attach` gives the solver to the library, which sets its own test.
  template <class Attach>
  void attach_by(Attach&& attach) {
    attach(solver_);
    const auto test = [](SUNNonlinearSolver solver, N_Vector correction, N_Vector delta, sunrealtype tolerance,
                         N_Vector weights, void* self) {
      int k = 0;
      SUNNonlinSolGetCurIter(solver, &k);
      auto* newton = static_cast<EmbeddedNewton*>(self);
      const int flag = newton->test(k, N_VWrmsNorm(delta, weights) / tolerance);
      return flag != SUN_NLS_SUCCESS ? flag : newton->owner_->finish_newton(correction);
    };
    SUNNonlinSolSetConvTestFn(solver_, test, this);
  }

 private:
  /// `size` of the k-th correction, in units of the tolerance.
  int test(int k, double size) {
    constexpr double vanished = 1e-4, slowest = 0.9;
    const double rate = size / previous_;
    previous_ = size;
    if (size <= vanished) return SUN_NLS_SUCCESS;
    if (k == 0) return SUN_NLS_CONTINUE;
    if (!(rate <= slowest)) return SUN_NLS_CONV_RECVR;
    return rate / (1 - rate) * size <= 1 ? SUN_NLS_SUCCESS : SUN_NLS_CONTINUE;
  }

  SUNNonlinearSolver solver_;
  Owner* owner_;
  double previous_ = 0;
};

/// What a method of SUNDIALS was asked since it was last initialised. Its memory cannot be read out, but the same calls
/// from the same state make it again, to the same bits: a state that is loaded costs the steps since the last event.
class CallLog {
 public:
  /// The method is initialised anew; `state` is what it remembers apart from the library.
  void restart(std::string state) {
    state_ = std::move(state);
    starts_.clear(), steps_.clear(), accepted_.clear(), jumps_.clear();
  }
  void add_step(const equations::Point& from, double h) {
    starts_.push_back(from.t), steps_.push_back(h), accepted_.push_back(0);
    if (starts_.size() > 1 && is_same(from, from_)) return;
    from_ = from;
    jumps_.emplace_back(starts_.size() - 1, from);
  }
  void accept(const equations::Point& to) {
    if (!accepted_.empty()) accepted_.back() = 1;
    from_ = to;
  }
  void visit(StateArchive& archive) { archive(state_, starts_, steps_, accepted_, jumps_); }

  /// Makes all calls again; step(from, h, to) and accept(from, to) write a log of their own.
  template <class Method>
  static void replay(const CallLog& log, Method& method) {
    StateArchive state(log.state_);
    method.visit_memory(state);
    equations::Point from, to;
    auto jump = log.jumps_.begin();
    for (std::size_t k = 0; k < log.steps_.size(); ++k) {
      if (jump != log.jumps_.end() && jump->first == k) from = (jump++)->second;
      from.t = log.starts_[k];
      if (k == 0) to = from;
      method.step(from, log.steps_[k], to);
      if (log.accepted_[k] == 0) continue;
      method.accept(from, to);
      from = to;
    }
  }

 private:
  /// But for the time, which is kept of every call.
  static bool is_same(const equations::Point& a, const equations::Point& b) {
    return a.q == b.q && a.v == b.v && a.a == b.a && a.lambda == b.lambda && a.x == b.x && a.xd == b.xd && a.y == b.y &&
           a.d == b.d;
  }
  std::string state_;
  std::vector<double> starts_, steps_;
  std::vector<char> accepted_;
  std::vector<std::pair<std::size_t, equations::Point>> jumps_;  // calls from another point than the last one ended at
  equations::Point from_;
};

/// Increments of configuration numbers (quaternions for rotations) against increments in the tangent space.
class ConfigurationIncrement {
 public:
  explicit ConfigurationIncrement(const equations::System& s)
      : rotations_(s.nq() - s.nv()), scalars_(s.nv() - 3 * rotations_) {}

  /// 2 vec(p* ⊗ δp) for rotations.
  void to_tangent(const std::vector<double>& q, const double* dq, std::span<double> theta) const {
    std::copy(dq, dq + scalars_, theta.begin());
    for (int k = 0; k < rotations_; ++k) {
      const int i = scalars_ + 4 * k;
      const math::Quaternion r = math::multiply(math::conjugate({q[i], q[i + 1], q[i + 2], q[i + 3]}),
                                                {dq[i], dq[i + 1], dq[i + 2], dq[i + 3]});
      for (int j = 0; j < 3; ++j) theta[scalars_ + 3 * k + j] = 2 * r[j + 1];
    }
  }

  /// dq += factor · ½ p ⊗ θ for rotations, factor · θ for scalars.
  void add_from_tangent(const std::vector<double>& q, const double* theta, double factor, double* dq) const {
    for (int i = 0; i < scalars_; ++i) dq[i] += factor * theta[i];
    for (int k = 0; k < rotations_; ++k) {
      const int i = scalars_ + 4 * k, j = scalars_ + 3 * k;
      const math::Quaternion r =
          math::quaternion_rate({q[i], q[i + 1], q[i + 2], q[i + 3]}, {theta[j], theta[j + 1], theta[j + 2]});
      for (int l = 0; l < 4; ++l) dq[i + l] += factor * r[l];
    }
  }

 private:
  int rotations_, scalars_;
};

}  // namespace coenergy::solve
#endif
