#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::electrical {

/// Switch without events: the logarithm of the resistance follows the control smoothly.
///
///   R = R_off (R_on/R_off)^f,  f = x² (3 − 2x),  x = (control − threshold + width)/(2 width) limited to 0 … 1
///
/// so that R goes from R_off to R_on while the control goes from threshold − width to threshold + width.
/// v = v_p − v_n (V), i from p to n (A). Turns v i into heat.
struct SmoothSwitch {
  Pin p, n;
  Parameter control, threshold, width, R_on, R_off;

  void describe(Description& d) {
    d.name("electrical.SmoothSwitch", "switch whose resistance follows its control smoothly from R_off to R_on");
    d.port(p, "p", "positive pin");
    d.port(n, "n", "negative pin");
    d.parameter(control, "control", "any", "signal that closes the switch").varying();
    d.parameter(threshold, "threshold", "any", "control in the middle of the transition").fallback("0.5");
    d.parameter(width, "width", "any", "distance of the ends of the transition from the threshold")
        .fallback("0.1")
        .positive();
    d.parameter(R_on, "R_on", "ohm", "resistance when closed").fallback("1 mohm").positive();
    d.parameter(R_off, "R_off", "ohm", "resistance when open").fallback("1 Mohm").positive();
    d.output("v", "V", "voltage from p to n");
    d.output("i", "A", "current from p to n");
    d.output("R", "ohm", "resistance");
  }

  std::vector<Branch> branches(Equations&) const { return {{p, n, BranchKind::resistive}}; }

  void equations(Equations& eq) const {
    const Expr x = max(min((eq[control] - eq[threshold] + eq[width]) / (2 * eq[width]), 1), 0);
    const Expr R = eq[R_off] * exp(x * x * (3 - 2 * x) * log(eq[R_on] / eq[R_off]));
    const Expr v = eq[p] - eq[n], i = v / R;
    eq.through(p, i);
    eq.through(n, -i);
    eq.dissipated(v * i);
    eq.output("v", "V", v);
    eq.output("i", "A", i);
    eq.output("R", "ohm", R);
  }
};

}  // namespace coenergy::domains::electrical
