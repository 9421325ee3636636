#pragma once
#include "coenergy/domains/flexible/beam_section.hpp"

namespace coenergy::domains::flexible {

/// A slender straight beam that bends, stretches and twists by a few shapes about a frame that moves with it: Euler's and
/// Bernoulli's beam, small strains against the frame, ξ = x/L.
///
///   bending v, w: support clamped (the frame moves with the root) ξ² P_k(2ξ − 1), hinged (its x goes through both ends)
///   sin kπξ;   stretching u and twist ψ: ξ P_k(2ξ − 1);   k = 0, 1 … (sines from 1), P_k Legendre's polynomials
///   V = ½ ∫ EA u′² + EI_z v″² + EI_y w″² + GJ ψ′² dx
///   stiffening: bending draws points back by ½ ∫₀ˣ v′² + w′² dx, which carries the forces along a beam that turns
///
/// Rotary inertia of the sections counts in the motion of the frame and in twist, not in bending: like shear it is of the
/// order (height/wavelength)². Works in relative and in absolute coordinates. Coordinates eta1, eta2 … in the order
/// bending_y, bending_z, stretching, torsion. Frames: the body itself, root, tip, s1 … at stations; signals at stations
/// N (N), Mx, My, Mz (N.m).
struct ModalBeam {
  Parameter length, bending_y, bending_z, stretching, torsion, damping;
  model::List stations, damping_ratios, eta, eta_rate;
  Choice support, stiffening;
  BeamSection section;

  void describe(Description& d);
  void flexible(Equations& eq, model::FlexibleBody& body) const;
};

}  // namespace coenergy::domains::flexible
