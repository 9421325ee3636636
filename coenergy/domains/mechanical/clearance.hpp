#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::mechanical {

/// Torsional clearance: no torque while |φ| ≤ play/2, beyond it a spring k.
///
///   φ = φ_a − φ_b (rad),   δ = max(φ − play/2, 0) + min(φ + play/2, 0),   V = ½ k δ²
struct Clearance {
  Rotational a, b;
  Parameter k, play;

  void describe(Description& d) {
    d.name("mechanical.Clearance", "shafts with play: tau = k*(phi - play/2) beyond half the play");
    d.port(a, "a", "one shaft");
    d.port(b, "b", "other shaft");
    d.parameter(k, "k", "N.m/rad", "stiffness in contact").positive();
    d.parameter(play, "play", "rad", "angle of free movement").not_negative();
    d.output("phi", "rad", "angle of a against b");
  }

  void equations(Equations& eq) const {
    const Expr phi = eq[a] - eq[b], half = eq[play] / 2;
    const Expr depth = max(phi - half, 0) + min(phi + half, 0);
    eq.potential(eq[k] * depth * depth / 2);
    eq.output("phi", "rad", phi);
  }
};

}  // namespace coenergy::domains::mechanical
