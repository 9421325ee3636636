#pragma once
#include "coenergy/domains/blocks/trigger.hpp"

namespace coenergy::domains::blocks {

/// Integrator that a trigger sets anew: ẏ = k u, y(0) = y0; when reset rises above 0.5, a located event, y = y_reset.
struct ResettableIntegrator {
  Parameter u, k, y0, reset, y_reset;
  State z;

  void describe(Description& d) {
    d.name("blocks.ResettableIntegrator", "integrator: dy/dt = k*u, set to y_reset when reset rises above 0.5");
    d.parameter(u, "u", "any", "input").varying();
    d.parameter(k, "k", "any", "factor").fallback("1");
    d.parameter(y0, "y0", "any", "output at the start").fallback("0");
    d.parameter(reset, "reset", "any", "signal that sets the output anew").varying();
    d.parameter(y_reset, "y_reset", "any", "output after a reset").fallback("0").varying();
    d.variable(z, "z", "", "integral without resets").start(y0);
    d.output("y", "", "output");
  }

  void equations(Equations& eq) const {
    // y = z + shift: the state itself does not jump
    const Discrete shift = eq.make_discrete("shift", "", 0);
    const Trigger again(eq, Sampling{}, "reset", eq[reset]);
    eq.mode(shift, select(again.rises(), eq[y_reset] - eq[z], eq[shift]));
    eq.zero(z, eq.der(z) - eq[k] * eq[u]);
    eq.output("y", "", eq[z] + eq[shift]);
  }
};

}  // namespace coenergy::domains::blocks
