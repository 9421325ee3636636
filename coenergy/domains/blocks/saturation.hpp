#pragma once
#include "coenergy/domains/blocks/sampling.hpp"

namespace coenergy::domains::blocks {

/// Saturation: y = u within lower … upper, else the nearer limit, which may vary. Continuous; its corners are
/// no events.
struct Saturation {
  Parameter u, lower, upper;
  Sampling sampling;

  void describe(Description& d) {
    d.name("blocks.Saturation", "saturation: y = u, held within lower and upper");
    d.parameter(u, "u", "any", "input").varying();
    d.parameter(lower, "lower", "any", "least output").fallback("-1").varying();
    d.parameter(upper, "upper", "any", "greatest output").fallback("1").varying();
    sampling.describe(d);
    d.output("y", "", "output");
  }

  void equations(Equations& eq) const {
    eq.require("limits", eq[lower] - eq[upper], "lower is greater than upper");
    sampling.output(eq, "y", min(max(eq[u], eq[lower]), eq[upper]));
  }
};

}  // namespace coenergy::domains::blocks
