#pragma once
#include "coenergy/domains/converters/mover.hpp"

namespace coenergy::domains::converters {

/// Electrostatic actuator, condenser microphone or speaker: a capacitor with a plate that moves,
///
///   C(x) = ε_r ε₀ A/(gap + x) + C_0,   i = d(C u)/dt,   f = ½ u² ∂C/∂x      closes the gap
///
/// A area of the plates (m²), C_0 capacitance beside them (F), x position of the flange against the support (m), counted
/// so that the gap grows with it. A voltage beyond that at which the gap is two thirds of its length without voltage
/// pulls a plate on a spring in. A run ends where the gap closes.
struct PlateCapacitor {
  Mover mover;
  Pin p, n;
  Parameter area, gap, epsilon_r, C_0, v0;
  State v;
  static constexpr double epsilon_0 = 8.8541878128e-12;  // F/m

  void describe(Description& d) {
    d.name("converters.PlateCapacitor", "capacitor with a moving plate: i = d(C(x)*v)/dt, f = v^2/2*dC/dx");
    d.port(p, "p", "positive pin");
    d.port(n, "n", "negative pin");
    mover.describe(d, "the moving plate; the gap grows with its position");
    d.parameter(area, "area", "m2", "area of the plates").positive();
    d.parameter(gap, "gap", "m", "length of the gap where flange and support are at the same position").fallback("0 m");
    d.parameter(epsilon_r, "epsilon_r", "", "relative permittivity in the gap").positive().fallback("1");
    d.parameter(C_0, "C_0", "F", "capacitance that does not move").not_negative().fallback("0 F");
    d.parameter(v0, "v0", "V", "voltage at the start").fallback("0 V");
    d.variable(v, "v", "V", "voltage from p to n").start(v0);
    d.output("i", "A", "current from p to n");
    d.output("g", "m", "length of the gap");
    d.output("C", "F", "capacitance");
  }

  std::vector<Branch> branches(Equations&) const { return {{p, n, BranchKind::capacitive, v}}; }

  void equations(Equations& eq) const {
    const Expr u = eq[v], plates = eq[epsilon_r] * epsilon_0 * eq[area];
    const Expr w = (plates / (eq[gap] + make_motion(eq)) + eq[C_0]) * u * u / 2;
    const Fields fields = write_electric_coenergy(eq, w, std::span(&u, 1), mover.position(eq));
    const Expr i = eq.time_derivative(fields.flux[0]), length = eq[gap] + mover.position(eq);
    eq.through(p, i);
    eq.through(n, -i);
    eq.zero(v, u - (eq[p] - eq[n]));
    eq.require("gap", -length, "its gap is closed; put a mechanical.TranslationalStop where the plates touch");
    mover.outputs(eq, fields.force);
    eq.output("i", "A", i);
    eq.output("g", "m", length);
    eq.output("C", "F", plates / length + eq[C_0]);
  }
};

}  // namespace coenergy::domains::converters
