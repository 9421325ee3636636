#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::blocks {

/// Step: y = offset before `start`, offset + height from then on. The instant is an event that integrators hit exactly.
struct Step {
  Parameter height, offset, start;
  Discrete on;

  void describe(Description& d) {
    d.name("blocks.Step", "step: y = offset, from time start on offset + height");
    d.parameter(height, "height", "any", "change of the output").fallback("1");
    d.parameter(offset, "offset", "any", "output before the step").fallback("0");
    d.parameter(start, "start", "s", "time of the step").fallback("0 s");
    d.variable(on, "on", "", "1 after the step");
    d.output("y", "", "output");
  }

  void equations(Equations& eq) const {
    eq.sample(on, 0, select(less(eq[start], 0), 0, eq[start]), 1);
    eq.output("y", "", eq[offset] + eq[height] * eq[on]);
  }
};

}  // namespace coenergy::domains::blocks
