#pragma once
#include "coenergy/domains/blocks/trigger.hpp"

namespace coenergy::domains::blocks {

/// Counter of the times that trigger has risen above 0.5; `reset` rising sets it to zero, and wins. With `limit` it goes
/// on from zero after limit − 1. Every count is a located event; sampled, it counts at samples.
struct Counter {
  Parameter trigger, reset, limit, y0;
  Sampling sampling;
  Discrete y;

  void describe(Description& d) {
    d.name("blocks.Counter", "counter: y is the number of times that trigger has risen above 0.5");
    d.parameter(trigger, "trigger", "any", "what is counted").varying();
    d.parameter(reset, "reset", "any", "sets y to 0 when it rises above 0.5").varying().optional();
    d.parameter(limit, "limit", "", "after limit - 1 it goes on from 0").at_least(1).optional();
    d.parameter(y0, "y0", "", "count at the start").fallback("0");
    sampling.describe(d);
    d.variable(y, "y", "", "count").start(y0);
  }

  void equations(Equations& eq) const {
    const Expr counted = eq[y] + Trigger(eq, sampling, "trigger", eq[trigger]).rises();
    Expr next = eq.has(limit) ? select(less(counted, eq[limit]), counted, 0) : counted;
    if (eq.has(reset)) next = select(Trigger(eq, sampling, "reset", eq[reset]).rises(), 0, next);
    sampling.update_or_mode(eq, y, next);
  }
};

}  // namespace coenergy::domains::blocks
