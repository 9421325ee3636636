#pragma once
#include "coenergy/domains/blocks/sampling.hpp"

namespace coenergy::domains::blocks {

/// Any expression of signals under a name of its own: y = expression.
struct Expression {
  Parameter value;
  Sampling sampling;

  void describe(Description& d) {
    d.name("blocks.Expression", "any expression of signals and time under a name: y = value");
    d.parameter(value, "value", "any", "the expression, such as sin(a.q)*b.y").varying();
    sampling.describe(d);
    d.output("y", "", "output");
  }

  void equations(Equations& eq) const { sampling.output(eq, "y", eq[value]); }
};

}  // namespace coenergy::domains::blocks
