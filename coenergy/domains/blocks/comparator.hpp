#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::blocks {

/// Comparator: y = 1 where a > b, else 0, switched by a located event. With a hysteresis h it turns on at a = b + h/2
/// and off at a = b − h/2 and keeps its value in between; within it at the start it is off.
struct Comparator {
  Parameter a, b, hysteresis;

  void describe(Description& d) {
    d.name("blocks.Comparator", "comparator: y = 1 where a > b, else 0");
    d.parameter(a, "a", "any", "what is compared").varying();
    d.parameter(b, "b", "any", "with what").varying().fallback("0");
    d.parameter(hysteresis, "hysteresis", "any", "width of the band in which y keeps its value")
        .not_negative()
        .fallback("0");
    d.output("y", "", "1 or 0");
  }

  void equations(Equations& eq) const {
    const Expr difference = eq[a] - eq[b];
    if (eq.number(hysteresis) == 0) return eq.output("y", "", eq.relation("comparison", difference));
    const Discrete on = eq.make_discrete("on", "", 0);
    const Expr half = eq[hysteresis] / 2;
    eq.mode(on, select(eq[on], logical_not(less(difference, -half)), less(half, difference)));
    eq.indicator("comparison", select(eq[on], -half - difference, difference - half));
    eq.output("y", "", eq[on]);
  }
};

}  // namespace coenergy::domains::blocks
