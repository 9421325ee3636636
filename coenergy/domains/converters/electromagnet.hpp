#pragma once
#include "coenergy/domains/converters/mover.hpp"
#include "coenergy/symbolic/integral.hpp"

namespace coenergy::domains::converters {

/// Electromagnet with an air gap, also as solenoid or lifting magnet:
///
///   L(x) = µ₀ N² A/(n_g g + l/µ_r),   g = gap + x        λ = L i, or N φ_s tanh(L i/(N φ_s)) with saturation
///   f = ∂W'/∂x, W' = ∫ λ di: −½ i² µ₀ N² A n_g/(n_g g + l/µ_r)² without saturation
///
/// N turns, A area of a pole (m²), n_g gaps that the flux crosses (2 for a yoke, 1 for a plunger), g ≥ 0 their length (m),
/// l, µ_r length and relative permeability of the iron, B_s its flux density of saturation: φ_s = B_s A. x is the position
/// of the flange against the support, counted so that the gap grows with it; the force closes the gap. A run ends where
/// the gap would become negative: put a stop there.
struct Electromagnet {
  Mover mover;
  Pin p, n;
  Parameter turns, area, gaps, gap, iron_length, mu_r, B_s, R, i0;
  State i;
  static constexpr double mu_0 = 1.25663706212e-6;  // H/m

  void describe(Description& d) {
    d.name("converters.Electromagnet", "electromagnet with a gap: v = R*i + d(lambda)/dt, f = dW'/dx closes the gap");
    d.port(p, "p", "positive pin");
    d.port(n, "n", "negative pin");
    mover.describe(d, "the armature; the gap grows with its position");
    d.parameter(turns, "turns", "", "turns of the winding").positive();
    d.parameter(area, "area", "m2", "area of a pole").positive();
    d.parameter(gaps, "gaps", "", "gaps that the flux crosses").positive().fallback("2");
    d.parameter(gap, "gap", "m", "length of a gap where flange and support are at the same position").fallback("0 m");
    d.parameter(iron_length, "iron_length", "m", "length of the flux in iron").positive();
    d.parameter(mu_r, "mu_r", "", "relative permeability of the iron").positive().fallback("1000");
    d.parameter(B_s, "B_s", "T", "flux density at which the iron saturates; without it never").positive().optional();
    d.parameter(R, "R", "ohm", "resistance").not_negative().varying();
    d.parameter(i0, "i0", "A", "current at the start").fallback("0 A");
    d.variable(i, "i", "A", "current from p to n").start(i0);
    d.output("v", "V", "voltage from p to n");
    d.output("g", "m", "length of a gap");
    d.output("phi", "Wb", "flux linkage");
  }

  std::vector<Branch> branches(Equations&) const { return {{p, n, BranchKind::inductive, i}}; }

  void equations(Equations& eq) const {
    const Expr c = eq[i], v = eq[p] - eq[n], g = eq[gap] + make_motion(eq), N = eq[turns];
    const Expr L = mu_0 * N * N * eq[area] / (eq[gaps] * g + eq[iron_length] / eq[mu_r]);
    Expr w = L * c * c / 2;
    if (eq.has(B_s)) {
      const Expr greatest = N * eq[B_s] * eq[area];
      w = symbolic::integral(greatest * tanh(L * c / greatest), c);
    }
    const Fields fields = write_coenergy(eq, w, std::span(&c, 1), mover.position(eq));
    eq.zero(i, eq[R] * c + eq.time_derivative(fields.flux[0]) - v);
    eq.through(p, c);
    eq.through(n, -c);
    eq.dissipated(eq[R] * c * c);
    const Expr length = eq[gap] + mover.position(eq);
    eq.require("gap", -length, "its gap is closed; put a mechanical.TranslationalStop where armature and yoke touch");
    mover.outputs(eq, fields.force);
    eq.output("v", "V", v);
    eq.output("g", "m", length);
    eq.output("phi", "Wb", fields.flux[0]);
  }
};

}  // namespace coenergy::domains::converters
