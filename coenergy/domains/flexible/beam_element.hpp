#pragma once
#include "coenergy/domains/flexible/beam_section.hpp"
#include "coenergy/domains/flexible/rotation_difference.hpp"

namespace coenergy::domains::flexible {

/// Geometrically exact beam element of two nodes (Reissner 1973, Simo 1985) with one-point integration.
///
/// Strains at the middle, invariant under rigid motion:
///   Γ = R_midᵀ (x₂ − x₁)/L − Γ₀ e₁,   K = (ψ − ψ₀ e₃)/L,   ψ = log(R₁ᵀR₂),   R_mid = R₁ exp(ψ/2)
/// Energy V = ½ L (EA Γ₁² + GA*_y Γ₂² + GA*_z Γ₃² + GJ K₁² + EI_y K₂² + EI_z K₃²); the forces are its derivatives.
/// 1/GA*_y = 1/GA_y + L²/(12 EI_z) (and y ↔ z) restores the bending energy that one-point integration misses, so that a
/// straight element is exact for small displacements.
/// Mass: consistent for translation, half of the rotary inertia at each node. Damping is proportional to stiffness:
/// D = ½ τ L Σ C ε̇². ψ₀ is the angle of a curved element (an arc about z), Γ₀ = sin(ψ₀/2)/(ψ₀/2) its chord.
struct BeamElement {
  Expr length;   ///< L, along the arc
  Expr angle;    ///< ψ₀
  Expr damping;  ///< τ (s)
  SectionProperties section;

  void write(model::FlexibleBody::Element& e) const;
};

}  // namespace coenergy::domains::flexible
