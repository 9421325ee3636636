#include "coenergy/domains/blocks/pid.hpp"

namespace coenergy::domains::blocks {

void Pid::describe(Description& d) {
  d.name("blocks.Pid", "PID controller: y = kp*(reference - measure) + ki*integral of it - kd*d(measure)/dt");
  d.parameter(reference, "reference", "any", "wanted value").varying();
  d.parameter(measure, "measure", "any", "measured value").varying();
  d.parameter(rate, "rate", "any", "measured rate of change; without it the measure is differentiated")
      .varying()
      .optional();
  d.parameter(kp, "kp", "any", "proportional gain");
  d.parameter(ki, "ki", "any", "integral gain").fallback("0");
  d.parameter(kd, "kd", "any", "derivative gain").fallback("0");
  d.parameter(filter, "filter", "s", "time constant of the differentiator").positive().fallback("1 ms");
  d.parameter(limit, "limit", "any", "largest size of the output").positive().optional();
  d.parameter(tracking, "tracking", "s", "time constant with which the integrator follows a limited output")
      .positive()
      .optional();
  d.output("x", "", "integral of measure - reference");
  d.output("y", "", "output");
}

void Pid::equations(Equations& eq) const {
  const Expr error = eq[measure] - eq[reference];
  Expr v = -eq[kp] * error;

  // derivative of the measure
  if (eq.number(kd) != 0) {
    Expr speed = eq[rate];
    if (!eq.has(rate)) {
      const State z = eq.make_state("z", "", 0);
      speed = (eq[measure] - eq[z]) / eq[filter];
      eq.zero(z, eq.der(z) - speed);
    }
    v -= eq[kd] * speed;
  }

  // integral, which follows a limited output where asked to
  const bool integrates = eq.number(ki) != 0;
  State x;
  if (integrates) {
    x = eq.make_state("x", "", 0);
    v -= eq[ki] * eq[x];
  }
  const Expr y = eq.has(limit) ? min(max(v, -eq[limit]), eq[limit]) : v;
  if (integrates) {
    Expr slope = error;
    if (eq.has(limit) && eq.has(tracking)) slope += (v - y) / (eq[ki] * eq[tracking]);
    eq.zero(x, eq.der(x) - slope);
  } else {
    eq.output("x", "", 0);
  }
  eq.output("y", "", y);
}

}  // namespace coenergy::domains::blocks
