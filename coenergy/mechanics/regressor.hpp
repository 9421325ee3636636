#pragma once
#include <string>
#include <vector>

#include "coenergy/mechanics/body_tree.hpp"

namespace coenergy::mechanics {

/// The joint forces of a tree are linear in how its links' mass is distributed (Atkeson, An, Hollerbach 1986):
///
///   Q = Y(q, q̇, q̈) φ,   φ = (m, m c_x, m c_y, m c_z, I_xx, I_yy, I_zz, I_xy, I_xz, I_yz) of each link,
///
/// with the inertia I about the origin of the link in its axes. Column j of Y is ∂Q/∂φ_j of the recursion whose links
/// have symbols for φ, which the derivative is free of.
struct Regressor {
  std::vector<symbolic::Expr> Y;          ///< by rows: degrees of freedom × parameters
  std::vector<std::string> names, units;  ///< "elbow.m", "elbow.mcx" … by the joint that carries the link
  std::vector<symbolic::Expr> values;     ///< φ of the tree
};
Regressor compute_regressor(const BodyTree& tree);

/// Columns of Y that are independent, the first ones of those that depend on each other: base parameters. Found by
/// orthogonalising Y at random motions (fixed seed), as many as have twice the rows that there are columns.
std::vector<int> find_base_parameters(const BodyTree& tree, const Regressor& regressor);

}  // namespace coenergy::mechanics
