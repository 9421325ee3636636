#pragma once
#include "coenergy/domains/pneumatic/nozzle_flow.hpp"

namespace coenergy::domains::pneumatic {

/// Orifice or metering valve for air, which chokes where p_b < 0.528 p_a (Nozzle). Loses ṁ R T ln(p_a/p_b) of exergy.
struct Orifice {
  Gas a, b;
  Nozzle nozzle;
  Parameter opening;

  void describe(Description& d) {
    d.name("pneumatic.Orifice", "orifice for air: isentropic flow, choked below 0.528 of the pressure");
    d.port(a, "a", "one side");
    d.port(b, "b", "other side");
    nozzle.describe(d);
    d.parameter(opening, "opening", "", "0 closed, 1 fully open").fallback("1").not_negative().varying().limited();
    d.output("m_flow", "kg/s", "flow from a to b");
    d.output("choked", "", "1 where the flow depends on the upstream pressure alone, else 0");
  }

  void equations(Equations& eq) const {
    const Expr flow = nozzle.flow(eq, eq[a], eq[b], eq[opening]);
    const double critical = std::pow(2 / (Nozzle::kappa + 1), Nozzle::kappa / (Nozzle::kappa - 1));
    eq.through(a, flow);
    eq.through(b, -flow);
    eq.dissipated(flow * (Air::exergy(eq[a]) - Air::exergy(eq[b])));
    eq.output("m_flow", "kg/s", flow);
    eq.output("choked", "", less(min(eq[a], eq[b]), critical * max(eq[a], eq[b])));
  }
};

}  // namespace coenergy::domains::pneumatic
