#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::electrical {

/// Resistor with any characteristic, given as current of its own voltage or as voltage of its own current:
/// `i: "2 mA*((R1.v/(1 V))^3 - R1.v/(1 V))"` or `v: "table(R1.i, [-1, 0, 2], [-5, 0, 7])"`.
///
/// v = v_p − v_n (V), i from p to n (A). The characteristic may also depend on time, coordinates and other signals.
/// Turns v i into heat; a characteristic in the second or fourth quadrant takes power from outside.
struct NonlinearResistor {
  Pin p, n;
  Parameter current, voltage;
  Algebraic i;

  void describe(Description& d) {
    d.name("electrical.NonlinearResistor", "resistor with any characteristic: i = i(v), or v = v(i)");
    d.port(p, "p", "positive pin");
    d.port(n, "n", "negative pin");
    d.parameter(current, "i", "A", "current, an expression of the own voltage").varying().optional();
    d.parameter(voltage, "v", "V", "voltage, an expression of the own current, instead of i").varying().optional();
    d.variable(i, "i", "A", "current from p to n");
    d.output("v", "V", "voltage from p to n");
  }

  std::vector<Branch> branches(Equations&) const { return {{p, n, BranchKind::resistive}}; }

  void equations(Equations& eq) const {
    if (eq.has(current) == eq.has(voltage)) eq.refuse("give either the current i or the voltage v");
    const Expr v = eq[p] - eq[n];
    eq.output("v", "V", v);
    eq.through(p, eq[i]);
    eq.through(n, -eq[i]);
    eq.zero(i, eq.has(current) ? eq[i] - eq[current] : eq[voltage] - v);
    eq.dissipated(v * eq[i]);
  }
};

}  // namespace coenergy::domains::electrical
