#pragma once
#include "coenergy/domains/mechanical/words.hpp"
#include "coenergy/symbolic/derivative.hpp"

namespace coenergy::domains::mechanical {

/// Moves a flange along a given function of time: s = s(t), whatever the force.
///
/// The force f (N or N.m) is what the drive exerts on the flange; it supplies f ∂s/∂t. A function that also depends on
/// coordinates is a coupling without losses, which acts back on them.
template <class Flange>
struct Motion {
  using Word = Words<Flange>;
  Flange flange;
  Parameter position;
  Multiplier lambda;

  void describe(Description& d) {
    d.name(type_name<Flange>("Motion"),
           std::string("moves a flange: its ") + Word::position_help + " is a given function of time");
    d.port(flange, "flange", "the moved part");
    d.parameter(position, Word::position, Word::position_unit,
                std::string(Word::position_help) + ", twice differentiable in time")
        .varying();
    d.variable(lambda, "lambda", Word::force_unit, "multiplier of the constraint");
    d.output(Word::force, Word::force_unit, std::string(Word::force_help) + " of the drive on the flange");
  }

  void equations(Equations& eq) const {
    if (eq[flange].is_number()) eq.refuse("its flange is connected to ground, which cannot move");
    eq.constraint(lambda, eq[flange] - eq[position]);
    const Expr s = eq[position];
    if (!s.is_number()) eq.supplied(-eq[lambda] * symbolic::derivative(s, eq.time()));
    eq.output(Word::force, Word::force_unit, -eq[lambda]);
  }
};

}  // namespace coenergy::domains::mechanical
