#pragma once
#include "coenergy/domains/blocks/trigger.hpp"

namespace coenergy::domains::blocks {

/// Sample and hold on a trigger: y takes u when trigger rises above 0.5, a located event, and keeps it until the next
/// time. A trigger that is on at the start has not risen. Sampled, the trigger is looked at at samples.
struct SampleOnTrigger {
  Parameter u, trigger, y0;
  Sampling sampling;
  Discrete y;

  void describe(Description& d) {
    d.name("blocks.SampleOnTrigger", "sample and hold: y takes u when trigger rises above 0.5");
    d.parameter(u, "u", "any", "input").varying();
    d.parameter(trigger, "trigger", "any", "signal that takes the sample").varying();
    d.parameter(y0, "y0", "any", "output at the start").fallback("0");
    sampling.describe(d);
    d.variable(y, "y", "", "output").start(y0);
  }

  void equations(Equations& eq) const {
    const Trigger take(eq, sampling, "trigger", eq[trigger]);
    sampling.update_or_mode(eq, y, select(take.rises(), eq[u], eq[y]));
  }
};

}  // namespace coenergy::domains::blocks
