#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::mechanical {

/// Sliding mass: m s̈ = f, kinetic energy ½ m v².
///
/// s position (m), v = ṡ (m/s), m mass (kg) > 0, f sum of the forces of all that is connected (N). No weight acts; give
/// it by a mechanical.Force.
struct Mass {
  Translational flange;
  Parameter m, s0, v0;

  void describe(Description& d) {
    d.name("mechanical.Mass", "sliding mass: m dv/dt = sum of the forces");
    d.parameter(m, "m", "kg", "mass").positive();
    d.parameter(s0, "s0", "m", "position at the start").fallback("0 m");
    d.parameter(v0, "v0", "m/s", "velocity at the start").fallback("0 m/s");
    d.port(flange, "flange", "the moving part").optional().start(s0, v0);
    d.output("s", "m", "position");
    d.output("v", "m/s", "velocity");
    d.output("a", "m/s2", "acceleration");
  }

  void equations(Equations& eq) const {
    if (!eq.connected(flange))
      eq.refuse("nothing is connected to its flange; connect a force, a spring or another part");
    const Expr v = eq.der(flange);
    eq.kinetic(eq[m] * v * v / 2);
    eq.output("s", "m", eq[flange]);
    eq.output("v", "m/s", v);
    eq.output("a", "m/s2", eq.der2(flange));
  }
};

}  // namespace coenergy::domains::mechanical
