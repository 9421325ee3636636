#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::blocks {

/// Transport delay: y(t) = u(t − delay), from the history of u over the run (see equations/history.hpp); before the start
/// u was `before`, an expression of time. Jumps and bends of u arrive as located events; no step is longer than the delay.
///
/// A delay that varies needs `longest`. It must stay positive and may grow faster than time: then y runs through what was
/// before once more. Where a jump arrives at the instant of a sample, the sample takes the value before it, as of all that
/// is solved for. In a steady state y = u.
struct TransportDelay {
  Parameter u, delay, longest, before;

  void describe(Description& d) {
    d.name("blocks.TransportDelay", "transport delay: y(t) = u(t - delay)");
    d.parameter(u, "u", "any", "input").varying();
    d.parameter(delay, "delay", "s", "how long the input takes to the output").positive().varying();
    d.parameter(longest, "longest", "s", "largest delay; needed where the delay varies").positive().optional();
    d.parameter(before, "before", "any", "input before the start; may be an expression of time")
        .varying()
        .fallback("0");
    d.output("y", "", "output");
    d.output("arrived_input", "", "the input");
    d.output("arrived", "", "number of events of the run whose time the output has passed, from -1");
  }

  void equations(Equations& eq) const {
    const double most = eq.number(eq.has(longest) ? longest : delay);
    eq.output("y", "", eq.delayed("arrived", eq[u], eq[delay], most, eq[before]));
  }
};

}  // namespace coenergy::domains::blocks
