#pragma once
#include <string>
#include <vector>

#include "coenergy/analyze/state_space.hpp"
#include "coenergy/system/system.hpp"

namespace coenergy::analyze {

/// Small deviations from a consistent point, with everything that follows from them.
///
/// The deviation (δq, δv, δx) obeys Φ_q δq = 0 and Φ_q δv + ∂Φ̇/∂q δq = 0. Of the coordinates a minimal set is kept
/// (independent columns, those with given start values preferred); the others follow. (δa, δλ, δẋ, δy) follow from the
/// equations with the constraints at acceleration level. Deviations of rotations are body rotation vectors: δθ̇ = δω − ω
/// × δθ.
struct Linearization {
  StateSpace model;
  std::vector<int> coordinates;  ///< coordinates kept as states, in the order of the states: positions, then velocities
  math::Matrix position_of_states;  ///< δq of all nv coordinates by the kept positions
};

/// Linear model at a consistent point (see solve::initialize, equilibrium). Inputs are parameters by name, outputs
/// signals by name; none given means none for inputs and all signals for outputs. Velocity states are named after their
/// coordinate with "d" added. Throws coenergy::Error for names that do not exist, for inputs that move a constraint,
/// and where the equations are singular.
Linearization linearize(system::Evaluator& evaluator, const system::Point& point,
                        const std::vector<std::string>& inputs = {}, const std::vector<std::string>& outputs = {});

}  // namespace coenergy::analyze
