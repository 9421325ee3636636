#pragma once
#include "coenergy/domains/hydraulic/oil.hpp"

namespace coenergy::domains::hydraulic {

/// Gas accumulator: V_g = V (p_0/p)^(1/n) and Q = ṗ V_g/(n p) with absolute pressures (Merritt 1967).
///
/// V gas volume (m³) at the precharge p_0 (Pa, over atmosphere), n polytropic exponent > 1, Q flow into the accumulator
/// (m³/s). Below p_0 it is empty, and only the oil V_line of its neck gives way, as in Oil: Q = V_line/β dp̂/dt. Both
/// changes are located events. Stores p V_g/(n − 1) in the gas, less the work p_atm (V − V_g) of the atmosphere, which
/// ports do not count.
struct Accumulator {
  Fluid a;
  Parameter V, precharge, n, p0, V_line, beta;

  void describe(Description& d) {
    d.name("hydraulic.Accumulator", "gas accumulator: p*V_gas^n is constant");
    d.parameter(V, "V", "m3", "gas volume at the precharge pressure").positive();
    d.parameter(precharge, "precharge", "Pa", "gas pressure without oil, over atmosphere").positive();
    d.parameter(n, "n", "", "polytropic exponent").fallback("1.3").between(1.01, 2);
    d.parameter(p0, "p0", "Pa", "pressure at the start").at_least(model::vacuum);
    d.parameter(V_line, "V_line", "m3", "oil in the neck, which gives way when the accumulator is empty")
        .positive()
        .fallback("10 cm3");
    d.parameter(beta, "beta", "Pa", "bulk modulus of the oil in the neck").positive().fallback("1.4 GPa");
    d.port(a, "a", "oil port").optional().start(p0, Parameter{});
    d.output("p", "Pa", "pressure");
    d.output("V_oil", "m3", "oil in the accumulator");
    d.output("q", "m3/s", "flow into the accumulator");
  }

  void equations(Equations& eq) const {
    if (!eq.connected(a)) eq.refuse("nothing is connected to it");
    const Expr air = model::atmosphere, p = eq[a] + air, full = eq[precharge] + air;
    const Expr holds = eq.relation("oil", eq[a] - eq[precharge]);
    // gas, at its precharge when the accumulator is empty
    const Expr at = select(holds, p, full), gas = eq[V] * pow(full / at, 1 / eq[n]);
    const Oil oil(eq, a, eq[beta]);
    const Expr neck = oil.stored(eq[V_line]) - eq[V_line] / eq[beta] * eq[precharge] * eq[precharge] / 2;
    const Expr q = select(holds, gas / (eq[n] * at) * eq.der(a), oil.flow(eq[V_line], 0));
    oil.require_oil(eq, "neck", "it");
    eq.through(a, q);
    eq.stored(at * gas / (eq[n] - 1) - air * (eq[V] - gas) + select(holds, 0, neck));
    eq.output("p", "Pa", eq[a]);
    eq.output("V_oil", "m3", eq[V] - gas);
    eq.output("q", "m3/s", q);
  }
};

}  // namespace coenergy::domains::hydraulic
