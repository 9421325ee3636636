#pragma once
#include <cmath>

#include "coenergy/domains/hydraulic/inertance.hpp"
#include "coenergy/model/fluid.hpp"

namespace coenergy::domains::hydraulic {

/// Line with inertia and compressible oil: pressure waves that travel without distortion, and laminar friction of which
/// half acts at each end (method of characteristics; Merritt 1967):
///
///   c = √(β/ρ),  T = l/c,  Z = ρ c/A                       wave speed, delay, characteristic impedance
///   w_a = p_a′ + Z Q_a,   w_b = p_b′ + Z Q_b               waves that leave the ends, p′ = p − ½ R Q, Q into the line
///   p_a′ − Z Q_a = w_b(t − T),   p_b′ − Z Q_b = w_a(t − T)
///
/// A valve that closes at once raises the pressure by ρ c Δv (Joukowsky). The waves store ∫ (w_a² + w_b²)/(4 Z) over the
/// last T: stored counts from the start. Before the start p0 and q0 (from a to b) held everywhere. Pressures below vacuum are not
/// described; a run in which an end is drawn there ends.
struct Line {
  Fluid a, b;
  Parameter length, area, beta, rho, viscosity, p0, q0;
  Algebraic q_a, q_b;
  State energy;

  void describe(Description& d) {
    d.name("hydraulic.Line", "line with pressure waves: p_a - Z q_a = (p_b + Z q_b) one travel time ago");
    d.port(a, "a", "one end");
    d.port(b, "b", "other end");
    d.parameter(length, "length", "m", "length").positive();
    d.parameter(area, "area", "m2", "cross-section").positive();
    d.parameter(beta, "beta", "Pa", "bulk modulus, of oil and wall together").positive().fallback("1.4 GPa");
    d.parameter(rho, "rho", "kg/m3", "density of the oil").positive().fallback("870 kg/m3");
    d.parameter(viscosity, "viscosity", "Pa.s", "dynamic viscosity, for laminar friction").not_negative().fallback("0");
    d.parameter(p0, "p0", "Pa", "pressure before the start").fallback("0 Pa").at_least(model::vacuum);
    d.parameter(q0, "q0", "m3/s", "flow from a to b before the start").fallback("0 m3/s");
    d.variable(q_a, "q_a", "m3/s", "flow into the line at a").nominal(1e-3);
    d.variable(q_b, "q_b", "m3/s", "flow into the line at b").nominal(1e-3);
    d.variable(energy, "energy", "J", "energy of the waves, less that at the start");
    d.output("arrived_a", "", "number of jumps and bends that have arrived at a, from -1");
    d.output("arrived_b", "", "the same at b");
    d.output("arrived_a_input", "", "pressure of the wave that leaves b, in Pa");
    d.output("arrived_b_input", "", "pressure of the wave that leaves a, in Pa");
    d.output("delay", "s", "travel time");
    d.output("Z", "Pa.s/m3", "characteristic impedance");
  }

  void equations(Equations& eq) const {
    // the delay is built in: how far back is to be known before the run
    const double l = eq.number(length), T = l * std::sqrt(eq.number(rho) / eq.number(beta));
    const Expr Z = sqrt(eq[rho] * eq[beta]) / eq[area];
    const Expr half = laminar_resistance(eq[viscosity], eq[length], eq[area]) / 2;
    const Expr at_a = eq[a] - half * eq[q_a], at_b = eq[b] - half * eq[q_b];
    const Expr from_a = at_a + Z * eq[q_a], from_b = at_b + Z * eq[q_b];
    const Expr to_b = eq.delayed("arrived_b", from_a, T, T, eq[p0] + Z * eq[q0]);
    const Expr to_a = eq.delayed("arrived_a", from_b, T, T, eq[p0] - Z * eq[q0]);
    constexpr double unit = 1e5;  // Pa, the size of pressures
    eq.zero(q_a, (at_a - Z * eq[q_a] - to_a) / unit);
    eq.zero(q_b, (at_b - Z * eq[q_b] - to_b) / unit);
    eq.through(a, eq[q_a]);
    eq.through(b, eq[q_b]);
    const Expr lost = half * (eq[q_a] * eq[q_a] + eq[q_b] * eq[q_b]);
    eq.zero(energy, eq.der(energy) - ((from_a - to_b) * (from_a + to_b) + (from_b - to_a) * (from_b + to_a)) / (4 * Z));
    eq.stored(eq[energy]);
    eq.dissipated(lost);
    eq.output("delay", "s", T);
    eq.output("Z", "Pa.s/m3", Z);
  }
};

}  // namespace coenergy::domains::hydraulic
