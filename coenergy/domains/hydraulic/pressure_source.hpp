#pragma once
#include "coenergy/domains/component.hpp"
#include "coenergy/model/fluid.hpp"

namespace coenergy::domains::hydraulic {

/// Ideal pressure source: p_a = p, whatever the flow. A volume on the same node follows p and takes the flow that ṗ asks
/// for, so p has to be differentiable then.
///
/// p (Pa, over atmosphere) may be any expression of time and signals; q is the flow it delivers (m³/s). Supplies p q.
struct PressureSource {
  Fluid a;
  Parameter p;
  Algebraic q;

  void describe(Description& d) {
    d.name("hydraulic.PressureSource", "ideal pressure source: the pressure of a is p");
    d.port(a, "a", "outlet");
    d.parameter(p, "p", "Pa", "pressure, over atmosphere").at_least(model::vacuum).varying();
    d.variable(q, "q", "m3/s", "flow delivered").nominal(1e-3);
    d.output("p", "Pa", "pressure");
  }

  HeldPort held(Equations& eq) const { return {a.index, eq[p]}; }

  void equations(Equations& eq) const {
    eq.through(a, -eq[q]);
    eq.zero(q, eq[a] - eq[p]);
    eq.supplied(eq[a] * eq[q]);
    eq.output("p", "Pa", eq[a]);
  }
};

}  // namespace coenergy::domains::hydraulic
