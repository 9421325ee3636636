#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::blocks {

/// Integrator: ẏ = k u, y(0) = y0.
///
/// With a limit y stops there while k u would drive it further, and starts again as soon as k u changes sign; both are
/// events.
struct Integrator {
  Parameter u, k, y0, lower, upper;
  State y;

  void describe(Description& d) {
    d.name("blocks.Integrator", "integrator: dy/dt = k*u, stopped at lower and upper where they are given");
    d.parameter(u, "u", "any", "input").varying();
    d.parameter(k, "k", "any", "factor").fallback("1");
    d.parameter(y0, "y0", "any", "output at the start").fallback("0");
    d.parameter(lower, "lower", "any", "least output").optional();
    d.parameter(upper, "upper", "any", "greatest output").optional();
    d.variable(y, "y", "", "output").start(y0);
  }

  void equations(Equations& eq) const {
    const Expr rate = eq[k] * eq[u];
    Expr free = 1;
    if (eq.has(upper)) free *= 1 - eq.relation("upper limit", eq[y] - eq[upper]) * eq.relation("rising", rate);
    if (eq.has(lower)) free *= 1 - eq.relation("lower limit", eq[lower] - eq[y]) * eq.relation("falling", -rate);
    eq.zero(y, eq.der(y) - free * rate);
  }
};

}  // namespace coenergy::domains::blocks
