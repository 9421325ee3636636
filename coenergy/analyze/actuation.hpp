#pragma once
#include <optional>
#include <string>
#include <vector>

#include "coenergy/math/matrix.hpp"
#include "coenergy/solve/partition.hpp"
#include "coenergy/system/system.hpp"

namespace coenergy::analyze {

/// Inverse dynamics with chosen actuators, also of closed loops: the forces τ in the actuated coordinates that make a
/// given motion, in place of the drives.
///
///   M s̈ + c − Q + Jᵀλ = Sᵀτ     J: the constraints that remain, S picks the actuated coordinates
///   T = (E; B_vu) spans the motions that J allows (J T = 0):   (S T)ᵀ τ = Tᵀ (M s̈ + c − Q)
///
/// Drives are the constraints that depend on time, and those that hold an actuated coordinate alone. There must be as
/// many actuators as degrees of freedom without the drives.
class Actuation {
 public:
  /// `actuated`: coordinates by name, "elbow.q" or "elbow"; empty: those that drives hold. Throws Error for names that
  /// are not there and for a wrong number of them; `p` is a point of the motion.
  Actuation(system::Evaluator& evaluator, const system::Point& p, const std::vector<std::string>& actuated);

  const std::vector<int>& coordinates() const { return actuated_; }
  /// τ at a point whose positions, velocities and accelerations satisfy all constraints; nothing where the actuators
  /// cannot make the motion there: (S T) is singular.
  std::optional<std::vector<double>> forces(const system::Point& p);

 private:
  math::Matrix structural_jacobian(const system::Point& p);

  system::Evaluator* evaluator_;
  std::vector<int> actuated_;
  std::vector<int> structural_;  ///< constraints that remain
};

/// Coordinates by name, "elbow.q" or "elbow". `option` is named where one is not there.
std::vector<int> find_coordinates(const system::System& system, const std::vector<std::string>& names,
                                  const std::string& option);

}  // namespace coenergy::analyze
