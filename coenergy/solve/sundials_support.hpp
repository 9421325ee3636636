#pragma once
#ifdef COENERGY_SUNDIALS
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sundials/sundials_linearsolver.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "coenergy/math/rotation.hpp"
#include "coenergy/solve/explicit_form.hpp"
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

/// Increments of configuration numbers (quaternions for rotations) against increments in the tangent space.
class ConfigurationIncrement {
 public:
  explicit ConfigurationIncrement(const system::System& s)
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

/// sum −= columns [first, first + count) of a matrix in the system's pattern × factors.
inline void subtract_product(const system::System& s, const std::vector<double>& matrix, int first,
                             std::span<const double> factors, std::span<double> sum) {
  const auto& pattern = s.pattern();
  for (std::size_t j = 0; j < factors.size(); ++j)
    for (int e = pattern.column_start[first + j]; e < pattern.column_start[first + j + 1]; ++e)
      sum[pattern.row[e]] -= matrix[e] * factors[j];
}

}  // namespace coenergy::solve
#endif
