#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::blocks {

/// Gain: y = k u.
struct Gain {
  Parameter u, k;

  void describe(Description& d) {
    d.name("blocks.Gain", "gain: y = k*u");
    d.parameter(u, "u", "any", "input").varying();
    d.parameter(k, "k", "any", "factor").varying();
    d.output("y", "", "output");
  }

  void equations(Equations& eq) const { eq.output("y", "", eq[k] * eq[u]); }
};

}  // namespace coenergy::domains::blocks
