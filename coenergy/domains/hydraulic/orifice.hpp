#pragma once
#include "coenergy/domains/hydraulic/orifice_flow.hpp"

namespace coenergy::domains::hydraulic {

/// Orifice or metering valve: Q = opening · K sign(Δp) √|Δp|, Δp = p_a − p_b (Merritt 1967).
///
/// Q from a to b (m³/s), K from area or nominal flow (OrificeSize), opening ≥ 0 (1: fully open), which may vary and is 0 where
/// it would be negative. Near
/// Δp = 0 the root is replaced as orifice_flow() says. Turns Q Δp into heat.
struct Orifice {
  Fluid a, b;
  OrificeSize size;
  Parameter opening;

  void describe(Description& d) {
    d.name("hydraulic.Orifice", "orifice: q = opening*Cd*area*sqrt(2/rho)*sign(dp)*sqrt(|dp|)");
    d.port(a, "a", "one side");
    d.port(b, "b", "other side");
    size.describe(d);
    d.parameter(opening, "opening", "", "0 closed, 1 fully open").fallback("1").not_negative().varying().limited();
    d.output("q", "m3/s", "flow from a to b");
    d.output("dp", "Pa", "pressure drop from a to b");
  }

  void equations(Equations& eq) const {
    const Expr dp = eq[a] - eq[b];
    const Expr q = eq[opening] * orifice_flow(size.coefficient(eq), dp, eq[size.transition]);
    eq.through(a, q);
    eq.through(b, -q);
    eq.dissipated(q * dp);
    eq.output("q", "m3/s", q);
    eq.output("dp", "Pa", dp);
  }
};

}  // namespace coenergy::domains::hydraulic
