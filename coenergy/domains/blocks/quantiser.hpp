#pragma once
#include "coenergy/domains/blocks/sampling.hpp"

namespace coenergy::domains::blocks {

/// Quantiser: y = step·round(u/step), halves upwards. Continuous: every change is a located event. Sampled: at samples.
struct Quantiser {
  Parameter u, step;
  Sampling sampling;

  void describe(Description& d) {
    d.name("blocks.Quantiser", "quantiser: y is the multiple of step nearest to u");
    d.parameter(u, "u", "any", "input").varying();
    d.parameter(step, "step", "any", "distance of two values").positive();
    sampling.describe(d);
    d.output("y", "", "output");
  }

  void equations(Equations& eq) const {
    const Expr ratio = eq[u] / eq[step], nearest = floor(ratio + 0.5);
    const Discrete k = eq.make_discrete("level", "", 0);
    if (sampling.given(eq)) {
      sampling.update(eq, k, nearest);
    } else {
      eq.mode(k, nearest);
      eq.indicator("level", abs(ratio - eq[k]) - 0.5);
    }
    eq.output("y", "", eq[k] * eq[step]);
  }
};

}  // namespace coenergy::domains::blocks
