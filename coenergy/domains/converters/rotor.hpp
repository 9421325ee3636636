#pragma once
#include <cmath>

#include "coenergy/domains/coenergy.hpp"

namespace coenergy::domains::converters {

/// What all rotating machines share: the shaft turns by φ against the support (without one: the ground), the rotor has
/// the moment of inertia J, the viscous friction d and the windage c ω|ω|, and θ = p φ is the angle in periods of the field, p pole pairs.
struct Rotor {
  Rotational shaft, support;
  Parameter J, d, windage, pole_pairs;

  void describe(Description& description) {
    description.port(shaft, "shaft", "rotor shaft; may be the joint of a mechanism");
    description.port(support, "support", "the part that takes the reaction; without it the ground").optional();
    description.parameter(J, "J", "kg.m2", "moment of inertia of the rotor").not_negative().fallback("0 kg.m2");
    description.parameter(d, "d", "N.m.s/rad", "viscous friction of bearings and air")
        .not_negative()
        .fallback("0 N.m.s/rad");
    description.parameter(windage, "windage", "N.m.s2/rad2", "torque of the air over the square of the speed")
        .not_negative()
        .fallback("0 N.m.s2/rad2");
    description.output("w", "rad/s", "angular velocity of the shaft against the support");
    description.output("tau", "N.m", "torque of the field on the rotor");
  }
  void describe_poles(Description& description) {
    description.parameter(pole_pairs, "pole_pairs", "", "pairs of poles, a whole number").positive().fallback("1");
  }

  Expr angle(Equations& eq) const { return eq[shaft] - eq[support]; }
  Expr speed(Equations& eq) const { return eq.der(shaft) - eq.der(support); }
  /// p, which has to be a whole number.
  Expr pairs(Equations& eq) const {
    const double p = eq.number(pole_pairs);
    if (p != std::floor(p)) eq.refuse("pole_pairs must be a whole number");
    return eq[pole_pairs];
  }

  /// Inertia, friction and what can be seen; torques of fields that W' states act without further ado.
  void equations(Equations& eq, const Expr& torque) const {
    const Expr w = speed(eq);
    if (eq.number(J) > 0) eq.kinetic(eq[J] * w * w / 2);
    if (eq.number(d) > 0) eq.dissipation(eq[d] * w * w / 2);
    if (eq.number(windage) > 0) eq.dissipation(eq[windage] * abs(w) * w * w / 3);
    eq.output("w", "rad/s", w);
    eq.output("tau", "N.m", torque);
  }
  /// A torque that no co-energy states, on the rotor and against the support.
  void apply(Equations& eq, const Expr& torque) const {
    eq.through(shaft, -torque);
    eq.through(support, torque);
  }
};

}  // namespace coenergy::domains::converters
