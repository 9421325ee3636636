#pragma once
#include "coenergy/domains/blocks/sampling.hpp"

namespace coenergy::domains::blocks {

/// Comparator: y = 1 where a > b, else 0, switched by a located event. With a hysteresis h it turns on at a = b + h/2
/// and off at a = b − h/2 and keeps its value in between; within it at the start it is off.
/// Sampled, it compares at samples.
struct Comparator {
  Parameter a, b, hysteresis;
  Sampling sampling;

  void describe(Description& d) {
    d.name("blocks.Comparator", "comparator: y = 1 where a > b, else 0");
    d.parameter(a, "a", "any", "what is compared").varying();
    d.parameter(b, "b", "any", "with what").varying().fallback("0");
    d.parameter(hysteresis, "hysteresis", "any", "width of the band in which y keeps its value")
        .not_negative()
        .fallback("0");
    sampling.describe(d);
    d.output("y", "", "1 or 0");
  }

  void equations(Equations& eq) const {
    const Expr difference = eq[a] - eq[b];
    if (eq.number(hysteresis) == 0 && !sampling.given(eq))
      return eq.output("y", "", eq.relation("comparison", difference));
    const Discrete on = eq.make_discrete("on", "", 0);
    const Expr half = eq[hysteresis] / 2;
    const Expr stays = eq.number(hysteresis) == 0 ? less(half, difference) : logical_not(less(difference, -half));
    sampling.update_or_mode(eq, on, select(eq[on], stays, less(half, difference)));
    if (!sampling.given(eq)) eq.indicator("comparison", select(eq[on], -half - difference, difference - half));
    eq.output("y", "", eq[on]);
  }
};

}  // namespace coenergy::domains::blocks
