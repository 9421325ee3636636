#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::electrical {

/// Ideal current source: i from p to n through the source, whatever the voltage.
///
/// i (A) may be any expression of time and signals; v = v_p − v_n (V). Supplies −v i.
struct CurrentSource {
  Pin p, n;
  Parameter i;

  void describe(Description& d) {
    d.name("electrical.CurrentSource", "ideal current source: the current i flows from p to n through the source");
    d.port(p, "p", "pin where the current enters");
    d.port(n, "n", "pin where the current leaves");
    d.parameter(i, "i", "A", "current from p to n").varying();
    d.output("v", "V", "voltage from p to n");
    d.output("i", "A", "current from p to n");
  }

  std::vector<Branch> branches(Equations& eq) const { return {{p, n, BranchKind::current, {}, eq[i]}}; }

  void equations(Equations& eq) const {
    const Expr v = eq[p] - eq[n];
    eq.through(p, eq[i]);
    eq.through(n, -eq[i]);
    eq.supplied(-v * eq[i]);
    eq.output("v", "V", v);
    eq.output("i", "A", eq[i]);
  }
};

}  // namespace coenergy::domains::electrical
