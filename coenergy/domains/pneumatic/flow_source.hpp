#pragma once
#include "coenergy/domains/pneumatic/gas.hpp"

namespace coenergy::domains::pneumatic {

/// Compressor without limits: delivers m_flow at a, whatever the pressure, from the atmosphere. Supplies ṁ R T ln(p/p₀),
/// the work of an isothermal compression.
struct FlowSource {
  Gas a;
  Parameter m_flow;

  void describe(Description& d) {
    d.name("pneumatic.FlowSource", "ideal flow source of air (compressor): delivers m_flow at a");
    d.port(a, "a", "outlet");
    d.parameter(m_flow, "m_flow", "kg/s", "flow delivered").varying();
    d.output("m_flow", "kg/s", "flow delivered");
    d.output("p", "Pa", "pressure at the outlet, absolute");
  }

  void equations(Equations& eq) const {
    eq.through(a, -eq[m_flow]);
    eq.supplied(Air::exergy(eq[a]) * eq[m_flow]);
    eq.output("m_flow", "kg/s", eq[m_flow]);
    eq.output("p", "Pa", eq[a]);
  }
};

}  // namespace coenergy::domains::pneumatic
