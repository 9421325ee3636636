#pragma once
#include <numbers>

#include "coenergy/domains/converters/mover.hpp"
#include "coenergy/domains/converters/three_phase.hpp"

namespace coenergy::domains::converters {

/// Linear synchronous motor with permanent magnets: as converters.PermanentMagnetMachine with θ = π x/τ, pole pitch τ:
///
///   W' = 3/2 (½ L_d i_d² + ½ L_q i_q² + ψ i_d + L_0 i_0²),   f = 3/2 (π/τ) (ψ i_q + (L_d − L_q) i_d i_q)
///
/// The flange is the part with the magnets; the windings are on the support (or on the ground: then turned round).
struct LinearSynchronousMotor {
  Mover mover;
  ThreePhase stator;
  Parameter L_d, L_q, L_0, psi, pitch;

  void describe(Description& d) {
    d.name("converters.LinearSynchronousMotor",
           "linear synchronous motor: f = 3/2 pi/pitch (psi i_q + (L_d - L_q) i_d i_q)");
    stator.describe(d, "", "stator");
    mover.describe(d, "the part with the magnets");
    d.parameter(L_d, "L_d", "H", "inductance along the magnets").positive();
    d.parameter(L_q, "L_q", "H", "inductance across the magnets").positive();
    d.parameter(L_0, "L_0", "H", "inductance of the zero sequence").positive().optional();
    d.parameter(psi, "psi", "Wb", "flux linkage of the magnets").varying();
    d.parameter(pitch, "pitch", "m", "pole pitch: length of half a period of the field").positive();
    d.output("i_d", "A", "current along the magnets");
    d.output("i_q", "A", "current across the magnets");
  }

  std::vector<Branch> branches(Equations& eq) const { return stator.branches(eq); }

  void equations(Equations& eq) const {
    const std::vector<Expr> currents = stator.free_currents(eq);
    const Expr per_length = std::numbers::pi / eq[pitch];
    const RotorAxes i = to_axes(stator.currents(eq), per_length * make_motion(eq));
    Expr w = 1.5 * (eq[L_d] * i.d * i.d / 2 + eq[L_q] * i.q * i.q / 2 + eq[psi] * i.d);
    w += stator.zero_sequence(eq, L_0);
    const Fields fields = write_coenergy(eq, w, currents, mover.position(eq));
    stator.equations(eq, fields.flux);
    mover.outputs(eq, fields.force);
    const RotorAxes shown = to_axes(stator.currents(eq), per_length * mover.position(eq));
    eq.output("i_d", "A", shown.d);
    eq.output("i_q", "A", shown.q);
  }
};

}  // namespace coenergy::domains::converters
