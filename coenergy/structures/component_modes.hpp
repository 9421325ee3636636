#pragma once
#include <string>
#include <vector>

#include "coenergy/structures/structure.hpp"

namespace coenergy::structures {

/// Nodes by which a structure is held or connected, with the motion of a rigid body: a point that either moves them as a
/// rigid body does, or with their mean (least squares), so that they stay free against each other.
struct Interface {
  std::string name;
  std::vector<int> nodes;
  bool rigid = true;
  std::array<double, 3> position{};
};

/// A structure reduced to the motion of its interfaces and modes inside (Hurty 1965, Craig and Bampton 1968), the first
/// interface held:
///
///   u = Σ ψ_j q_j + Σ φ_k ζ_k:   ψ static, with unit motions of the other interfaces and no force inside; φ of K φ = ω²M φ
///   with all interfaces held, the lowest ones
///
/// expressed in its own modes with the first interface held, so that M = 1 and K = diag(ω²).
struct ComponentModes {
  Eigen::MatrixXd shapes;                   ///< of the structure's freedoms, a column for each
  std::vector<double> frequency;            ///< ω (rad/s), rising
  std::vector<Eigen::MatrixXd> interfaces;  ///< displacement and turn of each interface, 6 by modes
  double highest = 0;                       ///< ω of the last φ that was kept; 0 without any
};

/// `modes`: number of φ. Throws std::runtime_error with what is wrong: parts that nothing holds, interfaces whose nodes lie
/// on a line, more modes than freedoms.
ComponentModes compute_component_modes(const Structure& structure, const std::vector<Interface>& interfaces, int modes);

}  // namespace coenergy::structures
