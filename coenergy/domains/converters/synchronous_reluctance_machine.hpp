#pragma once
#include "coenergy/domains/converters/rotor.hpp"
#include "coenergy/domains/converters/three_phase.hpp"

namespace coenergy::domains::converters {

/// Synchronous reluctance machine: W' = 3/2 (½ L_d i_d² + ½ L_q i_q² + L_0 i_0²), torque = 3/2 p (L_d − L_q) i_d i_q.
///
/// d is the axis of the greatest inductance, L_d > L_q (H). L_0 is needed where the star point is connected, or in delta.
struct SynchronousReluctanceMachine {
  Rotor rotor;
  ThreePhase stator;
  Parameter L_d, L_q, L_0;

  void describe(Description& d) {
    d.name("converters.SynchronousReluctanceMachine",
           "synchronous reluctance machine: torque = 3/2 p (L_d - L_q) i_d i_q");
    stator.describe(d, "", "stator");
    rotor.describe(d);
    rotor.describe_poles(d);
    d.parameter(L_d, "L_d", "H", "greatest inductance").positive();
    d.parameter(L_q, "L_q", "H", "least inductance").positive();
    d.parameter(L_0, "L_0", "H", "inductance of the zero sequence").positive().optional();
    d.output("i_d", "A", "current along the axis of the greatest inductance");
    d.output("i_q", "A", "current across it");
  }

  std::vector<Branch> branches(Equations& eq) const { return stator.branches(eq); }

  void equations(Equations& eq) const {
    const std::vector<Expr> currents = stator.free_currents(eq);
    const RotorAxes i = to_axes(stator.currents(eq), rotor.pairs(eq) * make_motion(eq));
    Expr w = 0.75 * (eq[L_d] * i.d * i.d + eq[L_q] * i.q * i.q);
    w += stator.zero_sequence(eq, L_0);
    const Fields fields = write_coenergy(eq, w, currents, rotor.angle(eq));
    stator.equations(eq, fields.flux);
    rotor.equations(eq, fields.force);
    const RotorAxes shown = to_axes(stator.currents(eq), eq[rotor.pole_pairs] * rotor.angle(eq));
    eq.output("i_d", "A", shown.d);
    eq.output("i_q", "A", shown.q);
  }
};

}  // namespace coenergy::domains::converters
