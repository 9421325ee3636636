#pragma once
#include "coenergy/domains/mechanical/words.hpp"

namespace coenergy::domains::mechanical {

/// Viscous damper between a and b: f = d (v_b − v_a), dissipation function ½ d (v_b − v_a)².
///
/// d damping coefficient (N.s/m or N.m.s/rad) ≥ 0, which may vary; f > 0 pulls the ends together.
template <class Flange>
struct Damper {
  using Word = Words<Flange>;
  Flange a, b;
  Parameter damping;

  void describe(Description& d) {
    d.name(type_name<Flange>("Damper"), "viscous damper between a and b: force d*(velocity of b - velocity of a)");
    d.port(a, "a", "one end");
    d.port(b, "b", "other end");
    d.parameter(damping, "d", Word::damping_unit, "damping coefficient").not_negative().varying();
    d.output(Word::force, Word::force_unit, std::string(Word::force_help) + " that pulls the ends together");
  }

  void equations(Equations& eq) const {
    const Expr v = eq.der(b) - eq.der(a), force = eq[damping] * v;
    eq.through(b, force);
    eq.through(a, -force);
    eq.dissipated(force * v);
    eq.output(Word::force, Word::force_unit, force);
  }
};

}  // namespace coenergy::domains::mechanical
