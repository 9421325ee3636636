#pragma once
#include "coenergy/domains/hydraulic/orifice_flow.hpp"

namespace coenergy::domains::hydraulic {

/// Four-way valve with zero overlap and without spool dynamics: four metering edges, each an orifice.
///
/// u > 0 connects p with a and b with t, u < 0 connects p with b and a with t; |u| = 1 is fully open (u is held within
/// −1 … 1). K of one edge is that of OrificeSize; a nominal flow is that of one edge at dp_nominal over it.
struct ServoValve {
  Fluid p, t, a, b;
  OrificeSize size;
  Parameter u;

  void describe(Description& d) {
    d.name("hydraulic.ServoValve", "four-way valve: u > 0 opens p to a and b to t, u < 0 opens p to b and a to t");
    d.port(p, "p", "pressure supply");
    d.port(t, "t", "tank");
    d.port(a, "a", "first consumer line");
    d.port(b, "b", "second consumer line");
    size.describe(d);
    d.parameter(u, "u", "", "spool position").between(-1, 1).varying().limited();
    d.output("q_a", "m3/s", "flow out of port a");
    d.output("q_b", "m3/s", "flow out of port b");
  }

  void equations(Equations& eq) const {
    const Expr K = size.coefficient(eq), spool = eq[u];
    const Expr forward = max(spool, 0), backward = max(-spool, 0);
    auto edge = [&](Fluid from, Fluid to, const Expr& opening) {
      const Expr dp = eq[from] - eq[to], q = opening * orifice_flow(K, dp, eq[size.transition]);
      eq.through(from, q);
      eq.through(to, -q);
      eq.dissipated(q * dp);
      return q;
    };
    const Expr pa = edge(p, a, forward), bt = edge(b, t, forward);
    const Expr pb = edge(p, b, backward), at = edge(a, t, backward);
    eq.output("q_a", "m3/s", pa - at);
    eq.output("q_b", "m3/s", pb - bt);
  }
};

}  // namespace coenergy::domains::hydraulic
