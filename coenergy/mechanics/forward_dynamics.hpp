#pragma once
#include <span>
#include <vector>

#include "coenergy/mechanics/body_tree.hpp"

namespace coenergy::mechanics {

/// q̈ of every degree of freedom for given joint forces Q (one each), by articulated bodies: the work grows with the
/// number of links, not with its cube.
///
/// The motion without any q̈ (the bias of inverse_dynamics.hpp) gives each link a load p; what q̈ adds to the
/// accelerations of a link, (ω̇, a) in its axes, meets the articulated inertia of all that hangs on it:
///   n = J ω̇ + H a + n_p,    f = Hᵀ ω̇ + M a + f_p
/// A degree of freedom with axis s is eliminated from this by  U = (J, Hᵀ) s or (H, M) s,  D = sᵀU,  u = Q − s·p:
///   (J, H, M) −= U Uᵀ/D,   p += U u/D,   and afterwards q̈ = u/D − (U/D)·(ω̇, a)
/// Armatures (one each, or none at all) are inertias that move with one degree of freedom only, such as rotors: added
/// to its D.
std::vector<symbolic::Expr> compute_articulated_accelerations(const BodyTree& tree,
                                                              std::span<const symbolic::Expr> forces,
                                                              std::span<const symbolic::Expr> armatures = {});

/// The same by the mass matrix: M q̈ = Q − c. Fewer operations for short trees.
std::vector<symbolic::Expr> compute_matrix_accelerations(const BodyTree& tree, std::span<const symbolic::Expr> forces);

}  // namespace coenergy::mechanics
