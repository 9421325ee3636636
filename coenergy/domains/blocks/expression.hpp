#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::blocks {

/// Any expression of signals under a name of its own: y = expression.
struct Expression {
  Parameter value;

  void describe(Description& d) {
    d.name("blocks.Expression", "any expression of signals and time under a name: y = value");
    d.parameter(value, "value", "any", "the expression, such as sin(a.q)*b.y").varying();
    d.output("y", "", "output");
  }

  void equations(Equations& eq) const { eq.output("y", "", eq[value]); }
};

}  // namespace coenergy::domains::blocks
