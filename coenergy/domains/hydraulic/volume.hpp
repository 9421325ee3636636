#pragma once
#include "coenergy/domains/hydraulic/oil.hpp"

namespace coenergy::domains::hydraulic {

/// Oil volume of constant size: ṗ = β Q/V (Merritt 1967), with vapour where it is drawn to vacuum (Oil).
///
/// p pressure (Pa, over atmosphere), Q flow into the volume (m³/s), V volume (m³) > 0, β bulk modulus (Pa) > 0, void
/// the part of V that is vapour.
struct Volume {
  Fluid a;
  Parameter V, beta, p0;

  void describe(Description& d) {
    d.name("hydraulic.Volume", "oil volume: dp/dt = beta*q/V");
    d.parameter(V, "V", "m3", "volume").positive();
    d.parameter(beta, "beta", "Pa", "bulk modulus").positive().fallback("1.4 GPa");
    d.parameter(p0, "p0", "Pa", "pressure at the start").fallback("0 Pa").at_least(model::vacuum);
    d.port(a, "a", "the volume").optional().start(p0, Parameter{});
    d.output("p", "Pa", "pressure");
    d.output("q", "m3/s", "flow into the volume");
    d.output("void", "", "part of the volume that is vapour");
  }

  void equations(Equations& eq) const {
    if (!eq.connected(a)) eq.refuse("nothing is connected to it");
    const Oil oil(eq, a, eq[beta]);
    const Expr q = oil.flow(eq[V], 0);
    oil.require_oil(eq, "oil", "the volume");
    eq.through(a, q);
    eq.stored(oil.stored(eq[V]));
    eq.output("p", "Pa", oil.p);
    eq.output("q", "m3/s", q);
    eq.output("void", "", oil.void_part());
  }
};

}  // namespace coenergy::domains::hydraulic
