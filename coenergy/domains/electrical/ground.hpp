#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::electrical {

/// Reference of a circuit: v_p = 0. The same as naming the node gnd, ground or 0.
///
/// i (A) is the current that flows through p into the ground: zero where a circuit has one ground only.
struct Ground {
  Pin p;
  Algebraic i;

  void describe(Description& d) {
    d.name("electrical.Ground", "ground: v_p = 0");
    d.port(p, "p", "grounded pin");
    d.variable(i, "i", "A", "current into the ground");
  }

  void equations(Equations& eq) const {
    eq.through(p, eq[i]);
    // on a node that is ground already there is nothing left to hold
    eq.zero(i, eq[p].is_number() ? eq[i] : eq[p]);
  }
};

}  // namespace coenergy::domains::electrical
