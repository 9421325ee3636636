#pragma once
#include "coenergy/domains/blocks/sampling.hpp"

namespace coenergy::domains::blocks {

/// Switch: y = on while control > threshold, else off. The switching is a located event.
struct Switch {
  Parameter control, threshold, on, off;
  Sampling sampling;

  void describe(Description& d) {
    d.name("blocks.Switch", "switch: y = on while control > threshold, else off");
    d.parameter(control, "control", "any", "signal that switches").varying();
    d.parameter(threshold, "threshold", "any", "value of control above which it is on").fallback("0.5");
    d.parameter(on, "on", "any", "output while it is on").varying().fallback("1");
    d.parameter(off, "off", "any", "output while it is off").varying().fallback("0");
    sampling.describe(d);
    d.output("y", "", "output");
    d.output("closed", "", "1 while it is on, else 0");
  }

  void equations(Equations& eq) const {
    const Expr closed = sampling.relation(eq, "control", eq[control] - eq[threshold]);
    sampling.output(eq, "y", select(closed, eq[on], eq[off]));
    sampling.output(eq, "closed", closed);
  }
};

}  // namespace coenergy::domains::blocks
