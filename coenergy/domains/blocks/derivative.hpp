#pragma once
#include "coenergy/domains/blocks/sampling.hpp"
#include "coenergy/domains/blocks/start_sample.hpp"

namespace coenergy::domains::blocks {

/// Derivative. Without T it is exact, y = u̇, which needs an input whose rate is known: a function of time, states,
/// positions and what follows from them. With the time constant T (s) it is filtered, y = s/(1 + T s) u, and starts at
/// zero: ż = y = (u − u(0) − z)/T. Sampled: y_k = (u_k − u_{k−1})/sample, zero at the first sample.
struct Derivative {
  Parameter u, T;
  Sampling sampling;

  void describe(Description& d) {
    d.name("blocks.Derivative", "derivative: y = du/dt, exact or filtered by 1/(1 + T s)");
    d.parameter(u, "u", "any", "input").varying();
    sampling.describe(d);
    d.parameter(T, "T", "s", "time constant of the filter; without it the derivative is exact")
        .positive()
        .optional()
        .instead_of(sampling.period);
    d.output("y", "", "output");
  }

  void equations(Equations& eq) const {
    if (sampling.given(eq)) {
      const Discrete last = eq.make_discrete("last", "", 0), begun = eq.make_discrete("begun", "", 0),
                     y = eq.make_discrete("y", "", 0);
      sampling.update(eq, y, select(eq[begun], (eq[u] - eq[last]) / eq[sampling.period], 0));
      sampling.update(eq, last, eq[u]);
      sampling.update(eq, begun, 1);
    } else if (eq.has(T)) {
      const State z = eq.make_state("z", "", 0);
      const Expr y = (eq[u] - sample_at_start(eq, "u0", eq[u]) - eq[z]) / eq[T];
      eq.zero(z, eq.der(z) - y);
      eq.output("y", "", y);
    } else {
      eq.output("y", "", eq.time_derivative(eq[u]));
    }
  }
};

}  // namespace coenergy::domains::blocks
