#pragma once
#include <cmath>

#include "coenergy/domains/drives/current_control.hpp"

namespace coenergy::domains::drives {

/// Sampled field-oriented control of a synchronous machine with magnets or reluctance:
///
///   u_d = … − p ω L_q i_q,   u_q = … + p ω (L_d i_d + ψ)
///
/// (see CurrentControl). `angle` is that of the rotor in periods of the field, θ = p φ, `speed` that of the shaft.
struct SynchronousControl {
  CurrentControl control;
  Phases current;
  Parameter angle, speed, pole_pairs, R, L_d, L_q, psi;

  void describe(Description& d) {
    d.name("drives.SynchronousControl",
           "sampled field-oriented control of a synchronous machine: references u_a, u_b, u_c");
    current.describe(d, "i", "A", "measured current of phase");
    d.parameter(angle, "angle", "rad", "electrical angle of the rotor").varying();
    d.parameter(speed, "speed", "rad/s", "velocity of the shaft").varying();
    d.parameter(pole_pairs, "pole_pairs", "", "pairs of poles").positive().fallback("1");
    d.parameter(R, "R", "ohm", "resistance of a phase").not_negative();
    d.parameter(L_d, "L_d", "H", "inductance along the rotor").positive();
    d.parameter(L_q, "L_q", "H", "inductance across the rotor").positive();
    d.parameter(psi, "psi", "Wb", "flux linkage of the magnets").fallback("0 Wb");
    control.describe(d);
  }

  void equations(Equations& eq) const {
    const Axes i = to_axes(current(eq), eq[angle]);
    const Expr w = eq[pole_pairs] * eq[speed];
    control.equations(eq, i, {eq[R], eq[L_d], eq[L_q]}, {-w * eq[L_q] * i.q, w * (eq[L_d] * i.d + eq[psi])}, eq[angle],
                      w);
  }
};

}  // namespace coenergy::domains::drives
