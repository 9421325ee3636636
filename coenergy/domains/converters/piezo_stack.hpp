#pragma once
#include "coenergy/domains/converters/mover.hpp"

namespace coenergy::domains::converters {

/// Piezo stack, linear: charge Q = C u + n x, force of the stack f = n u − k x − d ẋ.
///
///   W' = ½ C u² + n u x − ½ k x²,   stored  ½ C u² + ½ k x²
///
/// C capacitance of the clamped stack (F), n force per voltage when clamped (N/V = C/m), k stiffness when shorted (N/m), d
/// damping (N.s/m), x elongation: position of the flange against the support (m), zero without load. Free, it becomes longer
/// by n u/k; clamped, it pushes with n u.
struct PiezoStack {
  Mover mover;
  Pin p, n;
  Parameter C, factor, k, d, v0;
  State v;

  void describe(Description& description) {
    description.name("converters.PiezoStack", "piezo stack: charge = C*v + n*x, f = n*v - k*x - d*dx/dt");
    description.port(p, "p", "positive pin");
    description.port(n, "n", "negative pin");
    mover.describe(description, "the end that moves");
    description.parameter(C, "C", "F", "capacitance of the clamped stack").positive();
    description.parameter(factor, "factor", "N/V", "force per voltage when clamped");
    description.parameter(k, "k", "N/m", "stiffness when shorted").positive();
    description.parameter(d, "d", "N.s/m", "damping").not_negative().fallback("0 N.s/m");
    description.parameter(v0, "v0", "V", "voltage at the start").fallback("0 V");
    description.variable(v, "v", "V", "voltage from p to n").start(v0);
    description.output("i", "A", "current from p to n");
    description.output("q", "C", "charge");
  }

  std::vector<Branch> branches(Equations&) const { return {{p, n, BranchKind::capacitive, v}}; }

  void equations(Equations& eq) const {
    const Expr u = eq[v], s = make_motion(eq);
    const Expr w = eq[C] * u * u / 2 + eq[factor] * u * s - eq[k] * s * s / 2;
    const Fields fields = write_electric_coenergy(eq, w, std::span(&u, 1), mover.position(eq));
    const Expr i = eq.time_derivative(fields.flux[0]);
    eq.through(p, i);
    eq.through(n, -i);
    eq.zero(v, u - (eq[p] - eq[n]));
    const Expr speed = mover.speed(eq), damping = eq.number(d) > 0 ? eq[d] * speed : Expr(0);
    eq.dissipation(eq[d] * speed * speed / 2);
    mover.outputs(eq, fields.force - damping);
    eq.output("i", "A", i);
    eq.output("q", "C", fields.flux[0]);
  }
};

}  // namespace coenergy::domains::converters
