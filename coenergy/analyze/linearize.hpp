#pragma once
#include <string>
#include <vector>

#include "coenergy/analyze/state_space.hpp"
#include "coenergy/system/system.hpp"

namespace coenergy::analyze {

/// Linear model of a system around a consistent point.
///
/// With z = (a, λ, ẋ, y) and the constraints at acceleration level, R(q, v, x, z, p) = 0 gives
///   δz = −R_z⁻¹ (R_q δq + R_v δv + R_x δx + R_p δp).
/// Constraints Φ_q δq = 0 and Φ_q δv + (Φ̇)_q δq = 0 leave a minimal set: columns of Φ_q are pivoted into dependent (v) and independent (u)
/// coordinates, δq = T δu with T = [1; −Φ_v⁻¹Φ_u]. States are u, u̇ and x. Rotations count along body axes: δθ̇ = δω − ω × δθ.
///
/// Inputs are parameters by name ("U1.v"), outputs are signals by name. Discrete variables are held.
/// Throws Error for unknown names and where the equations do not determine the motion.
StateSpace linearize(system::Evaluator& evaluator, const system::Point& point, const std::vector<std::string>& inputs,
                     const std::vector<std::string>& outputs);

}  // namespace coenergy::analyze
