#pragma once
#include <string>
#include <vector>

#include "coenergy/analyze/state_space.hpp"
#include "coenergy/equations/system.hpp"

namespace coenergy::analyze {

/// Small deviations from a consistent point, with everything that follows from them.
///
/// The deviation (δq, δv, δx) obeys Φ_q δq = 0 and Φ_q δv + ∂Φ̇/∂q δq = 0. Of the coordinates a minimal set is kept
/// (independent columns, those with given start values preferred); the others follow. (δa, δλ, δẋ, δy) follow from the
/// equations with the constraints at acceleration level. Deviations of rotations are body rotation vectors:
/// δθ̇ = δω − ω × δθ. Where flexible bodies turn, deviations of their nodes are seen in the axes, turning or fixed, in
/// which the model changes least with time (see moving_axes.hpp): in steady motion not at all.
struct Linearization {
  StateSpace model;
  std::vector<int> coordinates;  ///< whose positions are kept as states; the velocities that are kept come after them …
  int rates = 0;                 ///< … and are so many: fewer where constraints are non-holonomic
  math::Matrix position_of_states;  ///< δq of all nv coordinates by the kept positions
  std::vector<int> states;          ///< states of the system that follow: all but the energy account
};

/// Linear model at a consistent point (see solve::initialize, equilibrium). Inputs are parameters by name, outputs
/// signals by name; none given means none for inputs and all signals for outputs. Velocity states are named after their
/// coordinate with "d" added. The energy account (energy.supplied, energy.dissipated, energy.stored) only counts and is
/// no part of it. Throws coenergy::Error for names that do not exist, for inputs that move a constraint,
/// and where the equations are singular.
Linearization linearize(equations::Evaluator& evaluator, const equations::Point& point,
                        const std::vector<std::string>& inputs = {}, const std::vector<std::string>& outputs = {});
/// The same of a system with delays, each taken as its input with a parameter added; see DelayedModel. Others are refused
/// by linearize().
Linearization linearize_open(equations::Evaluator& evaluator, const equations::Point& point,
                             const std::vector<std::string>& inputs, const std::vector<std::string>& outputs);
/// The same without inputs and outputs.
Linearization linearize_states(equations::Evaluator& evaluator, const equations::Point& point);

}  // namespace coenergy::analyze
