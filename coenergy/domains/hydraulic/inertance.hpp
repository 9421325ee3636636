#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::hydraulic {

/// Line filled with oil that has mass but does not compress (Merritt 1967):
///
///   I dQ/dt = p_a − p_b − R Q,   I = ρ l/A,   R = 128 μ l/(π d⁴) = 8 π μ l/A²
///
/// Q from a to b (m³/s), l length (m), A cross-section (m²), μ viscosity (Pa.s), laminar. Stores ½ I Q², turns R Q² into heat.
/// Oil that compresses: add a Volume at an end, or use Line.
struct Inertance {
  Fluid a, b;
  Parameter length, area, rho, viscosity, q0;
  State q;

  void describe(Description& d);
  void equations(Equations& eq) const;
};

/// 8 π μ l/A²: laminar resistance of a round line.
inline Expr laminar_resistance(const Expr& viscosity, const Expr& length, const Expr& area) {
  constexpr double eight_pi = 25.132741228718345;
  return eight_pi * viscosity * length / (area * area);
}

inline void Inertance::describe(Description& d) {
  d.name("hydraulic.Inertance", "line with the mass of its oil: rho*length/area dq/dt = p_a - p_b - R q");
  d.port(a, "a", "one end");
  d.port(b, "b", "other end");
  d.parameter(length, "length", "m", "length").positive();
  d.parameter(area, "area", "m2", "cross-section").positive();
  d.parameter(rho, "rho", "kg/m3", "density of the oil").positive().fallback("870 kg/m3");
  d.parameter(viscosity, "viscosity", "Pa.s", "dynamic viscosity, for laminar friction").not_negative().fallback("0");
  d.parameter(q0, "q0", "m3/s", "flow at the start").fallback("0 m3/s");
  d.variable(q, "q", "m3/s", "flow from a to b").start(q0).nominal(1e-3);
  d.output("dp", "Pa", "pressure drop from a to b");
}

inline void Inertance::equations(Equations& eq) const {
  const Expr dp = eq[a] - eq[b], inertance = eq[rho] * eq[length] / eq[area];
  const Expr friction = laminar_resistance(eq[viscosity], eq[length], eq[area]) * eq[q];
  eq.zero(q, eq.der(q) - (dp - friction) / inertance);
  eq.through(a, eq[q]);
  eq.through(b, -eq[q]);
  eq.stored(inertance * eq[q] * eq[q] / 2);
  eq.dissipated(friction * eq[q]);
  eq.output("dp", "Pa", dp);
}

}  // namespace coenergy::domains::hydraulic
