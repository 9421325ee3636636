#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::converters {

/// Eddy-current brake: τ = 2 τ_max (ω/ω_c)/(1 + (ω/ω_c)²) against the motion, greatest at the critical speed ω_c
/// (W. R. Smythe: On eddy currents in a rotating disk, 1942). `excitation` (0 … 1) is the part of the rated flux; torque
/// goes with its square. All power becomes heat.
struct EddyCurrentBrake {
  Rotational shaft, support;
  Parameter torque, critical_speed, excitation;

  void describe(Description& d) {
    d.name("converters.EddyCurrentBrake", "eddy-current brake: tau = 2*torque*(w/wc)/(1 + (w/wc)^2)");
    d.port(shaft, "shaft", "shaft of the disc");
    d.port(support, "support", "the part that takes the reaction; without it the ground").optional();
    d.parameter(torque, "torque", "N.m", "greatest torque").not_negative();
    d.parameter(critical_speed, "critical_speed", "rad/s", "speed at which it is reached").positive();
    d.parameter(excitation, "excitation", "", "part of the rated flux").fallback("1").varying();
    d.output("w", "rad/s", "angular velocity of the shaft against the support");
    d.output("tau", "N.m", "torque on the shaft");
  }

  void equations(Equations& eq) const {
    const Expr w = eq.der(shaft) - eq.der(support), x = w / eq[critical_speed];
    const Expr tau = -2 * eq[torque] * eq[excitation] * eq[excitation] * x / (1 + x * x);
    eq.through(shaft, -tau);
    eq.through(support, tau);
    eq.dissipated(-tau * w);
    eq.output("w", "rad/s", w);
    eq.output("tau", "N.m", tau);
  }
};

}  // namespace coenergy::domains::converters
