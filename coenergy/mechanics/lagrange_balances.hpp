#pragma once
#include <vector>

#include "coenergy/equations/builder.hpp"
#include "coenergy/model/multibody.hpp"

namespace coenergy::mechanics {

/// A rigid body of which only the pose over the coordinates is known.
struct LagrangeBody {
  const model::RigidBody* properties = nullptr;
  symbolic::Mat3 R_WB;
  symbolic::Vec3 p_WB;
  symbolic::Vec3 force_W, torque_W;  ///< applied at the body's origin
};

/// Lagrange's equations of the second kind from the energies, by differentiation alone: an independent check of the
/// recursive formulation, with which it shares the poses p_WB(q), R_WB(q) and nothing else.
///
///   T = Σ ½ m ṗ_c·ṗ_c + ½ ω·J ω,   ω~ = RᵀṘ,   V = −Σ m g·p_c
///   d/dt ∂T/∂q̇ − ∂T/∂q + ∂V/∂q = Σ F·∂ṗ/∂q̇ + τ·∂ω_W/∂q̇
///
/// and for a rotation with body angular velocity w (Boltzmann and Hamel, π along the body axes)
///
///   d/dt ∂T/∂w + w × ∂T/∂w − ∂T/∂π + ∂V/∂π = …
///
/// Adds the rows of every coordinate and rotation the poses depend on, and T + V to the stored energy.
void write_lagrange_balances(equations::Builder& builder, const symbolic::Vec3& gravity,
                             const std::vector<LagrangeBody>& bodies);

}  // namespace coenergy::mechanics
