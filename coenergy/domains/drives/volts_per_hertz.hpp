#pragma once
#include "coenergy/domains/drives/axes.hpp"

namespace coenergy::domains::drives {

/// Sampled U/f control of an induction machine, with compensation of its slip:
///
///   f_s = f + f_slip,   amplitude u = (boost + (U_n − boost) f_s/f_n),   θ̂ ← θ̂ + T 2π f_s
///   P_g = 3/2 (u·i − R_s |i|²),  torque τ̂ = p P_g/(2π f_s),   f_slip ← filter of f_slip,n τ̂/τ_n
///
/// f follows the wanted frequency at most by `ramp` (Hz/s). U_n amplitude of a phase voltage at f_n; f_slip,n slip frequency
/// at the torque τ_n. Without currents there is no compensation. References are u/(U/2) of an inverter.
struct VoltsPerHertz {
  Parameter frequency, ramp, rated_voltage, rated_frequency, boost, link, sample, slip, torque, R_s, pole_pairs, filter;
  Phases current;
  Discrete f, f_slip, theta, u_a, u_b, u_c;

  void describe(Description& d) {
    d.name("drives.VoltsPerHertz", "sampled U/f control with compensation of the slip: references u_a, u_b, u_c");
    d.parameter(frequency, "frequency", "Hz", "wanted frequency").varying();
    d.parameter(ramp, "ramp", "Hz/s", "greatest rate of the frequency").positive();
    d.parameter(rated_voltage, "rated_voltage", "V", "amplitude of a phase at the rated frequency").positive();
    d.parameter(rated_frequency, "rated_frequency", "Hz", "rated frequency").positive().fallback("50 Hz");
    d.parameter(boost, "boost", "V", "amplitude at no frequency").not_negative().fallback("0 V");
    d.parameter(link, "link", "V", "voltage of the DC link").positive().varying();
    d.parameter(sample, "sample", "s", "sampling period").positive();
    d.parameter(slip, "slip", "Hz", "slip frequency at the torque that belongs to it; without it no compensation")
        .not_negative()
        .optional();
    d.parameter(torque, "torque", "N.m", "torque at that slip").positive().fallback("1 N.m").used_with(slip);
    d.parameter(R_s, "R_s", "ohm", "resistance of a stator phase").not_negative().fallback("0 ohm").used_with(slip);
    d.parameter(pole_pairs, "pole_pairs", "", "pairs of poles").positive().fallback("1").used_with(slip);
    d.parameter(filter, "filter", "s", "time constant of the compensation")
        .positive()
        .fallback("0.1 s")
        .used_with(slip);
    for (std::size_t k = 0; k < 3; ++k) {
      const std::string phase(1, static_cast<char>('a' + k));
      d.parameter(current.of[k], "i_" + phase, "A", "measured current of phase " + phase + ", for the slip")
          .fallback("0 A")
          .varying()
          .used_with(slip);
    }
    d.variable(f, "f", "Hz", "frequency without the slip");
    d.variable(f_slip, "f_slip", "Hz", "compensation");
    d.variable(theta, "theta", "rad", "angle of the voltages");
    d.variable(u_a, "u_a", "", "reference of phase a");
    d.variable(u_b, "u_b", "", "reference of phase b");
    d.variable(u_c, "u_c", "", "reference of phase c");
  }

  void equations(Equations& eq) const {
    constexpr double pi = std::numbers::pi, least = 1e-3;
    const Expr T = eq[sample], step = eq[ramp] * T, later = less(T / 2, eq.time());
    const Expr next = eq[f] + later * min(max(eq[frequency] - eq[f], -step), step);
    const Expr whole = eq[f] + eq[f_slip];
    const Expr size = eq[boost] + (eq[rated_voltage] - eq[boost]) * min(abs(whole) / eq[rated_frequency], 1);
    const Expr angle = eq[theta] + later * 2 * pi * T * whole;
    const std::array<Expr, 3> u = to_phases({size, 0}, angle + pi * T * whole);
    // torque by the power in the gap; the currents belong to the voltages that were held
    const Axes i = to_axes(current(eq), angle);
    const Expr power = 1.5 * (size * i.d - eq[R_s] * (i.d * i.d + i.q * i.q));
    const Expr tau = eq[pole_pairs] * power * whole / (2 * pi * (whole * whole + least));
    const Expr wanted = eq.has(slip) ? eq[slip] * tau / eq[torque] : Expr(0);
    eq.sample(f, T, 0, next);
    eq.sample(f_slip, T, 0, eq.has(slip) ? eq[f_slip] + later * T / eq[filter] * (wanted - eq[f_slip]) : Expr(0));
    eq.sample(theta, T, 0, angle);
    eq.sample(u_a, T, 0, 2 / eq[link] * u[0]);
    eq.sample(u_b, T, 0, 2 / eq[link] * u[1]);
    eq.sample(u_c, T, 0, 2 / eq[link] * u[2]);
  }
};

}  // namespace coenergy::domains::drives
