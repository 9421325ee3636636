#pragma once
#include "coenergy/domains/blocks/sampling.hpp"

namespace coenergy::domains::blocks {

/// Unit delay: y = u(t_{k−1}) from t_k to t_{k+1}; y0 until the second sample. ZeroOrderHold with `delay` waits longer.
struct UnitDelay {
  Parameter u, y0;
  Sampling sampling;
  Discrete stored, y;

  void describe(Description& d) {
    d.name("blocks.UnitDelay", "unit delay: y = u one sample earlier");
    d.parameter(u, "u", "any", "input").varying();
    d.parameter(y0, "y0", "any", "output until the second sample").fallback("0");
    sampling.describe_needed(d);
    d.variable(stored, "stored", "", "input at the last sample").start(y0);
    d.variable(y, "y", "", "output").start(y0);
  }

  void equations(Equations& eq) const {
    sampling.update(eq, stored, eq[u]);
    sampling.update(eq, y, eq[stored]);
  }
};

}  // namespace coenergy::domains::blocks
