#pragma once
#include "coenergy/domains/friction_law.hpp"
#include "coenergy/domains/mechanical/words.hpp"

namespace coenergy::domains::mechanical {

/// Friction between a and b by one of the laws of FrictionLaw, with v = v_b − v_a. f > 0 opposes v > 0.
template <class Flange>
struct Friction {
  using Word = Words<Flange>;
  Flange a, b;
  FrictionLaw<Flange> friction;

  void describe(Description& d) {
    d.name(type_name<Flange>("Friction"),
           "dry friction (Coulomb, Stribeck; smooth, with bristles, or sticking) and viscous friction");
    d.port(a, "a", "one side");
    d.port(b, "b", "other side");
    d.parameter(friction.f_c, "coulomb", Word::force_unit, std::string("sliding friction ") + Word::force_help)
        .not_negative()
        .varying();
    friction.describe(d, "", friction.f_c);
    d.output(Word::force, Word::force_unit, std::string("friction ") + Word::force_help);
  }

  void equations(Equations& eq) const {
    const Expr v = eq.der(b) - eq.der(a);
    const Expr acceleration = friction.needs_acceleration(eq) ? eq.der2(b) - eq.der2(a) : Expr(0);
    const Expr force = friction.equations(eq, v, acceleration);
    eq.through(b, force);
    eq.through(a, -force);
    eq.output(Word::force, Word::force_unit, force);
  }
};

}  // namespace coenergy::domains::mechanical
