#pragma once
#include "coenergy/domains/mechanical/words.hpp"

namespace coenergy::domains::mechanical {

/// Spring and viscous damper in parallel between a and b: f = k δ + d δ̇ with δ = s_b − s_a − rest.
///
/// k stiffness ≥ 0, d damping coefficient ≥ 0; f > 0 pulls the ends together.
template <class Flange>
struct SpringDamper {
  using Word = Words<Flange>;
  Flange a, b;
  Parameter k, damping, rest;

  void describe(Description& d) {
    d.name(type_name<Flange>("SpringDamper"), "spring and damper in parallel: force k*delta + d*d(delta)/dt");
    d.port(a, "a", "one end");
    d.port(b, "b", "other end");
    d.parameter(k, "k", Word::stiffness_unit, "stiffness").not_negative();
    d.parameter(damping, "d", Word::damping_unit, "damping coefficient").not_negative();
    d.parameter(rest, "rest", Word::position_unit, "unstretched length").fallback("0");
    d.output(Word::force, Word::force_unit, std::string(Word::force_help) + " that pulls the ends together");
    d.output("delta", Word::position_unit, "elongation");
  }

  void equations(Equations& eq) const {
    const Expr delta = eq[b] - eq[a] - eq[rest], v = eq.der(b) - eq.der(a);
    eq.potential(eq[k] * delta * delta / 2);
    eq.dissipation(eq[damping] * v * v / 2);
    eq.output(Word::force, Word::force_unit, eq[k] * delta + eq[damping] * v);
    eq.output("delta", Word::position_unit, delta);
  }
};

}  // namespace coenergy::domains::mechanical
