#pragma once
#include "coenergy/domains/blocks/sampling.hpp"

namespace coenergy::domains::blocks {

/// Sample and hold: y = u(t_k) from t_k = offset + k T to t_{k+1}; with a delay of n periods y = u(t_{k−n}), zero before.
///
/// At one instant comparisons are decided first, then samples are taken in the order of the signal flow: a hold that
/// reads another one of the same instant gets its new value. Holds that read each other in a circle, and a hold that
/// reads itself, get the values before. What is solved for (voltages, positions) has its value just before the instant.
struct ZeroOrderHold {
  Parameter u, delay;
  Sampling sampling;
  Discrete y;

  void describe(Description& d) {
    d.name(
        "blocks.ZeroOrderHold",
        "sample and hold: y = u at the last sample, or `delay` samples earlier; holds of one instant in the order of "
        "the signal flow, after comparisons");
    d.parameter(u, "u", "any", "input").varying();
    sampling.describe_needed(d);
    d.parameter(delay, "delay", "", "number of periods by which the output is late").fallback("0").between(0, 1000);
    d.variable(y, "y", "", "output, held between samples");
  }

  void equations(Equations& eq) const {
    const int late = static_cast<int>(eq.number(delay));
    if (late != eq.number(delay)) eq.refuse("delay must be a whole number of periods");
    // a chain of registers, all updated from the values before the sample
    Expr input = eq[u];
    for (int k = 0; k < late; ++k) {
      const Discrete stored = eq.make_discrete("stored" + std::to_string(k + 1), "", 0);
      sampling.update(eq, stored, input);
      input = eq[stored];
    }
    sampling.update(eq, y, input);
  }
};

}  // namespace coenergy::domains::blocks
