#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::hydraulic {

/// Ideal flow source or pump: delivers q at its outlet a, whatever the pressure, and takes it in at b.
///
/// q (m³/s) may be any expression of time and signals; without an inlet it draws from a tank at atmospheric pressure.
/// Supplies (p_a − p_b) q.
struct FlowSource {
  Fluid a, b;
  Parameter q;

  void describe(Description& d) {
    d.name("hydraulic.FlowSource", "ideal flow source (pump): delivers q at a");
    d.port(a, "a", "outlet");
    d.port(b, "b", "inlet; without it the tank").optional();
    d.parameter(q, "q", "m3/s", "flow delivered").varying();
    d.output("q", "m3/s", "flow delivered");
    d.output("p", "Pa", "pressure at the outlet");
  }

  void equations(Equations& eq) const {
    eq.through(a, -eq[q]);
    eq.through(b, eq[q]);
    eq.supplied((eq[a] - eq[b]) * eq[q]);
    eq.output("q", "m3/s", eq[q]);
    eq.output("p", "Pa", eq[a]);
  }
};

}  // namespace coenergy::domains::hydraulic
