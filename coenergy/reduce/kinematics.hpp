#pragma once
#include <string>
#include <vector>

#include "coenergy/reduce/mechanism.hpp"

namespace coenergy::reduce {

/// The rigid kinematics ρ(θ): the pose without strain in which the held coordinates have given values (Brüls 2005, ch. 5.3).
///
///   min V(q)  with Φ(q) = 0 and q_θ = θ,  by Newton's method over motions z that strain no body (see RigidMotion):
///   ⎡TᵀKT  TᵀΦ_qᵀ  Gᵀ⎤ ⎡δz⎤     ⎡Tᵀ ∂V/∂q⎤
///   ⎢Φ_q T   0     0 ⎥ ⎢δλ⎥ = − ⎢   Φ    ⎥        V of springs between bodies, which are relaxed in the end
///   ⎣G       0     0 ⎦ ⎣r ⎦     ⎣q_θ − θ ⎦
///
/// A way to a far θ is a straight line of steps, halved where the iteration fails or leaves the prediction of its first
/// step: so it stays on the branch of the start and ends before a singular configuration.
struct Pose {
  bool good = false;
  std::string text;        ///< why not
  equations::Point point;  ///< the last one that was reached
};
/// Throws Error for a wrong number of values; a way that ends is told in the result.
Pose find_pose(Mechanism& mechanism, const equations::Point& from, const std::vector<double>& theta);

}  // namespace coenergy::reduce
