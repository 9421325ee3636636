#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::mechanical {

/// Rotating inertia: J φ̈ = τ, kinetic energy ½ J ω².
///
/// φ angle (rad), ω = φ̇ (rad/s), J moment of inertia (kg.m2) > 0, τ sum of the torques of all that is connected (N.m).
struct Inertia {
  Rotational shaft;
  Parameter J, phi0, w0;

  void describe(Description& d) {
    d.name("mechanical.Inertia", "rotating inertia: J dw/dt = sum of the torques");
    d.parameter(J, "J", "kg.m2", "moment of inertia").positive();
    d.parameter(phi0, "phi0", "rad", "angle at the start").fallback("0 rad");
    d.parameter(w0, "w0", "rad/s", "angular velocity at the start").fallback("0 rad/s");
    d.port(shaft, "shaft", "the rotating part").optional().start(phi0, w0);
    d.output("phi", "rad", "angle");
    d.output("w", "rad/s", "angular velocity");
    d.output("a", "rad/s2", "angular acceleration");
  }

  void equations(Equations& eq) const {
    if (!eq.connected(shaft))
      eq.refuse("nothing is connected to its shaft; connect a torque, a spring or another part");
    const Expr w = eq.der(shaft);
    eq.kinetic(eq[J] * w * w / 2);
    eq.output("phi", "rad", eq[shaft]);
    eq.output("w", "rad/s", w);
    eq.output("a", "rad/s2", eq.der2(shaft));
  }
};

}  // namespace coenergy::domains::mechanical
