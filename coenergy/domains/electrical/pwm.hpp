#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::electrical {

/// Pulse-width modulator: y = high for the first part `duty` of every period, low for the rest, with located events.
///
/// `duty` (0 … 1, limited to that) may be any signal; it is sampled at the start of every period. Switches take y as
/// their control.
struct Pwm {
  Parameter duty, period, delay, low, high;
  Discrete k, on, held;

  void describe(Description& d) {
    d.name("electrical.Pwm", "pulse-width modulator: y is high for the part duty of every period");
    d.parameter(duty, "duty", "", "part of the period that is high, sampled at its start").varying();
    d.parameter(period, "period", "s", "period").positive();
    d.parameter(delay, "delay", "s", "start of the first period").fallback("0 s");
    d.parameter(low, "low", "any", "value when low").fallback("0");
    d.parameter(high, "high", "any", "value when high").fallback("1");
    d.variable(k, "k", "", "number of periods begun");
    d.variable(on, "on", "", "1 while high");
    d.variable(held, "held", "", "duty of this period");
    d.output("y", "any", "low or high");
  }

  void equations(Equations& eq) const {
    // the next switching: off in this period, or on in the next
    const Expr begin = eq[delay] + eq[k] * eq[period];
    const Expr next = select(eq[on], begin - (1 - eq[held]) * eq[period], begin);
    const Expr passed = less_equal(next, eq.time()), starts = logical_and(passed, logical_not(eq[on]));
    eq.indicator("switching", eq.time() - next);
    // a run that starts late skips whole periods
    const Expr skipped = floor((eq.time() - eq[delay]) / eq[period] - 0.5);
    eq.mode(k, max(eq[k] + starts, skipped));
    eq.mode(on, select(passed, logical_not(eq[on]), eq[on]));
    eq.mode(held, select(starts, max(min(eq[duty], 1), 0), eq[held]));
    eq.output("y", "any", select(eq[on], eq[high], eq[low]));
  }
};

}  // namespace coenergy::domains::electrical
