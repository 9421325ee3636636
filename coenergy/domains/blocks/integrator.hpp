#pragma once
#include "coenergy/base/names.hpp"
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
    check_start(eq);
    const Expr rate = eq[k] * eq[u];
    Expr free = 1;
    if (eq.has(upper)) free *= 1 - eq.relation("upper limit", eq[y] - eq[upper]) * eq.relation("rising", rate);
    if (eq.has(lower)) free *= 1 - eq.relation("lower limit", eq[lower] - eq[y]) * eq.relation("falling", -rate);
    eq.zero(y, eq.der(y) - free * rate);
  }

 private:
  void check_start(Equations& eq) const {
    const double start = eq.number(y0);
    if (eq.has(lower) && eq.has(upper) && eq.number(lower) > eq.number(upper))
      eq.refuse("lower = " + format_short(eq.number(lower)) +
                " is greater than upper = " + format_short(eq.number(upper)));
    if ((eq.has(lower) && start < eq.number(lower)) || (eq.has(upper) && start > eq.number(upper)))
      eq.refuse("y0 = " + format_short(start) + " lies outside of its limits; start within lower and upper");
  }
};

}  // namespace coenergy::domains::blocks
