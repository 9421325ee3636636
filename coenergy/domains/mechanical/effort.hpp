#pragma once
#include "coenergy/domains/mechanical/words.hpp"

namespace coenergy::domains::mechanical {

/// Force (or torque) source: acts with f on the flange and with −f on the support.
///
/// f (N or N.m) may be any expression of time and signals; without a support the reaction goes to the ground. Supplies
/// f times the velocity of the flange against the support.
template <class Flange>
struct Effort {
  using Word = Words<Flange>;
  Flange flange, support;
  Parameter f;

  void describe(Description& d) {
    const std::string force = Word::force_help;
    d.name(std::is_same_v<Flange, Rotational> ? "mechanical.Torque" : "mechanical.Force", force + " source");
    d.port(flange, "flange", "the part it acts on");
    d.port(support, "support", "the part that takes the reaction; without it the ground").optional();
    d.parameter(f, Word::force, Word::force_unit, force + " on the flange, in the direction of its coordinate")
        .varying();
    d.output(Word::force, Word::force_unit, force + " on the flange");
  }

  void equations(Equations& eq) const {
    const Expr force = eq[f];
    eq.through(flange, -force);
    eq.supplied(force * eq.der(flange));
    if (eq.connected(support)) {
      eq.through(support, force);
      eq.supplied(-force * eq.der(support));
    }
    eq.output(Word::force, Word::force_unit, force);
  }
};

}  // namespace coenergy::domains::mechanical
