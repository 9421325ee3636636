#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::electrical {

/// Gyrator: i1 = G v2, i2 = −G v1; no power is stored or lost. The skew part of a resistance matrix.
///
/// v1 = v_p1 − v_n1 and v2 = v_p2 − v_n2 (V); i1 and i2 (A) enter at p1 and p2. G (S) is the gyration conductance; it
/// may vary. The two sides are galvanically separate.
struct Gyrator {
  Pin p1, n1, p2, n2;
  Parameter G;

  void describe(Description& d) {
    d.name("electrical.Gyrator", "gyrator: i1 = G v2, i2 = -G v1");
    d.port(p1, "p1", "positive pin of side 1");
    d.port(n1, "n1", "negative pin of side 1");
    d.port(p2, "p2", "positive pin of side 2");
    d.port(n2, "n2", "negative pin of side 2");
    d.parameter(G, "G", "S", "gyration conductance").varying();
    d.output("i1", "A", "current into p1");
    d.output("i2", "A", "current into p2");
    d.output("v1", "V", "voltage from p1 to n1");
    d.output("v2", "V", "voltage from p2 to n2");
  }

  std::vector<Branch> branches(Equations&) const {
    return {{p1, n1, BranchKind::resistive}, {p2, n2, BranchKind::resistive}};
  }

  void equations(Equations& eq) const {
    const Expr v1 = eq[p1] - eq[n1], v2 = eq[p2] - eq[n2], i1 = eq[G] * v2, i2 = -eq[G] * v1;
    eq.through(p1, i1);
    eq.through(n1, -i1);
    eq.through(p2, i2);
    eq.through(n2, -i2);
    eq.output("i1", "A", i1);
    eq.output("i2", "A", i2);
    eq.output("v1", "V", v1);
    eq.output("v2", "V", v2);
  }
};

}  // namespace coenergy::domains::electrical
