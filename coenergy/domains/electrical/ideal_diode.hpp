#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::electrical {

/// Ideal diode by complementarity, with located events: 0 ≤ i ⟂ V_f − v ≥ 0, softened by R_on and G_off.
///
/// The characteristic has the parameter s: conducting (s > 0) i = s·1 A and v = V_f + R_on i, blocking
/// v = V_f + s·1 V and i = G_off (v − V_f). Both meet at s = 0. v = v_p − v_n (V), i from p (anode) to n (A), V_f the
/// forward voltage (V). Turns v i into heat. R_on = 0 counts as 1e-8 ohm, so that diodes which conduct in parallel or
/// in a loop share the current equally instead of in any way.
struct IdealDiode {
  Pin p, n;
  Parameter V_f, R_on, G_off;
  Algebraic s;
  static constexpr double ideal_resistance = 1e-8;  // ohm

  void describe(Description& d) {
    d.name("electrical.IdealDiode",
           "ideal diode: v = V_f + R_on i while conducting, i = G_off (v - V_f) while blocking");
    d.port(p, "p", "anode");
    d.port(n, "n", "cathode");
    d.parameter(V_f, "V_f", "V", "forward voltage").fallback("0 V").not_negative();
    d.parameter(R_on, "R_on", "ohm", "resistance while conducting").fallback("1e-6 ohm").not_negative();
    d.parameter(G_off, "G_off", "S", "conductance while blocking").fallback("1e-9 S").not_negative();
    d.variable(s, "s", "", "current over 1 A while conducting, voltage over 1 V while blocking");
    d.output("v", "V", "voltage from p to n");
    d.output("i", "A", "current from p to n");
    d.output("conducting", "", "1 while conducting, 0 while blocking");
  }

  std::vector<Branch> branches(Equations&) const { return {{p, n, BranchKind::resistive}}; }

  void equations(Equations& eq) const {
    const Expr v = eq[p] - eq[n], on = eq.relation("conduction", eq[s]);
    const Expr i = select(on, 1, eq[G_off]) * eq[s];
    eq.through(p, i);
    eq.through(n, -i);
    const Expr resistance = eq.number(R_on) > 0 ? eq[R_on] : Expr(ideal_resistance);
    eq.zero(s, v - eq[V_f] - select(on, resistance, 1) * eq[s]);
    eq.dissipated(v * i);
    eq.output("v", "V", v);
    eq.output("i", "A", i);
    eq.output("conducting", "", on);
  }
};

}  // namespace coenergy::domains::electrical
