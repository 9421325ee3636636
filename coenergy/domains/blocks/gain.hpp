#pragma once
#include "coenergy/domains/blocks/sampling.hpp"

namespace coenergy::domains::blocks {

/// Gain: y = k u.
struct Gain {
  Parameter u, k;
  Sampling sampling;

  void describe(Description& d) {
    d.name("blocks.Gain", "gain: y = k*u");
    d.parameter(u, "u", "any", "input").varying();
    d.parameter(k, "k", "any", "factor").varying();
    sampling.describe(d);
    d.output("y", "", "output");
  }

  void equations(Equations& eq) const { sampling.output(eq, "y", eq[k] * eq[u]); }
};

}  // namespace coenergy::domains::blocks
