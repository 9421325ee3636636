#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::blocks {

/// Ramp: y rises from offset at time `start` to offset + height at start + duration, and stays.
/// Both corners are events, so that integrators keep their order.
struct Ramp {
  Parameter height, duration, start, offset;

  void describe(Description& d) {
    d.name("blocks.Ramp", "ramp: y goes from offset to offset + height between start and start + duration");
    d.parameter(height, "height", "any", "change of the output").fallback("1");
    d.parameter(duration, "duration", "s", "time of the change").positive();
    d.parameter(start, "start", "s", "time of the first corner").fallback("0 s");
    d.parameter(offset, "offset", "any", "output before the ramp").fallback("0");
    d.output("y", "", "output");
  }

  void equations(Equations& eq) const {
    const Expr since = eq.time() - eq[start];
    eq.indicator("start", since);
    eq.indicator("end", since - eq[duration]);
    eq.output("y", "", eq[offset] + eq[height] * min(max(since / eq[duration], 0), 1));
  }
};

}  // namespace coenergy::domains::blocks
