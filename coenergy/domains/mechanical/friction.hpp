#pragma once
#include "coenergy/domains/mechanical/words.hpp"

namespace coenergy::domains::mechanical {

/// Dry and viscous friction between a and b, regularised at v = 0:
///
///   f = (f_c + (f_s − f_c) exp(−(v/v_s)²)) tanh(v/v_eps) + d v,   v = v_b − v_a
///
/// f_c Coulomb level, f_s ≥ f_c break-away level (Stribeck; f_s = f_c without it), v_s Stribeck velocity, v_eps width
/// of the regularisation, d viscous coefficient (time-domain.md H6). At rest it creeps: it holds a load f < f_c at the
/// velocity v_eps artanh(f/f_c). f > 0 opposes v > 0.
template <class Flange>
struct Friction {
  using Word = Words<Flange>;
  Flange a, b;
  Parameter f_c, f_s, v_s, v_eps, damping;

  void describe(Description& d) {
    const std::string force = Word::force_help;
    d.name(type_name<Flange>("Friction"),
           "dry friction (Coulomb with Stribeck effect, tanh near rest) and viscous friction");
    d.port(a, "a", "one side");
    d.port(b, "b", "other side");
    d.parameter(f_c, "coulomb", Word::force_unit, "sliding friction " + force).not_negative();
    d.parameter(f_s, "breakaway", Word::force_unit, "break-away friction " + force + "; without it the Coulomb level")
        .not_negative()
        .optional();
    d.parameter(v_s, "stribeck", Word::rate_unit, "velocity at which the break-away level has decayed")
        .positive()
        .fallback("0.1");
    d.parameter(v_eps, "v_eps", Word::rate_unit, "velocity over which the friction changes sign")
        .positive()
        .fallback("1e-3");
    d.parameter(damping, "d", Word::damping_unit, "viscous friction coefficient").not_negative().fallback("0");
    d.output(Word::force, Word::force_unit, "friction " + force);
  }

  void equations(Equations& eq) const {
    const Expr v = eq.der(b) - eq.der(a);
    Expr level = eq[f_c];
    if (eq.has(f_s)) level += (eq[f_s] - eq[f_c]) * exp(-pow(v / eq[v_s], 2));
    const Expr force = level * tanh(v / eq[v_eps]) + eq[damping] * v;
    eq.through(b, force);
    eq.through(a, -force);
    eq.dissipated(force * v);
    eq.output(Word::force, Word::force_unit, force);
  }
};

}  // namespace coenergy::domains::mechanical
