#pragma once
#include <vector>

#include "coenergy/mechanics/body_tree.hpp"

namespace coenergy::mechanics {

/// Force at a link's origin and torque; own axes.
struct LinkLoad {
  symbolic::Vec3 force, torque;
};

/// What each link's own motion needs, less what is applied to it. Forward recursion (Sass 2004, eqs. 4.7–4.12 with
/// misprints mended):
///   ω_i = Rᵀω_h + φ q̇,   ω̇_i = Rᵀω̇_h + ω_i × φ q̇ + φ q̈,   β = ω̇~ + ω̃ω̃
///   α_i = Rᵀ(α_h + β_h d_z + 2 ω_h × ψ q̇ + ψ q̈),   α_0 = −g,   d_z = d + ψ q
/// Without accelerations q̈ counts as zero: what remains is the bias. A link's load follows its motion at once: code in
/// this order keeps six numbers of a link for the way back instead of its whole motion.
std::vector<LinkLoad> compute_own_loads(const BodyTree& tree, const std::vector<LinkPlacement>& placements,
                                        bool with_accelerations);

/// Recursive Newton–Euler: what every joint has to carry for a given motion.
struct InverseDynamics {
  std::vector<symbolic::Expr> forces;  ///< Q of each degree of freedom: M q̈ + c
  /// Force and torque the parent applies to each link at the link's origin, link axes (of an unlumped tree).
  std::vector<LinkLoad> reactions;
};
InverseDynamics compute_inverse_dynamics(const BodyTree& tree, bool with_accelerations = true);

}  // namespace coenergy::mechanics
