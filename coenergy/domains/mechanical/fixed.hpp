#pragma once
#include "coenergy/domains/mechanical/words.hpp"

namespace coenergy::domains::mechanical {

/// Holds a flange at a given position: s = position. A flange at zero is held more simply by naming its node ground.
///
/// The reaction (N or N.m) is what the support exerts on the flange.
template <class Flange>
struct Fixed {
  using Word = Words<Flange>;
  Flange flange;
  Parameter position;
  Multiplier lambda;

  void describe(Description& d) {
    d.name(type_name<Flange>("Fixed"), std::string("holds a flange at a given ") + Word::position_help);
    d.port(flange, "flange", "the held part");
    d.parameter(position, Word::position, Word::position_unit, Word::position_help).fallback("0");
    d.variable(lambda, "lambda", Word::force_unit, "multiplier of the constraint");
    d.output(Word::force, Word::force_unit, std::string(Word::force_help) + " of the support on the flange");
  }

  void equations(Equations& eq) const {
    if (eq[flange].is_number())
      eq.refuse("its flange is connected to ground, which is fixed already; remove one of them");
    eq.constraint(lambda, eq[flange] - eq[position]);
    eq.output(Word::force, Word::force_unit, -eq[lambda]);
  }
};

}  // namespace coenergy::domains::mechanical
