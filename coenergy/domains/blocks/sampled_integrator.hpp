#pragma once
#include "coenergy/domains/blocks/sampling.hpp"

namespace coenergy::domains::blocks {

/// Integrator of samples, T = sample:
///
///   forward      y_{k+1} = y_k + T g u_k       (y holds the sum up to the sample before)
///   backward     y_k = y_{k−1} + T g u_k
///   trapezoidal  y_k = y_{k−1} + T g (u_k + u_{k−1})/2
///
/// y = y0 at the first sample; g is the entry k. Held within lower … upper. When reset rises above 0.5 between two
/// samples, the next one sets y to y_reset.
struct SampledIntegrator {
  Parameter u, k, y0, lower, upper, reset, y_reset;
  Choice method;
  Sampling sampling;

  void describe(Description& d) {
    d.name("blocks.SampledIntegrator", "integrator of samples: forward, backward or trapezoidal");
    d.parameter(u, "u", "any", "input").varying();
    d.parameter(k, "k", "any", "factor").fallback("1");
    d.parameter(y0, "y0", "any", "output at the first sample").fallback("0");
    d.choice(method, "method", {"forward", "backward", "trapezoidal"}, "how it sums up");
    d.parameter(lower, "lower", "any", "least output").optional();
    d.parameter(upper, "upper", "any", "greatest output").optional();
    d.parameter(reset, "reset", "any", "sets the output anew while it is above 0.5 at a sample").varying().optional();
    d.parameter(y_reset, "y_reset", "any", "output after a reset").fallback("0").varying().used_with(reset);
    sampling.describe_needed(d);
    d.output("y", "", "output");
  }

  void equations(Equations& eq) const {
    const Discrete y = eq.make_discrete("y", "", eq.number(y0)), last = eq.make_discrete("last", "", 0),
                   begun = eq.make_discrete("begun", "", 0);
    const std::string how = eq[method];
    const Expr in = how == "forward" ? eq[last] : how == "backward" ? eq[u] : (eq[u] + eq[last]) / 2;
    Expr next = select(eq[begun], eq[y] + eq[sampling.period] * eq[k] * in, eq[y0]);
    if (eq.has(upper)) next = min(next, eq[upper]);
    if (eq.has(lower)) next = max(next, eq[lower]);
    if (eq.has(reset)) next = select(less(0.5, eq[reset]), eq[y_reset], next);
    sampling.update(eq, y, next);
    sampling.update(eq, last, eq[u]);
    sampling.update(eq, begun, 1);
  }
};

}  // namespace coenergy::domains::blocks
