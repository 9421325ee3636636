#include "coenergy/domains/electrical/switch.hpp"

namespace coenergy::domains::electrical {

void Switch::describe(Description& d) {
  d.name("electrical.Switch", "switch between R_on and R_off, closed while control > threshold");
  d.port(p, "p", "positive pin");
  d.port(n, "n", "negative pin");
  d.parameter(control, "control", "any", "signal that closes the switch when it exceeds the threshold").varying();
  d.parameter(threshold, "threshold", "any", "value of the control at which it switches").fallback("0.5");
  d.parameter(hysteresis, "hysteresis", "any", "distance of the switching points from the threshold")
      .fallback("0")
      .not_negative();
  d.parameter(R_on, "R_on", "ohm", "resistance when closed").fallback("1 mohm").positive();
  d.parameter(R_off, "R_off", "ohm", "resistance when open").fallback("1 Mohm").positive();
  d.parameter(rise, "rise", "s", "time to close").fallback("0 s").not_negative();
  d.parameter(fall, "fall", "s", "time to open").fallback("0 s").not_negative();
  d.parameter(initial, "initial", "", "closed fraction before the start: 0 open, 1 closed").fallback("0").between(0, 1);
  d.choice(ramp, "ramp", {"resistance", "logarithmic"}, "what changes linearly in a transition").fallback("resistance");
  d.variable(closed, "closed", "", "1 while closed or closing").start(initial);
  d.variable(since, "since", "s", "time of the last switching, where rise or fall makes it last");
  d.variable(from, "from", "", "closed fraction at that time").start(initial);
  d.output("v", "V", "voltage from p to n");
  d.output("i", "A", "current from p to n");
  d.output("R", "ohm", "resistance");
}

/// The closed fraction, with the events that start and end its ramps.
Expr Switch::write_fraction(Equations& eq) const {
  // switching points, one for each direction
  const Expr distance = eq[control] - eq[threshold] - eq[hysteresis] * (1 - 2 * eq[closed]);
  const Expr now_closed = less(0, distance);
  eq.indicator("control", distance);
  eq.mode(closed, now_closed);
  if (eq.number(rise) == 0 && eq.number(fall) == 0) {
    eq.mode(since, eq[since]);
    eq.mode(from, eq[from]);
    return eq[closed];
  }

  // a ramp starts from where the last one had come to
  const Expr length = select(eq[closed], eq[rise], eq[fall]);
  const Expr finished = eq.relation("end of transition", eq.time() - (eq[since] + length));
  const Expr passed = (eq.time() - eq[since]) / max(length, 1e-30);
  const Expr fraction = select(finished, eq[closed], eq[from] + (eq[closed] - eq[from]) * passed);
  const Expr switches = logical_not(equal(now_closed, eq[closed]));
  eq.mode(since, select(switches, eq.time(), eq[since]));
  eq.mode(from, select(switches, fraction, eq[from]));
  return fraction;
}

void Switch::equations(Equations& eq) const {
  const Expr f = write_fraction(eq), v = eq[p] - eq[n];
  const bool linear = eq[ramp] == "resistance";
  const Expr R = linear ? eq[R_on] * f + eq[R_off] * (1 - f) : eq[R_off] * exp(f * log(eq[R_on] / eq[R_off]));
  const Expr i = v / R;
  eq.through(p, i);
  eq.through(n, -i);
  eq.dissipated(v * i);
  eq.output("v", "V", v);
  eq.output("i", "A", i);
  eq.output("R", "ohm", R);
}

}  // namespace coenergy::domains::electrical
