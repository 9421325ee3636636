#pragma once
#include <cmath>

#include "coenergy/domains/drives/current_control.hpp"

namespace coenergy::domains::drives {

/// Sampled field-oriented control of an induction machine along the flux of its rotor, which is estimated by its currents
/// (F. Blaschke: The principle of field orientation, 1972):
///
///   ψ ← ψ + T (L_m i_d − ψ) R_r/L_r,   θ̂ ← θ̂ + T (p ω + R_r L_m i_q/(L_r ψ)),   torque = 3/2 p L_m/L_r ψ i_q
///   u_d = … − ω_f σL_s i_q,   u_q = … + ω_f (σL_s i_d + L_m/L_r ψ)
///
/// L_s, L_r, L_m are those of the circuit of one phase (of windings: L − M on each side, 3/2 M_sr), σL_s = L_s − L_m²/L_r.
struct InductionControl {
  CurrentControl control;
  Phases current;
  Parameter speed, pole_pairs, R_s, R_r, L_s, L_r, L_m;
  Discrete psi, theta, w, begin;

  void describe(Description& d) {
    d.name("drives.InductionControl",
           "sampled control of an induction machine along its rotor flux: references u_a, u_b, u_c");
    current.describe(d, "i", "A", "measured current of phase");
    d.parameter(speed, "speed", "rad/s", "velocity of the shaft").varying();
    d.parameter(pole_pairs, "pole_pairs", "", "pairs of poles").positive().fallback("1");
    d.parameter(R_s, "R_s", "ohm", "resistance of a stator phase").not_negative();
    d.parameter(R_r, "R_r", "ohm", "resistance of a rotor phase").positive();
    d.parameter(L_s, "L_s", "H", "inductance of the stator, one phase of the symmetrical machine").positive();
    d.parameter(L_r, "L_r", "H", "inductance of the rotor").positive();
    d.parameter(L_m, "L_m", "H", "mutual inductance").positive();
    control.describe(d);
    d.variable(psi, "psi", "Wb", "estimated flux of the rotor");
    d.variable(theta, "theta", "rad", "its angle at the last sample");
    d.variable(w, "w", "rad/s", "its angular velocity");
    d.variable(begin, "begin", "s", "time of the last sample");
    d.output("angle", "rad", "estimated angle of the rotor flux");
    d.output("tau", "N.m", "estimated torque");
  }

  void equations(Equations& eq) const {
    const Expr T = eq[control.sample], angle = eq[theta] + eq[w] * (eq.time() - eq[begin]);
    const Axes i = to_axes(current(eq), angle);
    const Expr rate = eq[R_r] / eq[L_r], leakage = eq[L_s] - eq[L_m] * eq[L_m] / eq[L_r];
    if (!(eq.number(L_m) * eq.number(L_m) < eq.number(L_s) * eq.number(L_r)))
      eq.refuse("L_m must be less than sqrt(L_s L_r)");
    // the slip is bounded while there is hardly any flux
    constexpr double least = 1e-9;
    const Expr flux = max(eq[psi], least + 0.05 * eq[L_m] * abs(i.d));
    const Expr frequency = eq[pole_pairs] * eq[speed] + rate * eq[L_m] * i.q / flux;
    control.equations(eq, i, {eq[R_s] + rate * eq[L_m] * eq[L_m] / eq[L_r], leakage, leakage},
                      {-frequency * leakage * i.q, frequency * (leakage * i.d + eq[L_m] / eq[L_r] * eq[psi])}, angle,
                      frequency);
    eq.sample(psi, T, 0, eq[psi] + T * rate * (eq[L_m] * i.d - eq[psi]));
    eq.sample(theta, T, 0, angle);
    eq.sample(begin, T, 0, eq.time());
    eq.sample(w, T, 0, frequency);
    eq.output("angle", "rad", angle);
    eq.output("tau", "N.m", 1.5 * eq[pole_pairs] * eq[L_m] / eq[L_r] * eq[psi] * i.q);
  }
};

}  // namespace coenergy::domains::drives
