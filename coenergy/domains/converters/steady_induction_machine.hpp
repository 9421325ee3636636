#pragma once
#include <cmath>
#include <numbers>

#include "coenergy/domains/component.hpp"

namespace coenergy::domains::converters {

/// Induction machine on a sinusoidal supply in the steady state, by its circuit of one phase:
///
///   torque = 3 R_r V² s/(ω_s [(R_s s + R_r)² + s² ω_f² (L_s + L_r)²]),   s = 1 − ω/ω_s,   ω_s = 2π f/p,  ω_f = 2π f
///
/// V is the voltage of a phase (rms): the voltage between lines over √3 in star, that voltage itself in delta. L_s, L_r are
/// leakage inductances; the magnetising current is left out. Written so, without a division by the slip, the law is
/// smooth through the synchronous speed, as motor (0 < s < 1), generator (s < 0) and brake (s > 1), and needs no least
/// slip. It holds while the speed changes slowly against the currents. The pull-out torque is reached at
/// s = R_r/√(R_s² + ω_f²(L_s + L_r)²). (Course notes that print ω_s for ω_f mean one pair of poles.)
struct SteadyInductionMachine {
  Rotational shaft, support;
  Parameter voltage, frequency, pole_pairs, R_s, R_r, L_s, L_r, J;
  Choice connection;

  void describe(Description& d) {
    d.name("converters.SteadyInductionMachine", "induction machine by its circuit of one phase: torque over slip");
    d.port(shaft, "shaft", "rotor shaft; may be the joint of a mechanism");
    d.port(support, "support", "the part that takes the reaction; without it the ground").optional();
    d.parameter(voltage, "voltage", "V", "voltage between lines, rms").not_negative().varying();
    d.parameter(frequency, "frequency", "Hz", "frequency of the supply").positive().varying();
    d.choice(connection, "connection", {"star", "delta"}, "how the stator windings are joined");
    d.parameter(pole_pairs, "pole_pairs", "", "pairs of poles, a whole number").positive().fallback("1");
    d.parameter(R_s, "R_s", "ohm", "resistance of the stator").not_negative();
    d.parameter(R_r, "R_r", "ohm", "resistance of the rotor, seen from the stator").positive();
    d.parameter(L_s, "L_s", "H", "leakage inductance of the stator").positive();
    d.parameter(L_r, "L_r", "H", "leakage inductance of the rotor, seen from the stator").positive();
    d.parameter(J, "J", "kg.m2", "moment of inertia of the rotor").not_negative().fallback("0 kg.m2");
    d.output("w", "rad/s", "angular velocity of the shaft against the support");
    d.output("tau", "N.m", "torque on the rotor");
    d.output("slip", "", "slip");
    d.output("i", "A", "current of a phase, rms");
    d.output("pullout", "N.m", "greatest torque as a motor");
  }

  void equations(Equations& eq) const {
    const double p = eq.number(pole_pairs);
    if (p != std::floor(p)) eq.refuse("pole_pairs must be a whole number");
    const Expr w = eq.der(shaft) - eq.der(support), field = 2 * std::numbers::pi * eq[frequency];
    const Expr synchronous = field / eq[pole_pairs], slip = 1 - w / synchronous, x = field * (eq[L_s] + eq[L_r]);
    const Expr phase = eq[connection] == "star" ? eq[voltage] / std::sqrt(3.0) : eq[voltage];
    const Expr resistance = eq[R_s] * slip + eq[R_r], impedance = resistance * resistance + slip * slip * x * x;
    const Expr torque = 3 * eq[R_r] * phase * phase * slip / (synchronous * impedance);
    eq.through(shaft, -torque);
    eq.through(support, torque);
    if (eq.number(J) > 0) eq.kinetic(eq[J] * w * w / 2);
    // the supply gives what reaches the shaft and the resistances
    const Expr current2 = phase * phase * slip * slip / impedance, loss = 3 * (eq[R_s] + eq[R_r]) * current2;
    eq.supplied(torque * w + loss);
    eq.dissipated(loss);
    eq.output("w", "rad/s", w);
    eq.output("tau", "N.m", torque);
    eq.output("slip", "", slip);
    eq.output("i", "A", sqrt(current2));
    eq.output("pullout", "N.m", 1.5 * phase * phase / (synchronous * (eq[R_s] + sqrt(eq[R_s] * eq[R_s] + x * x))));
  }
};

}  // namespace coenergy::domains::converters
