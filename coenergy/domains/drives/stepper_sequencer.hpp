#pragma once
#include <numbers>

#include "coenergy/domains/component.hpp"

namespace coenergy::domains::drives {

/// Currents of a two-phase stepper for a number of full steps, in microsteps of 1/micro of a step:
///
///   n = floor(micro·steps + ½)/micro,   i_a = I cos(n 90°),   i_b = I sin(n 90°)
///
/// micro = 1: full steps with one winding fed, 2: half steps with a constant size of the current vector. The edges are located.
struct StepperSequencer {
  Parameter steps, micro, current;

  void describe(Description& d) {
    d.name("drives.StepperSequencer", "currents i_a, i_b of a stepper for a number of steps, in microsteps");
    d.parameter(steps, "steps", "", "full steps wanted").varying();
    d.parameter(micro, "micro", "", "microsteps of a full step").positive().fallback("1");
    d.parameter(current, "current", "A", "size of the current vector").positive();
    d.output("i_a", "A", "current of winding a");
    d.output("i_b", "A", "current of winding b");
    d.output("n", "", "steps, rounded to microsteps");
  }

  void equations(Equations& eq) const {
    const Expr wanted = eq[micro] * eq[steps];
    const Discrete level = eq.make_discrete("level", "", 0);
    eq.mode(level, floor(wanted + 0.5));
    eq.indicator("level", abs(wanted - eq[level]) - 0.5);
    const Expr n = eq[level] / eq[micro], angle = std::numbers::pi / 2 * n;
    eq.output("i_a", "A", eq[current] * cos(angle));
    eq.output("i_b", "A", eq[current] * sin(angle));
    eq.output("n", "", n);
  }
};

}  // namespace coenergy::domains::drives
