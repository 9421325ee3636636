#pragma once
#include "coenergy/domains/pneumatic/gas.hpp"

namespace coenergy::domains::pneumatic {

/// Air in a space of constant size: ṗ = R T ṁ/V, at room temperature (Air).
///
/// p pressure (Pa, absolute), ṁ flow into the volume (kg/s), V (m³) > 0, m mass of the air (kg). A run in which all air
/// is drawn from it ends.
struct Volume {
  Gas a;
  Parameter V, p0;

  void describe(Description& d) {
    d.name("pneumatic.Volume", "air volume at room temperature: dp/dt = R*T*m_flow/V");
    d.parameter(V, "V", "m3", "volume").positive();
    d.parameter(p0, "p0", "Pa", "pressure at the start, absolute").fallback("101325 Pa").positive();
    d.port(a, "a", "the volume").start(p0, Parameter{});
    d.output("p", "Pa", "pressure, absolute");
    d.output("m_flow", "kg/s", "flow into the volume");
    d.output("mass", "kg", "mass of the air in it");
  }

  void equations(Equations& eq) const {
    const Expr p = eq[a], flow = eq[V] / (Air::R * Air::T) * eq.der(a);
    eq.require("air", -p, "the volume is empty: more air is drawn from it than it holds");
    eq.through(a, flow);
    eq.stored(Air::stored(p, eq[V]));
    eq.output("p", "Pa", p);
    eq.output("m_flow", "kg/s", flow);
    eq.output("mass", "kg", p * eq[V] / (Air::R * Air::T));
  }
};

}  // namespace coenergy::domains::pneumatic
