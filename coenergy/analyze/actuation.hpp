#pragma once
#include <optional>
#include <string>
#include <vector>

#include "coenergy/equations/system.hpp"
#include "coenergy/math/matrix.hpp"
#include "coenergy/solve/partition.hpp"

namespace coenergy::analyze {

/// Inverse dynamics with chosen actuators, also of closed loops: the forces τ in the actuated coordinates that make a
/// given motion, in place of the drives.
///
///   M s̈ + c − Q + Jᵀλ = Sᵀτ     J: the constraints that remain, S picks the actuated coordinates
///   T = (E; B_vu) spans the motions that J allows (J T = 0):   (S T)ᵀ τ = Tᵀ (M s̈ + c − Q)
///
/// Drives are the constraints that depend on time, and those that hold an actuated coordinate alone. There must be as
/// many actuators as degrees of freedom without the drives.
///
/// Instead of forces in coordinates, inputs u of the model may make the motion (forces, torques, currents of motors):
///   Tᵀ (M s̈ + c − Q(u)) = 0, by Newton's method in u
class Actuation {
 public:
  /// `actuated`: coordinates by name, "elbow.q" or "elbow"; empty: those that drives hold. Throws Error for names that
  /// are not there and for a wrong number of them; `p` is a point of the motion.
  Actuation(equations::Evaluator& evaluator, const equations::Point& p, const std::vector<std::string>& actuated);

  /// `inputs`: parameters by index.
  Actuation(equations::Evaluator& evaluator, const equations::Point& p, std::vector<int> inputs);

  const std::vector<int>& coordinates() const { return actuated_; }
  const std::vector<int>& inputs() const { return inputs_; }
  /// τ at a point whose positions, velocities and accelerations satisfy all constraints; nothing where the actuators
  /// cannot make the motion there: (S T) is singular.
  std::optional<std::vector<double>> forces(const equations::Point& p);
  /// u at such a point, from the present values of the inputs on; nothing where they cannot make the motion.
  std::optional<std::vector<double>> input_values(const equations::Point& p);
  /// Tᵀ (M s̈ + c − Q): what drives add to the inputs at such a point, by independent coordinates.
  std::vector<double> forces_of_drives(const equations::Point& p);

 private:
  math::Matrix structural_jacobian(const equations::Point& p);
  void check_count(const equations::Point& p, std::size_t count, const char* what, const char* name);

  equations::Evaluator* evaluator_;
  std::vector<int> actuated_, inputs_;
  std::vector<int> structural_;  ///< constraints that remain
};

/// Coordinates by name, "elbow.q" or "elbow". `what` is the argument that holds them, for errors.
std::vector<int> find_coordinates(const equations::System& system, const std::vector<std::string>& names,
                                  const std::string& what);

}  // namespace coenergy::analyze
