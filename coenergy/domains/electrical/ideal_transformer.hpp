#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::electrical {

/// Ideal transformer: v1 = n v2, i2 = −n i1; no power is stored or lost.
///
/// v1 = v_p1 − v_n1 and v2 = v_p2 − v_n2 (V); i1 and i2 (A) enter at p1 and p2. n is the ratio of turns N1/N2; it may
/// vary. The two sides are galvanically separate.
struct IdealTransformer {
  Pin p1, n1, p2, n2;
  Parameter ratio;
  Algebraic i1;

  void describe(Description& d) {
    d.name("electrical.IdealTransformer", "ideal transformer: v1 = n v2, i2 = -n i1");
    d.port(p1, "p1", "positive pin of side 1");
    d.port(n1, "n1", "negative pin of side 1");
    d.port(p2, "p2", "positive pin of side 2");
    d.port(n2, "n2", "negative pin of side 2");
    d.parameter(ratio, "n", "", "ratio of turns N1/N2").varying();
    d.variable(i1, "i1", "A", "current into p1");
    d.output("i2", "A", "current into p2");
    d.output("v1", "V", "voltage from p1 to n1");
    d.output("v2", "V", "voltage from p2 to n2");
  }

  std::vector<Branch> branches(Equations&) const {
    return {{p1, n1, BranchKind::resistive}, {p2, n2, BranchKind::resistive}};
  }

  void equations(Equations& eq) const {
    const Expr v1 = eq[p1] - eq[n1], v2 = eq[p2] - eq[n2], i2 = -eq[ratio] * eq[i1];
    eq.through(p1, eq[i1]);
    eq.through(n1, -eq[i1]);
    eq.through(p2, i2);
    eq.through(n2, -i2);
    eq.zero(i1, v1 - eq[ratio] * v2);
    eq.output("i2", "A", i2);
    eq.output("v1", "V", v1);
    eq.output("v2", "V", v2);
  }
};

}  // namespace coenergy::domains::electrical
