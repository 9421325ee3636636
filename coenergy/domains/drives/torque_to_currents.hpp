#pragma once
#include <cmath>

#include "coenergy/domains/component.hpp"

namespace coenergy::domains::drives {

/// Currents along and across the rotor of a synchronous machine for an amplitude I (its sign is that of the torque): the most
/// torque per current, and less field where the voltage does not suffice (S. Morimoto et al.: Expansion of operating limits
/// for permanent magnet motor by current vector control, 1990).
///
///   most torque     i_d = −2 ΔL I²/(ψ + √(ψ² + 8 ΔL² I²)),   ΔL = L_q − L_d
///   field weakening (L_d i_d + ψ)² + L_q² (I² − i_d²) = (u/(p ω))²   where the flux of the first would be larger
///   both            i_q = sign(I) √(I² − i_d²)
///
/// ω velocity of the shaft, u amplitude of the phase voltage that is there (V). Resistances are left out. Where no current of
/// the amplitude I has a small enough flux, all of it weakens the field, and there is no torque.
struct TorqueToCurrents {
  Parameter current, speed, voltage, pole_pairs, L_d, L_q, psi;

  void describe(Description& d) {
    d.name("drives.TorqueToCurrents", "currents i_d, i_q for most torque, with field weakening");
    d.parameter(current, "current", "A", "amplitude of the currents, with the sign of the torque").varying();
    d.parameter(speed, "speed", "rad/s", "velocity of the shaft").varying();
    d.parameter(voltage, "voltage", "V", "greatest amplitude of a phase voltage: link/sqrt(3) with space vectors")
        .positive()
        .varying();
    d.parameter(pole_pairs, "pole_pairs", "", "pairs of poles").positive().fallback("1");
    d.parameter(L_d, "L_d", "H", "inductance along the rotor").positive();
    d.parameter(L_q, "L_q", "H", "inductance across the rotor").positive();
    d.parameter(psi, "psi", "Wb", "flux linkage of the magnets").positive();
    d.output("i_d", "A", "current along the rotor");
    d.output("i_q", "A", "current across the rotor");
    d.output("tau", "N.m", "torque of these currents");
  }

  void equations(Equations& eq) const {
    const Expr I = eq[current], difference = eq[L_q] - eq[L_d], psi0 = eq[psi];
    const Expr best = -2 * difference * I * I / (psi0 + sqrt(psi0 * psi0 + 8 * difference * difference * I * I));
    // the voltage allows a flux; a x² + 2 b x + c = 0 for x = i_d
    constexpr double least = 1e-6;
    const Expr flux = eq[voltage] / max(abs(eq[pole_pairs] * eq[speed]), least);
    const Expr a = eq[L_d] * eq[L_d] - eq[L_q] * eq[L_q], b = psi0 * eq[L_d];
    const Expr c = psi0 * psi0 + eq[L_q] * eq[L_q] * I * I - flux * flux;
    const Expr weak = -c / (b + sqrt(max(b * b - a * c, 0)));
    const Expr i_d = max(min(best, weak), -abs(I));
    const Expr i_q = symbolic::select(less(I, 0), -1, 1) * sqrt(max(I * I - i_d * i_d, 0));
    eq.output("i_d", "A", i_d);
    eq.output("i_q", "A", i_q);
    eq.output("tau", "N.m", 1.5 * eq[pole_pairs] * i_q * (psi0 - difference * i_d));
  }
};

}  // namespace coenergy::domains::drives
