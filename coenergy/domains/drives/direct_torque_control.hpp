#pragma once
#include <cmath>

#include "coenergy/domains/drives/axes.hpp"

namespace coenergy::domains::drives {

/// Sampled direct torque control (I. Takahashi, T. Noguchi: A new quick-response and high-efficiency control strategy of an
/// induction motor, 1986): flux ψ and torque of the stator are estimated from the voltages of the inverter,
///
///   ψ ← ψ + T (u − R_s i),   τ̂ = 3/2 p (ψ_α i_β − ψ_β i_α),
///
/// and of the six voltages at k 60° that is switched on which turns ψ, from the sector of 60° it is in, the wanted way:
/// one or two sectors ahead for more torque, behind for less, the nearer one for more flux; none (zero voltage) where the
/// torque is within its band. The outputs are ±2, beyond any carrier of an inverter.
struct DirectTorqueControl {
  Phases current;
  Parameter torque, flux, torque_band, flux_band, R_s, pole_pairs, link, sample;
  Discrete psi_alpha, psi_beta, grows, u_a, u_b, u_c;

  void describe(Description& d) {
    d.name("drives.DirectTorqueControl", "sampled direct torque control: states u_a, u_b, u_c of an inverter");
    current.describe(d, "i", "A", "measured current of phase");
    d.parameter(torque, "torque", "N.m", "wanted torque").varying();
    d.parameter(flux, "flux", "Wb", "wanted flux of the stator").positive().varying();
    d.parameter(torque_band, "torque_band", "N.m", "deviation of the torque that is left alone").positive();
    d.parameter(flux_band, "flux_band", "Wb", "deviation of the flux that is left alone").positive();
    d.parameter(R_s, "R_s", "ohm", "resistance of a stator phase").not_negative();
    d.parameter(pole_pairs, "pole_pairs", "", "pairs of poles").positive().fallback("1");
    d.parameter(link, "link", "V", "voltage of the DC link").positive().varying();
    d.parameter(sample, "sample", "s", "sampling period").positive();
    d.variable(psi_alpha, "psi_alpha", "Wb", "estimated flux along phase a");
    d.variable(psi_beta, "psi_beta", "Wb", "estimated flux across it");
    d.variable(grows, "grows", "", "1 while the flux is to grow, 0 while it is to shrink");
    d.variable(u_a, "u_a", "", "2 where phase a is on, -2 where it is off, 0 before the first sample");
    d.variable(u_b, "u_b", "", "of phase b");
    d.variable(u_c, "u_c", "", "of phase c");
    d.output("psi", "Wb", "estimated flux");
    d.output("tau", "N.m", "estimated torque");
    d.output("missing", "N.m", "wanted less estimated torque");
  }

  void equations(Equations& eq) const {
    constexpr double pi = std::numbers::pi;
    const Expr T = eq[sample], later = less(T / 2, eq.time());
    const Axes i = to_axes(current(eq), 0), u = to_axes({eq[u_a], eq[u_b], eq[u_c]}, 0);
    // what the legs gave during the period that ends
    const Expr alpha = eq[psi_alpha] + later * T * (u.d * eq[link] / 4 - eq[R_s] * i.d);
    const Expr beta = eq[psi_beta] + later * T * (u.q * eq[link] / 4 - eq[R_s] * i.q);
    const Expr size = sqrt(alpha * alpha + beta * beta);
    const Expr tau = 1.5 * eq[pole_pairs] * (alpha * i.q - beta * i.d), missing = eq[torque] - tau;
    const Expr more = symbolic::select(less(size, eq[flux] - eq[flux_band]), 1,
                                       symbolic::select(less(eq[flux] + eq[flux_band], size), 0, eq[grows]));
    const Expr sector = floor(atan2(beta, alpha) / (pi / 3) + 0.5);
    const Expr way = less(eq[torque_band], missing) - less(eq[torque_band], -missing);
    const Expr angle = (sector + way * (2 - more)) * pi / 3;
    // without a flux the way is along phase a
    const Expr is_zero = logical_and(equal(way, 0), less(eq[flux] - eq[flux_band], size));
    const std::array<Expr, 3> legs = to_phases({1, 0}, symbolic::select(equal(way, 0), sector * pi / 3, angle));
    eq.sample(psi_alpha, T, 0, alpha);
    eq.sample(psi_beta, T, 0, beta);
    eq.sample(grows, T, 0, more);
    const Discrete out[] = {u_a, u_b, u_c};
    for (std::size_t k = 0; k < 3; ++k)
      eq.sample(out[k], T, 0, symbolic::select(is_zero, -2, 4 * less(0, legs[k]) - 2));
    eq.output("missing", "N.m", eq[torque] - 1.5 * eq[pole_pairs] * (eq[psi_alpha] * i.q - eq[psi_beta] * i.d));
    eq.output("psi", "Wb", sqrt(eq[psi_alpha] * eq[psi_alpha] + eq[psi_beta] * eq[psi_beta]));
    eq.output("tau", "N.m", 1.5 * eq[pole_pairs] * (eq[psi_alpha] * i.q - eq[psi_beta] * i.d));
  }
};

}  // namespace coenergy::domains::drives
