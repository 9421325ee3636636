#pragma once
#include "coenergy/equations/system.hpp"

namespace coenergy::analyze {

/// What an actuator at one coordinate θ feels of the whole mechanism (H10), other free coordinates held:
///
///   J_eff = 2 E_kin/θ̇²   kg.m² (kg for a translation),     M_eff = −dW_ext/dθ   N.m (N)
///   drive = J_eff θ̈ + ½ (dJ_eff/dθ) θ̇² + M_eff
///
/// W_ext is the work of all that acts but the drive of θ itself. Forces are those at the point, with its velocities.
struct EffectiveLoad {
  double inertia = 0, inertia_slope = 0, load = 0;
};

/// At a consistent point; `coordinate` is a scalar one of the nv. dJ_eff/dθ is a central difference along the closed
/// mechanism. Throws Error where θ cannot move or constraints are non-holonomic.
EffectiveLoad compute_effective_load(equations::Evaluator& evaluator, const equations::Point& p, int coordinate);

}  // namespace coenergy::analyze
