#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::electrical {

/// Ideal voltmeter: shows v = v_p − v_n (V) and draws no current.
struct Voltmeter {
  Pin p, n;

  void describe(Description& d) {
    d.name("electrical.Voltmeter", "voltage between two nodes: v = v_p - v_n, i = 0");
    d.port(p, "p", "positive pin");
    d.port(n, "n", "negative pin");
    d.output("v", "V", "voltage from p to n");
  }

  std::vector<Branch> branches(Equations&) const { return {}; }  // it joins nothing

  void equations(Equations& eq) const { eq.output("v", "V", eq[p] - eq[n]); }
};

}  // namespace coenergy::domains::electrical
