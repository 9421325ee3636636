#include "coenergy/domains/blocks/pid.hpp"

#include "coenergy/domains/blocks/start_sample.hpp"

namespace coenergy::domains::blocks {

void Pid::describe(Description& d) {
  d.name("blocks.Pid", "PID controller: y = kp*(reference - measure) + ki*integral of it - kd*d(measure)/dt");
  d.parameter(reference, "reference", "any", "wanted value").varying();
  d.parameter(measure, "measure", "any", "measured value").varying();
  d.parameter(kp, "kp", "any", "proportional gain");
  d.parameter(ki, "ki", "any", "integral gain").structural("zero leaves its state out").fallback("0");
  d.parameter(kd, "kd", "any", "derivative gain").structural("zero leaves its state out").fallback("0");
  d.parameter(rate, "rate", "any", "measured rate of change; without it the measure is differentiated")
      .varying()
      .optional()
      .used_with(kd);
  d.parameter(filter, "filter", "s", "time constant of the differentiator")
      .positive()
      .fallback("1 ms")
      .used_with(kd)
      .instead_of(rate);
  d.parameter(weight, "setpoint_weight", "", "part of the reference that the proportional gain acts on").fallback("1");
  d.parameter(derivative_weight, "derivative_weight", "", "part of the reference that is differentiated")
      .fallback("0")
      .used_with(kd)
      .instead_of(rate);
  d.parameter(limit, "limit", "any", "largest size of the output").positive().optional();
  d.parameter(tracking, "tracking", "s", "time constant with which the integrator follows a limited output")
      .positive()
      .optional()
      .used_with(limit)
      .used_with(ki);
  d.output("x", "", "integral of measure - reference");
  d.output("y", "", "output");
}

void Pid::equations(Equations& eq) const {
  const Expr error = eq[measure] - eq[reference];
  Expr v = -eq[kp] * (eq[measure] - eq[weight] * eq[reference]);

  // derivative of the measure
  if (eq.number(kd) != 0) {
    Expr speed = eq[rate];
    if (!eq.has(rate)) {
      const State z = eq.make_state("z", "", 0);
      const Expr input = eq[measure] - eq[derivative_weight] * eq[reference];
      speed = (input - sample_at_start(eq, "z0", input) - eq[z]) / eq[filter];
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
