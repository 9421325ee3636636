#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::electrical {

/// Ideal switch with located events: v = R_on i while control > 0.5, i = G_off v otherwise.
///
/// R_on and G_off may be zero where the circuit stays determinate: a closed switch must not short a capacitor or a
/// source, an open one must not interrupt an inductor. v = v_p − v_n (V), i from p to n (A). Turns v i into heat.
struct IdealSwitch {
  Pin p, n;
  Parameter control, R_on, G_off;
  Algebraic i;

  void describe(Description& d) {
    d.name("electrical.IdealSwitch", "ideal switch: v = R_on i while control > 0.5, i = G_off v otherwise");
    d.port(p, "p", "positive pin");
    d.port(n, "n", "negative pin");
    d.parameter(control, "control", "any", "signal that closes the switch when it exceeds 0.5").varying();
    d.parameter(R_on, "R_on", "ohm", "resistance when closed").fallback("1e-6 ohm").not_negative();
    d.parameter(G_off, "G_off", "S", "conductance when open").fallback("1e-9 S").not_negative();
    d.variable(i, "i", "A", "current from p to n");
    d.output("v", "V", "voltage from p to n");
    d.output("closed", "", "1 while closed, 0 while open");
  }

  std::vector<Branch> branches(Equations&) const { return {{p, n, BranchKind::resistive}}; }

  void equations(Equations& eq) const {
    const Expr v = eq[p] - eq[n], closed = eq.relation("control", eq[control] - 0.5);
    eq.through(p, eq[i]);
    eq.through(n, -eq[i]);
    eq.zero(i, select(closed, v - eq[R_on] * eq[i], eq[i] - eq[G_off] * v));
    eq.dissipated(v * eq[i]);
    eq.output("v", "V", v);
    eq.output("closed", "", closed);
  }
};

}  // namespace coenergy::domains::electrical
