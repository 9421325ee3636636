#pragma once
#include "coenergy/domains/blocks/sampling.hpp"

namespace coenergy::domains::blocks {

/// Dead zone: y = 0 for lower ≤ u ≤ upper, beyond it the distance from there. Continuous; its corners are no events.
struct DeadZone {
  Parameter u, lower, upper;
  Sampling sampling;

  void describe(Description& d) {
    d.name("blocks.DeadZone", "dead zone: y = 0 between lower and upper, beyond it the distance from there");
    d.parameter(u, "u", "any", "input").varying();
    d.parameter(lower, "lower", "any", "lower end of the zone").fallback("-1").varying();
    d.parameter(upper, "upper", "any", "upper end of the zone").fallback("1").varying();
    sampling.describe(d);
    d.output("y", "", "output");
  }

  void equations(Equations& eq) const {
    eq.require("zone", eq[lower] - eq[upper], "lower is greater than upper");
    sampling.output(eq, "y", max(eq[u] - eq[upper], 0) + min(eq[u] - eq[lower], 0));
  }
};

}  // namespace coenergy::domains::blocks
