#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::hydraulic {

/// Gas accumulator: V_g = V (p_0/p)^(1/n) and Q = ṗ V_g/(n p) with absolute pressures (Merritt 1967).
///
/// V gas volume (m³) at the precharge p_0 (Pa, over atmosphere), n polytropic exponent > 1, Q flow into the accumulator
/// (m³/s). Holds for p ≥ p_0: below the precharge it would give back more oil than it holds.
/// Stores p V_g/(n − 1) in the gas, less the work p_atm (V − V_g) of the atmosphere, which ports do not count.
struct Accumulator {
  Fluid a;
  Parameter V, precharge, n, p0;

  void describe(Description& d) {
    d.name("hydraulic.Accumulator", "gas accumulator: p*V_gas^n is constant");
    d.parameter(V, "V", "m3", "gas volume at the precharge pressure").positive();
    d.parameter(precharge, "precharge", "Pa", "gas pressure without oil, over atmosphere").positive();
    d.parameter(n, "n", "", "polytropic exponent").fallback("1.3").between(1.01, 2);
    d.parameter(p0, "p0", "Pa", "pressure at the start").positive();
    d.port(a, "a", "oil port").optional().start(p0, Parameter{});
    d.output("p", "Pa", "pressure");
    d.output("V_oil", "m3", "oil in the accumulator");
    d.output("q", "m3/s", "flow into the accumulator");
  }

  void equations(Equations& eq) const {
    if (!eq.connected(a)) eq.refuse("nothing is connected to it");
    const Expr atmosphere = 101325;
    const Expr p = eq[a] + atmosphere, gas = eq[V] * pow((eq[precharge] + atmosphere) / p, 1 / eq[n]);
    const Expr q = gas / (eq[n] * p) * eq.der(a);
    eq.through(a, q);
    eq.stored(p * gas / (eq[n] - 1) - atmosphere * (eq[V] - gas));
    eq.output("p", "Pa", eq[a]);
    eq.output("V_oil", "m3", eq[V] - gas);
    eq.output("q", "m3/s", q);
  }
};

}  // namespace coenergy::domains::hydraulic
