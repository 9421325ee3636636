#pragma once
#include "coenergy/domains/hydraulic/orifice_flow.hpp"

namespace coenergy::domains::hydraulic {

/// Pressure-compensated flow control valve: from a to b the set flow, whatever the pressure, as long as its orifice
/// lets as much pass (Merritt 1967):
///
///   Q = min(q_set, K √Δp)  for Δp = p_a − p_b > 0,   Q = −K √|Δp|  for Δp < 0 (unregulated)
///
/// K of the orifice by area or nominal flow (OrificeSize). The pressure drop from which it regulates is (q_set/K)².
/// Turns Q Δp into heat.
struct FlowControlValve {
  Fluid a, b;
  OrificeSize size;
  Parameter set;

  void describe(Description& d) {
    d.name("hydraulic.FlowControlValve", "flow control valve: q = q_set from a to b where the pressure drop suffices");
    d.port(a, "a", "inlet");
    d.port(b, "b", "outlet");
    d.parameter(set, "q_set", "m3/s", "regulated flow").not_negative().varying().limited();
    size.describe(d);
    d.output("q", "m3/s", "flow from a to b");
    d.output("dp", "Pa", "pressure drop from a to b");
    d.output("regulates", "", "1 where the flow is the set one, else 0");
  }

  void equations(Equations& eq) const {
    const Expr dp = eq[a] - eq[b], open = orifice_flow(size.coefficient(eq), dp, eq[size.transition]);
    const Expr regulates = eq.relation("regulation", open - eq[set]), q = select(regulates, eq[set], open);
    eq.through(a, q);
    eq.through(b, -q);
    eq.dissipated(q * dp);
    eq.output("q", "m3/s", q);
    eq.output("dp", "Pa", dp);
    eq.output("regulates", "", regulates);
  }
};

}  // namespace coenergy::domains::hydraulic
