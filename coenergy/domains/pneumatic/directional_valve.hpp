#pragma once
#include "coenergy/domains/pneumatic/nozzle_flow.hpp"

namespace coenergy::domains::pneumatic {

/// Five-port (5/3) valve with zero overlap: u > 0 connects p with a and b with the exhaust t, u < 0 p with b and a with t.
///
/// |u| = 1 is fully open (u is held within −1 … 1); each edge is an orifice (Nozzle).
struct DirectionalValve {
  Gas p, t, a, b;
  Nozzle nozzle;
  Parameter u;

  void describe(Description& d) {
    d.name("pneumatic.DirectionalValve", "valve for air: u > 0 opens p to a and b to t, u < 0 opens p to b and a to t");
    d.port(p, "p", "supply");
    d.port(t, "t", "exhaust");
    d.port(a, "a", "first consumer line");
    d.port(b, "b", "second consumer line");
    nozzle.describe(d);
    d.parameter(u, "u", "", "position of the slide").between(-1, 1).varying().limited();
    d.output("m_flow_a", "kg/s", "flow out of port a");
    d.output("m_flow_b", "kg/s", "flow out of port b");
  }

  void equations(Equations& eq) const {
    const Expr forward = max(eq[u], 0), backward = max(-eq[u], 0);
    auto edge = [&](Gas from, Gas to, const Expr& opening) {
      const Expr flow = nozzle.flow(eq, eq[from], eq[to], opening);
      eq.through(from, flow);
      eq.through(to, -flow);
      eq.dissipated(flow * (Air::exergy(eq[from]) - Air::exergy(eq[to])));
      return flow;
    };
    const Expr pa = edge(p, a, forward), bt = edge(b, t, forward);
    const Expr pb = edge(p, b, backward), at = edge(a, t, backward);
    eq.output("m_flow_a", "kg/s", pa - at);
    eq.output("m_flow_b", "kg/s", pb - bt);
  }
};

}  // namespace coenergy::domains::pneumatic
