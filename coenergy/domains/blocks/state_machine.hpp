#pragma once
#include <algorithm>
#include <cmath>

#include "coenergy/domains/blocks/trigger.hpp"

namespace coenergy::domains::blocks {

/// State machine with states 1 … n. Transition i leads from state from[i] to state to[i] as soon as guard i is yes
/// (above 0.5); of several the first in the list. Guards are comparisons or signals, located as events; where the guard
/// of the new state is yes already, the machine goes on at the same instant. Sampled, it makes one transition at a sample.
/// y = values[state], and on_k is 1 in state k.
struct StateMachine {
  List from, to, guards, values;
  Parameter start;
  Sampling sampling;
  Discrete state, entered;

  void describe(Description& d) {
    d.name("blocks.StateMachine", "state machine: transitions from[i] to to[i] where guards[i] is above 0.5");
    d.parameter(from, "from", "", "state that each transition leaves (1, 2, ...)").structural("the number of a state");
    d.parameter(to, "to", "", "state that each transition enters").structural("the number of a state");
    d.parameter(guards, "guards", "any", "condition of each transition, such as a.y > 3").varying();
    d.parameter(values, "values", "any", "output in each state; without it y is the state").varying().optional();
    d.parameter(start, "start", "", "state at the start").at_least(1).fallback("1");
    sampling.describe(d);
    d.variable(state, "state", "", "number of the state").start(start);
    d.variable(entered, "entered", "s", "time at which the state was entered");
    d.output("y", "", "value of the state");
    d.output("on_#", "", "1 in this state, else 0");
  }

  void equations(Equations& eq) const {
    const std::vector<double> leaves = eq.numbers(from), enters = eq.numbers(to);
    const std::vector<Expr> guard = eq[guards], value = eq[values];
    if (leaves.size() != guard.size() || enters.size() != guard.size())
      eq.refuse("from, to and guards must have one entry for each transition; they have " +
                std::to_string(leaves.size()) + ", " + std::to_string(enters.size()) + " and " +
                std::to_string(guard.size()));
    double count = eq.number(start);
    for (const std::vector<double>* list : {&leaves, &enters})
      for (const double s : *list) {
        if (s < 1 || s != std::floor(s)) eq.refuse("states are numbered 1, 2, …");
        count = std::max(count, s);
      }
    if (eq.has(values) && static_cast<double>(value.size()) != count)
      eq.refuse("values has " + std::to_string(value.size()) + " entries for " + std::to_string(int(count)) +
                " states");

    Expr next = eq[state];
    for (std::size_t i = guard.size(); i-- > 0;)
      next = select(
          logical_and(equal(eq[state], leaves[i]), is_on(eq, sampling, "guard " + std::to_string(i + 1), guard[i])),
          enters[i], next);
    sampling.update_or_mode(eq, state, next);
    sampling.update_or_mode(eq, entered, select(equal(next, eq[state]), eq[entered], eq.time()));
    Expr y = eq[state];
    for (std::size_t k = 0; k < value.size(); ++k)
      y = k == 0 ? value[0] : select(equal(eq[state], static_cast<double>(k + 1)), value[k], y);
    eq.output("y", "", y);
    for (int k = 1; k <= static_cast<int>(count); ++k)
      eq.output("on_" + std::to_string(k), "", equal(eq[state], static_cast<double>(k)));
  }
};

}  // namespace coenergy::domains::blocks
