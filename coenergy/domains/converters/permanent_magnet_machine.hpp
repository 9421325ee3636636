#pragma once
#include "coenergy/domains/converters/rotor.hpp"
#include "coenergy/domains/converters/three_phase.hpp"

namespace coenergy::domains::converters {

/// Synchronous machine with permanent magnets, on the surface (L_d = L_q) or inside (L_d < L_q):
///
///   W' = 3/2 (½ L_d i_d² + ½ L_q i_q² + ψ i_d + L_0 i_0²) + W_c,   θ = p φ
///   torque = 3/2 p (ψ i_q + (L_d − L_q) i_d i_q) − T_c sin(N φ)
///
/// i_d, i_q, i_0 currents in the axes of the magnets (three_phase.hpp), L_d, L_q, L_0 inductances (H), ψ flux linkage of
/// the magnets (Wb). Cogging of amplitude T_c (N.m) with N periods per turn has W_c = T_c/N cos N φ. L_0 is needed where
/// the star point is connected, or in delta.
///
/// A saturated machine states its fluxes by tables instead of L_d, L_q and ψ: ψ_d(i_d, i_q) and ψ_q(i_d, i_q) at the
/// points of map_i_d and map_i_q, one row for each i_d, joined by bicubic splines. Both must be slopes of one co-energy,
/// ∂ψ_d/∂i_q = ∂ψ_q/∂i_d; the co-energy is made from ψ_d and from ψ_q at i_d = 0, and what ψ_q differs from that
/// elsewhere is told, or refused beyond a tenth of the largest flux.
struct PermanentMagnetMachine {
  Rotor rotor;
  ThreePhase stator;
  Parameter L_d, L_q, L_0, psi, cogging, cogging_periods;
  List map_i_d, map_i_q, psi_d_map, psi_q_map;

  void describe(Description& d);
  std::vector<Branch> branches(Equations& eq) const { return stator.branches(eq); }
  void equations(Equations& eq) const;

 private:
  Expr make_mapped_coenergy(Equations& eq, const RotorAxes& i) const;
};

}  // namespace coenergy::domains::converters
