#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::blocks {

/// Constant signal: y = value.
struct Constant {
  Parameter value;

  void describe(Description& d) {
    d.name("blocks.Constant", "constant signal: y = value");
    d.parameter(value, "value", "any", "the value");
    d.output("y", "", "output");
  }

  void equations(Equations& eq) const { eq.output("y", "", eq[value]); }
};

}  // namespace coenergy::domains::blocks
