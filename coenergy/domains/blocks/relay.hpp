#pragma once
#include "coenergy/domains/blocks/sampling.hpp"

namespace coenergy::domains::blocks {

/// Relay with hysteresis: y = high once u > on, low once u < off, and as it was in between; low at the start in between.
/// Both switchings are located events; sampled, it switches at samples.
struct Relay {
  Parameter u, on, off, high, low;
  Sampling sampling;
  Discrete closed;

  void describe(Description& d) {
    d.name("blocks.Relay", "relay with hysteresis: y = high once u > on, low once u < off");
    d.parameter(u, "u", "any", "input").varying();
    d.parameter(on, "on", "any", "input above which it is on");
    d.parameter(off, "off", "any", "input below which it is off; not above on");
    d.parameter(high, "high", "any", "output while on").fallback("1").varying();
    d.parameter(low, "low", "any", "output while off").fallback("0").varying();
    sampling.describe(d);
    d.variable(closed, "closed", "", "1 while on, else 0");
    d.output("y", "", "output");
  }

  void equations(Equations& eq) const {
    if (eq.number(off) > eq.number(on)) eq.refuse("off is above on: it would have no state in between");
    const Expr in = eq[u], is = eq[closed];
    sampling.update_or_mode(eq, closed, select(is, logical_not(less(in, eq[off])), less(eq[on], in)));
    if (!sampling.given(eq)) eq.indicator("switching", select(is, eq[off] - in, in - eq[on]));
    eq.output("y", "", select(is, eq[high], eq[low]));
  }
};

}  // namespace coenergy::domains::blocks
