#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::blocks {

/// Switch: y = on while control > threshold, else off. The switching is a located event.
struct Switch {
  Parameter control, threshold, on, off;

  void describe(Description& d) {
    d.name("blocks.Switch", "switch: y = on while control > threshold, else off");
    d.parameter(control, "control", "any", "signal that switches").varying();
    d.parameter(threshold, "threshold", "any", "value of control above which it is on").fallback("0.5");
    d.parameter(on, "on", "any", "output while it is on").varying().fallback("1");
    d.parameter(off, "off", "any", "output while it is off").varying().fallback("0");
    d.output("y", "", "output");
    d.output("closed", "", "1 while it is on, else 0");
  }

  void equations(Equations& eq) const {
    const Expr closed = eq.relation("control", eq[control] - eq[threshold]);
    eq.output("y", "", select(closed, eq[on], eq[off]));
    eq.output("closed", "", closed);
  }
};

}  // namespace coenergy::domains::blocks
