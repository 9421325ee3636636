#pragma once
#include "coenergy/domains/mechanical/words.hpp"
#include "coenergy/domains/stop_law.hpp"

namespace coenergy::domains::mechanical {

/// Stops that keep δ = s_b − s_a between lower and upper: elastic, or rigid with a coefficient of restitution
/// (StopLaw). Rigid ones need a mass on at least one side. A lower stop alone is a floor or a push rod, an upper one
/// alone a rope.
template <class Flange>
struct Stop {
  using Word = Words<Flange>;
  Flange a, b;
  StopLaw<Flange> law;

  void describe(Description& d) {
    d.name(type_name<Flange>("Stop"), "stops: keep the distance b - a within a range, elastic or with restitution");
    d.port(a, "a", "one side");
    d.port(b, "b", "other side");
    law.describe(d);
    d.output("delta", Word::position_unit, "distance b - a");
  }

  void equations(Equations& eq) const {
    if (!eq.has(law.lower) && !eq.has(law.upper)) eq.refuse("it needs lower, upper or both");
    const Expr delta = eq[b] - eq[a], force = law.equations(eq, delta, eq.der(b) - eq.der(a));
    eq.through(b, force);
    eq.through(a, -force);
    eq.output("delta", Word::position_unit, delta);
  }
};

}  // namespace coenergy::domains::mechanical
