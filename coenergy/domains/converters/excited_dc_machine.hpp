#pragma once
#include "coenergy/domains/converters/rotor.hpp"

namespace coenergy::domains::converters {

/// DC machine with a field winding (Fitzgerald, Kingsley, Umans: Electric Machinery):
///
///   v_a = R_a i_a + L_a di_a/dt + e,   e = G ω,   τ = G i_a,   G = M_af i_f   or any G(i_f) for a saturated field
///   v_f = R_f i_f + L_f di_f/dt
///
/// p, n are the pins of the armature, fp, fn those of the field: fed on its own (separate excitation), fp at n
/// (series), or beside the armature (shunt). G (V.s/rad = N.m/A) is an expression of the own i_f where it is given.
/// Electric power e i_a becomes τ ω without loss; ½ L_a i_a² and ½ L_f i_f² are stored.
struct ExcitedDcMachine {
  Rotor rotor;
  Pin p, n, fp, fn;
  Parameter R_a, L_a, R_f, L_f, M_af, G, i0, i_f0;
  State i, i_f;

  void describe(Description& d) {
    d.name("converters.ExcitedDcMachine", "DC machine with a field winding: e = M_af*i_f*w, tau = M_af*i_f*i");
    d.port(p, "p", "positive pin of the armature");
    d.port(n, "n", "negative pin of the armature");
    d.port(fp, "fp", "positive pin of the field");
    d.port(fn, "fn", "negative pin of the field");
    rotor.describe(d);
    d.parameter(R_a, "R_a", "ohm", "resistance of the armature").not_negative().varying();
    d.parameter(L_a, "L_a", "H", "inductance of the armature").positive();
    d.parameter(R_f, "R_f", "ohm", "resistance of the field").not_negative().varying();
    d.parameter(L_f, "L_f", "H", "inductance of the field").positive();
    d.parameter(M_af, "M_af", "H", "machine constant per field current").optional();
    d.parameter(G, "G", "V.s/rad", "machine constant, an expression of the own i_f, instead of M_af")
        .varying()
        .optional();
    d.parameter(i0, "i0", "A", "armature current at the start").fallback("0 A");
    d.parameter(i_f0, "i_f0", "A", "field current at the start").fallback("0 A");
    d.variable(i, "i", "A", "armature current from p to n").start(i0);
    d.variable(i_f, "i_f", "A", "field current from fp to fn").start(i_f0);
    d.output("v", "V", "voltage of the armature");
    d.output("e", "V", "induced voltage");
  }

  std::vector<Branch> branches(Equations&) const {
    return {{p, n, BranchKind::inductive, i}, {fp, fn, BranchKind::inductive, i_f}};
  }

  void equations(Equations& eq) const {
    if (eq.has(M_af) == eq.has(G)) eq.refuse("give either M_af or the machine constant G");
    const Expr g = eq.has(G) ? eq[G] : eq[M_af] * eq[i_f], e = g * rotor.speed(eq), v = eq[p] - eq[n];
    const Expr a = eq[i], f = eq[i_f];
    eq.zero(i, eq[R_a] * a + eq[L_a] * eq.time_derivative(a) + e - v);
    eq.zero(i_f, eq[R_f] * f + eq[L_f] * eq.time_derivative(f) - (eq[fp] - eq[fn]));
    eq.through(p, a);
    eq.through(n, -a);
    eq.through(fp, f);
    eq.through(fn, -f);
    eq.dissipated(eq[R_a] * a * a + eq[R_f] * f * f);
    eq.stored(eq[L_a] * a * a / 2 + eq[L_f] * f * f / 2);
    rotor.apply(eq, g * a);
    rotor.equations(eq, g * a);
    eq.output("v", "V", v);
    eq.output("e", "V", e);
  }
};

}  // namespace coenergy::domains::converters
