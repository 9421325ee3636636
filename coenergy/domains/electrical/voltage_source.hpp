#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::electrical {

/// Ideal voltage source: v_p − v_n = v, whatever the current.
///
/// v (V) may be any expression of time and signals. The current i (A) runs from p to n through the source, as in every
/// other element: it is negative while the source delivers. Supplies −v i.
struct VoltageSource {
  Pin p, n;
  Parameter v;
  Algebraic i;

  void describe(Description& d) {
    d.name("electrical.VoltageSource", "ideal voltage source: v_p - v_n = v");
    d.port(p, "p", "positive pin");
    d.port(n, "n", "negative pin");
    d.parameter(v, "v", "V", "voltage from p to n").varying();
    d.variable(i, "i", "A", "current from p to n through the source");
    d.output("v", "V", "voltage from p to n");
  }

  std::vector<Branch> branches(Equations& eq) const { return {{p, n, BranchKind::voltage, {}, eq[v]}}; }

  void equations(Equations& eq) const {
    eq.through(p, eq[i]);
    eq.through(n, -eq[i]);
    eq.zero(i, eq[p] - eq[n] - eq[v]);
    eq.supplied(-(eq[p] - eq[n]) * eq[i]);
    eq.output("v", "V", eq[p] - eq[n]);
  }
};

}  // namespace coenergy::domains::electrical
