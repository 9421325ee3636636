#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::electrical {

/// Ohmic resistor: v = R i.
///
/// v = v_p − v_n (V), i from p to n (A), R (ohm) > 0, which may vary. Turns R i² into heat.
struct Resistor {
  Pin p, n;
  Parameter R;

  void describe(Description& d) {
    d.name("electrical.Resistor", "resistor: v = R i");
    d.port(p, "p", "positive pin");
    d.port(n, "n", "negative pin");
    d.parameter(R, "R", "ohm", "resistance").positive().varying();
    d.output("v", "V", "voltage from p to n");
    d.output("i", "A", "current from p to n");
  }

  std::vector<Branch> branches(Equations&) const { return {{p, n, BranchKind::resistive}}; }

  void equations(Equations& eq) const {
    const Expr v = eq[p] - eq[n], i = v / eq[R];
    eq.through(p, i);
    eq.through(n, -i);
    eq.dissipated(v * i);
    eq.output("v", "V", v);
    eq.output("i", "A", i);
  }
};

}  // namespace coenergy::domains::electrical
