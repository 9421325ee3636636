#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::mechanical {

/// Ideal gear: φ_a = ratio · φ_b, without losses: τ_b = ratio · τ_a on what follows.
///
/// ratio ≠ 0 (a negative one reverses the sense). tau is the torque (N.m) that enters the gear at a.
struct IdealGear {
  Rotational a, b;
  Parameter ratio;
  Multiplier tau;

  void describe(Description& d) {
    d.name("mechanical.IdealGear", "gear without losses: angle of a = ratio * angle of b");
    d.port(a, "a", "fast shaft (ratio > 1)");
    d.port(b, "b", "slow shaft (ratio > 1)");
    d.parameter(ratio, "ratio", "", "angle of a over angle of b");
    d.variable(tau, "tau", "N.m", "torque into the gear at a");
  }

  void equations(Equations& eq) const {
    if (eq.number(ratio) == 0) eq.refuse("ratio must not be 0");
    if (eq[a].is_number() && eq[b].is_number()) eq.refuse("both shafts are connected to ground");
    eq.constraint(tau, eq[a] - eq[ratio] * eq[b]);
  }
};

}  // namespace coenergy::domains::mechanical
