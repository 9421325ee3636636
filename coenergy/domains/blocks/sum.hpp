#pragma once
#include "coenergy/domains/blocks/sampling.hpp"

namespace coenergy::domains::blocks {

/// Sum of any number of signals: y = Σ uᵢ. A minus sign before an input subtracts it: `u: [target, -motor.w]`.
struct Sum {
  List u;
  Sampling sampling;

  void describe(Description& d) {
    d.name("blocks.Sum", "sum: y = u1 + u2 + ...; write -name to subtract");
    d.parameter(u, "u", "any", "inputs").varying();
    sampling.describe(d);
    d.output("y", "", "output");
  }

  void equations(Equations& eq) const {
    Expr y = 0;
    for (const Expr& input : eq[u]) y += input;
    sampling.output(eq, "y", y);
  }
};

}  // namespace coenergy::domains::blocks
