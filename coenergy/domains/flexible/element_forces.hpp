#pragma once
#include <array>
#include <vector>

#include "coenergy/model/multibody.hpp"

namespace coenergy::domains::flexible {

using model::Expr;
using model::Mat3;
using model::Vec3;

/// Six strains at a point of an element and what they cost there: V = ½ Σ ε_i C_ik ε_k, C with the point's weight.
struct StrainPoint {
  std::array<Expr, 6> value;
  std::array<std::array<Expr, 6>, 6> stiffness;
};

/// Adds V = Σ ½ εᵀCε over the points and, with τ > 0, the dissipation D = Σ ½ τ ε̇ᵀCε̇ to the energies of the element, and
/// their derivatives to the forces and torques of its nodes.
void add_elastic_forces(const std::vector<StrainPoint>& points, const Expr& tau, model::FlexibleBody::Element& e);

/// Inertia of a piece of the beam that moves with one node as a rigid body: mass, its first moment S = m c and its
/// inertia J about the node, in the node's axes.
///   f = m (ẍ − g) + R (α × S + ω × (ω × S)),   τ = S × Rᵀ(ẍ − g) + J α + ω × J ω
struct NodeInertia {
  Expr mass;
  Vec3 moment;
  Mat3 inertia;
};
void add_node_inertia(const NodeInertia& piece, int node, model::FlexibleBody::Element& e);

}  // namespace coenergy::domains::flexible
