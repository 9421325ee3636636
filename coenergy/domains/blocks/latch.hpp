#pragma once
#include "coenergy/domains/blocks/trigger.hpp"

namespace coenergy::domains::blocks {

/// Latch: y becomes 1 while set is yes (above 0.5), 0 while reset is, and stays as it was else; `priority` tells who
/// wins. Every change is a located event; sampled, it changes at samples.
struct Latch {
  Parameter set, reset, y0;
  Choice priority;
  Sampling sampling;
  Discrete y;

  void describe(Description& d) {
    d.name("blocks.Latch", "latch: y = 1 from set on, 0 from reset on");
    d.parameter(set, "set", "any", "sets y to 1 while it is above 0.5").varying();
    d.parameter(reset, "reset", "any", "sets y to 0 while it is above 0.5").varying();
    d.parameter(y0, "y0", "", "output at the start, 0 or 1").fallback("0").between(0, 1);
    d.choice(priority, "priority", {"reset", "set"}, "who wins while both are on");
    sampling.describe(d);
    d.variable(y, "y", "", "output").start(y0);
    d.output("not", "", "1 - y");
  }

  void equations(Equations& eq) const {
    if (const double start = eq.number(y0); start != 0 && start != 1) eq.refuse("y0 must be 0 or 1");
    const Expr s = is_on(eq, sampling, "set", eq[set]), r = is_on(eq, sampling, "reset", eq[reset]);
    const bool reset_wins = eq[priority] == "reset";
    sampling.update_or_mode(eq, y, reset_wins ? select(r, 0, select(s, 1, eq[y])) : select(s, 1, select(r, 0, eq[y])));
    eq.output("not", "", 1 - eq[y]);
  }
};

}  // namespace coenergy::domains::blocks
