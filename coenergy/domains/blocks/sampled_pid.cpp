#include "coenergy/domains/blocks/sampled_pid.hpp"

namespace coenergy::domains::blocks {

void SampledPid::describe(Description& d) {
  d.name("blocks.SampledPid",
         "digital PID controller: output computed every sample period and held; samples of one instant in the order of "
         "the signal flow");
  d.parameter(reference, "reference", "any", "wanted value").varying();
  d.parameter(measure, "measure", "any", "measured value").varying();
  d.parameter(kp, "kp", "any", "proportional gain");
  d.parameter(ki, "ki", "any", "integral gain").fallback("0");
  d.parameter(kd, "kd", "any", "derivative gain").fallback("0");
  d.parameter(rate, "rate", "any", "measured rate of change; without it the difference of two samples")
      .varying()
      .optional()
      .used_with(kd);
  d.parameter(weight, "setpoint_weight", "", "part of the reference that the proportional gain acts on").fallback("1");
  d.parameter(derivative_weight, "derivative_weight", "", "part of the reference that is differentiated")
      .fallback("0")
      .used_with(kd)
      .instead_of(rate);
  sampling.describe_needed(d);
  d.parameter(limit, "limit", "any", "largest size of the output").positive().optional();
  d.choice(anti_windup, "anti_windup", {"clamp", "none"}, "what the integrator does while the output is limited")
      .used_with(limit)
      .used_with(ki);
  d.variable(x, "x", "", "sum of measure - reference, times the period");
  d.variable(y, "y", "", "output, held between samples");
}

void SampledPid::equations(Equations& eq) const {
  const Expr T = eq[sampling.period], error = eq[measure] - eq[reference];
  const Expr later = less(eq[sampling.offset] + T / 2, eq.time());
  const Expr x_next = eq[x] + select(later, T * error, 0);

  // output before the limit
  Expr v = -eq[kp] * (eq[measure] - eq[weight] * eq[reference]) - eq[ki] * x_next;
  if (eq.number(kd) != 0) {
    Expr speed = eq[rate];
    if (!eq.has(rate)) {
      const Discrete last = eq.make_discrete("last", "", 0);
      const Expr input = eq[measure] - eq[derivative_weight] * eq[reference];
      speed = select(later, (input - eq[last]) / T, 0);
      sampling.update(eq, last, input);
    }
    v -= eq[kd] * speed;
  }

  if (!eq.has(limit)) {
    sampling.update(eq, x, x_next);
    sampling.update(eq, y, v);
    return;
  }
  // the sum drives v by −ki T error: it is kept while that has the sign of the limited output
  const Expr limited = less(eq[limit], abs(v));
  const Expr windup = eq[anti_windup] == "clamp" ? logical_and(limited, less(v * eq[ki] * error, 0)) : Expr(0);
  sampling.update(eq, x, select(windup, eq[x], x_next));
  sampling.update(eq, y, min(max(v, -eq[limit]), eq[limit]));
}

}  // namespace coenergy::domains::blocks
