#pragma once
#include <vector>

#include "coenergy/system/body_tree.hpp"

namespace coenergy::system {

/// Motion of a link, own axes.
struct LinkMotion {
  symbolic::Vec3 w, wd;
  symbolic::Vec3 alpha;  ///< acceleration of the origin less gravity
  symbolic::Mat3 beta;   ///< ω̇~ + ω̃ω̃
};

/// Forward recursion (Sass 2004, eqs. 4.7–4.12 as corrected in multibody-and-circuits.md §2.2):
///   ω_i = Rᵀω_h + φ q̇,   ω̇_i = Rᵀω̇_h + ω_i × φ q̇ + φ q̈,   β = ω̇~ + ω̃ω̃
///   α_i = Rᵀ(α_h + β_h d_z + 2 ω_h × ψ q̇ + ψ q̈),   α_0 = −g,   d_z = d + ψ q
/// Without accelerations q̈ counts as zero: what remains is the bias.
std::vector<LinkMotion> compute_motion(const BodyTree& tree, const std::vector<LinkPlacement>& placements,
                                       bool with_accelerations);

/// Force at the link's origin and torque that the link's own motion needs, less what is applied to it; own axes.
struct LinkLoad {
  symbolic::Vec3 force, torque;
};
LinkLoad inertial_load(const BodyTree& tree, int link, const LinkMotion& motion);

/// Recursive Newton–Euler: what every joint has to carry for a given motion.
struct InverseDynamics {
  std::vector<symbolic::Expr> forces;  ///< Q of each degree of freedom: M q̈ + c
  /// Force and torque the parent applies to each link at the link's origin, link axes (of an unlumped tree).
  std::vector<LinkLoad> reactions;
};
InverseDynamics compute_inverse_dynamics(const BodyTree& tree, bool with_accelerations = true);

}  // namespace coenergy::system
