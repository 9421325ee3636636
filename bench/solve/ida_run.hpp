#pragma once
#include <memory>
#include <string>
#include <vector>

#include "coenergy/equations/system.hpp"

namespace bench {

/// What IDA is asked for.
struct IdaSetting {
  double rtol = 1e-6;
  double atol_part = 1;         ///< of rtol, times the nominal value of each variable
  bool sparse = false;          ///< KLU instead of the dense solver
  bool tests_algebraic = true;  ///< algebraic variables take part in the error test
};

struct IdaOutcome {
  bool good = false;
  coenergy::equations::Point end;
  double time = 0;  ///< processor time of the integration, s
  long steps = 0, residuals = 0, jacobians = 0;
};

/// IDA, as a user of SUNDIALS would drive it, on the equations of a system without rotations:
///
///   F(t, Y, Ẏ) = (q̇ − v, R(t, q, v, v̇, λ, x, ẋ, y)),   Y = (q, v, x, λ, y),
///
/// constraints at acceleration level, where multipliers are of index 1. Residual and Jacobian ∂F/∂Y + c ∂F/∂Ẏ are
/// those of the program, as machine code; when to renew the Jacobian is IDA's choice.
IdaOutcome run_ida(coenergy::equations::Evaluator& evaluator, const coenergy::equations::Point& start, double t_end,
                   const IdaSetting& setting);

}  // namespace bench
