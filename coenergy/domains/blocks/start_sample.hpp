#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::blocks {

/// The value of an expression at the start of the run, held: a discrete variable of the given name. What is solved for
/// at the start may follow from the value itself (a controller that acts on what it measures at once): it is taken in
/// three passes, each with the value of the one before.
inline Expr sample_at_start(Equations& eq, const std::string& name, const Expr& value) {
  constexpr double passes = 3;
  const Discrete held = eq.make_discrete(name, "", 0), passed = eq.make_discrete(name + "_passes", "", 0);
  eq.mode(held, select(less(eq[passed], passes), value, eq[held]));
  eq.mode(passed, min(eq[passed] + 1, passes));
  return eq[held];
}

}  // namespace coenergy::domains::blocks
