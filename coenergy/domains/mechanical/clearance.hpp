#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::mechanical {

/// Torsional clearance: no torque while |φ| ≤ play/2, beyond it a spring k.
///
///   φ = φ_a − φ_b (rad),   δ = max(φ − play/2, 0) + min(φ + play/2, 0),   V = ½ k δ²
///
/// Contact begins and ends at located events: the torque has a corner there.
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
    const Expr above = eq.relation("contact", phi - half), below = eq.relation("other contact", -half - phi);
    const Expr depth = above * (phi - half) + below * (phi + half);
    eq.potential(eq[k] * depth * depth / 2);
    eq.output("phi", "rad", phi);
  }
};

}  // namespace coenergy::domains::mechanical
