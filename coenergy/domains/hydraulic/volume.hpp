#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::hydraulic {

/// Oil volume of constant size: ṗ = β Q/V (Merritt 1967).
///
/// p pressure (Pa, over atmosphere), Q flow into the volume (m³/s), V volume (m³) > 0, β bulk modulus (Pa) > 0.
/// Stores ½ V p²/β.
struct Volume {
  Fluid a;
  Parameter V, beta, p0;

  void describe(Description& d) {
    d.name("hydraulic.Volume", "oil volume: dp/dt = beta*q/V");
    d.parameter(V, "V", "m3", "volume").positive();
    d.parameter(beta, "beta", "Pa", "bulk modulus").positive().fallback("1.4 GPa");
    d.parameter(p0, "p0", "Pa", "pressure at the start").fallback("0 Pa");
    d.port(a, "a", "the volume").optional().start(p0, Parameter{});
    d.output("p", "Pa", "pressure");
    d.output("q", "m3/s", "flow into the volume");
  }

  void equations(Equations& eq) const {
    if (!eq.connected(a)) eq.refuse("nothing is connected to it");
    const Expr p = eq[a], q = eq[V] / eq[beta] * eq.der(a);
    eq.through(a, q);
    eq.stored(eq[V] * p * p / (2 * eq[beta]));
    eq.output("p", "Pa", p);
    eq.output("q", "m3/s", q);
  }
};

}  // namespace coenergy::domains::hydraulic
