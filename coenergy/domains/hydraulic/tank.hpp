#pragma once
#include "coenergy/domains/component.hpp"
#include "coenergy/model/fluid.hpp"

namespace coenergy::domains::hydraulic {

/// Tank: p_a = p, by default the atmosphere (0), whatever flows in. One tank component per node.
///
/// q is the flow into the tank (m³/s); the pressure takes the power p q away.
struct Tank {
  Fluid a;
  Parameter p;
  Algebraic q;

  void describe(Description& d) {
    d.name("hydraulic.Tank", "tank: the pressure of a is p, whatever flows in");
    d.port(a, "a", "inlet");
    d.parameter(p, "p", "Pa", "pressure, over atmosphere").fallback("0 Pa").at_least(model::vacuum);
    d.variable(q, "q", "m3/s", "flow into the tank").nominal(1e-3);
  }

  HeldPort held(Equations& eq) const { return {a.index, eq[p]}; }

  void equations(Equations& eq) const {
    eq.through(a, eq[q]);
    eq.zero(q, eq[a] - eq[p]);
    eq.supplied(-eq[a] * eq[q]);
  }
};

}  // namespace coenergy::domains::hydraulic
