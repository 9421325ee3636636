#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::electrical {

/// Resistor that depends on its temperature T (K): v = R (1 + TC1 ΔT + TC2 ΔT²) i, ΔT = T − Tnom.
///
/// v = v_p − v_n (V), i from p to n (A), R (ohm) > 0 at Tnom. T may vary, with a temperature that is a signal. Turns
/// all power into heat.
struct TemperatureDependentResistor {
  Pin p, n;
  Parameter R, TC1, TC2, T, Tnom;

  void describe(Description& d) {
    d.name("electrical.TemperatureDependentResistor", "resistor: v = R (1 + TC1 dT + TC2 dT^2) i, dT = T - Tnom");
    d.port(p, "p", "positive pin");
    d.port(n, "n", "negative pin");
    d.parameter(R, "R", "ohm", "resistance at Tnom").positive().varying();
    d.parameter(TC1, "TC1", "1/K", "linear temperature coefficient").fallback("0 1/K");
    d.parameter(TC2, "TC2", "1/K2", "quadratic temperature coefficient").fallback("0 1/K2");
    d.parameter(T, "T", "K", "temperature; the nominal one without it").positive().optional().varying();
    d.parameter(Tnom, "Tnom", "K", "temperature at which R holds").fallback("300.15 K").positive();
    d.output("v", "V", "voltage from p to n");
    d.output("i", "A", "current from p to n");
    d.output("R", "ohm", "resistance at T");
  }

  std::vector<Branch> branches(Equations&) const { return {{p, n, BranchKind::resistive}}; }

  void equations(Equations& eq) const {
    const Expr v = eq[p] - eq[n], warmer = eq.has(T) ? eq[T] - eq[Tnom] : Expr(0);
    const Expr resistance = eq[R] * (1 + eq[TC1] * warmer + eq[TC2] * warmer * warmer), i = v / resistance;
    eq.through(p, i);
    eq.through(n, -i);
    eq.dissipated(v * i);
    eq.output("v", "V", v);
    eq.output("i", "A", i);
    eq.output("R", "ohm", resistance);
  }
};

}  // namespace coenergy::domains::electrical
