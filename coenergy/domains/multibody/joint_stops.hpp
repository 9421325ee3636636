#pragma once
#include "coenergy/domains/multibody/words.hpp"

namespace coenergy::domains::multibody {

/// Elastic stops at the ends of a joint's range (Hunt and Crossley):
///
///   f = −k δ (1 + c δ̇),   δ = q − upper > 0 or lower − q > 0
///
/// k stiffness, c damping (s/rad or s/m). The force begins and ends at zero, so that contact neither jumps nor sticks
/// for c |δ̇| < 1; the rate v' after an impact with v obeys c v − ln(1 + c v) = −c v' − ln(1 − c v') for a free mass,
/// about v' = v (1 − 2 c v/3). Contact is a located event.
struct JointStops {
  Parameter lower, upper, stiffness, damping;

  void describe(Description& d, bool turns) {
    const char* unit = turns ? "rad" : "m";
    d.parameter(lower, "lower", unit, "stop at the lower end of the range").optional();
    d.parameter(upper, "upper", unit, "stop at the upper end of the range").optional();
    d.parameter(stiffness, "stop_stiffness", turns ? "N.m/rad" : "N/m", "of the stops").positive().optional();
    d.parameter(damping, "stop_damping", turns ? "s/rad" : "s/m", "c of the stops").not_negative().fallback("0");
  }

  template <class Flange>
  void equations(Equations& eq, Flange shaft) const {
    if (!eq.has(lower) && !eq.has(upper)) return;
    if (!eq.has(stiffness)) eq.refuse("a range with lower or upper needs stop_stiffness");
    if (eq.has(lower) && eq.has(upper) && eq.number(lower) >= eq.number(upper)) eq.refuse("lower must be below upper");
    if (eq.has(upper)) add(eq, shaft, "upper stop", eq[shaft] - eq[upper], eq.der(shaft), 1);
    if (eq.has(lower)) add(eq, shaft, "lower stop", eq[lower] - eq[shaft], -eq.der(shaft), -1);
  }

 private:
  template <class Flange>
  void add(Equations& eq, Flange shaft, const char* name, const Expr& gap, const Expr& rate, int side) const {
    const Expr depth = eq.relation(name, gap) * gap, k = eq[stiffness], c = eq[damping];
    eq.through(shaft, side * (k * depth * (1 + c * rate)));
    eq.stored(k * depth * depth / 2);
    eq.dissipated(k * depth * c * rate * rate);
  }
};

}  // namespace coenergy::domains::multibody
