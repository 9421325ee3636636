#pragma once
#include "coenergy/domains/pneumatic/gas.hpp"

namespace coenergy::domains::pneumatic {

/// Air of a given pressure, whatever flows: the atmosphere, or a supply. p (Pa, absolute) may be any expression of time and
/// signals; m_flow is the flow it delivers (kg/s). Supplies ṁ R T ln(p/p₀).
struct Reservoir {
  Gas a;
  Parameter p;
  Algebraic flow;

  void describe(Description& d) {
    d.name("pneumatic.Reservoir", "air of a given pressure: the atmosphere, or a supply");
    d.port(a, "a", "outlet");
    d.parameter(p, "p", "Pa", "pressure, absolute; the atmosphere unless told otherwise")
        .positive()
        .varying()
        .fallback("101325 Pa");
    d.variable(flow, "m_flow", "kg/s", "flow delivered").nominal(1e-3);
    d.output("p", "Pa", "pressure, absolute");
  }

  HeldPort held(Equations& eq) const { return {a.index, eq[p]}; }

  void equations(Equations& eq) const {
    eq.through(a, -eq[flow]);
    eq.zero(flow, eq[a] - eq[p]);
    eq.supplied(Air::exergy(eq[a]) * eq[flow]);
    eq.output("p", "Pa", eq[a]);
  }
};

}  // namespace coenergy::domains::pneumatic
