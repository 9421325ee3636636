#pragma once
#include "coenergy/domains/drives/axes.hpp"

namespace coenergy::domains::drives {

/// What field-oriented controllers share: PI control of two currents with the voltages of the rotation put in beforehand,
/// for an inverter with space vectors.
///
///   u' = L ω_b e + x + feedforward,   u = u' min(1, (U/√3)/|u'|),   x ← x + T R ω_b e while u = u'
///
/// The gains cancel the winding, i = i_ref/(1 + s/ω_b). Voltages are held for a period T, so they are turned by the angle
/// that the axes turn by in half of it. References are u/(U/2), U voltage of the link.
struct CurrentControl {
  Parameter i_d_ref, i_q_ref, bandwidth, link, sample;
  Discrete x_d, x_q, u_a, u_b, u_c;

  void describe(Description& d) {
    d.parameter(i_d_ref, "i_d_ref", "A", "wanted current along the field").fallback("0 A").varying();
    d.parameter(i_q_ref, "i_q_ref", "A", "wanted current across the field").varying();
    d.parameter(bandwidth, "bandwidth", "rad/s", "of the currents").positive();
    d.parameter(link, "link", "V", "voltage of the DC link").positive().varying();
    d.parameter(sample, "sample", "s", "sampling period").positive();
    d.variable(x_d, "x_d", "V", "integral part along the field");
    d.variable(x_q, "x_q", "V", "integral part across the field");
    d.variable(u_a, "u_a", "", "reference of phase a, -1 ... 1; beyond 1 with space vectors only");
    d.variable(u_b, "u_b", "", "reference of phase b");
    d.variable(u_c, "u_c", "", "reference of phase c");
    d.output("i_d", "A", "current along the field");
    d.output("i_q", "A", "current across the field");
  }

  struct Winding {
    Expr R, L_d, L_q;
  };
  void equations(Equations& eq, const Axes& i, const Winding& w, const Axes& feedforward, const Expr& angle,
                 const Expr& speed) const {
    const Expr T = eq[sample], wb = eq[bandwidth], e_d = eq[i_d_ref] - i.d, e_q = eq[i_q_ref] - i.q;
    const Expr v_d = w.L_d * wb * e_d + eq[x_d] + feedforward.d, v_q = w.L_q * wb * e_q + eq[x_q] + feedforward.q;
    const Expr most = eq[link] / std::sqrt(3.0), size = sqrt(v_d * v_d + v_q * v_q), free = less(size, most);
    constexpr double least = 1e-12;
    const Expr part = min(1, most / max(size, least)) * 2 / eq[link];
    const std::array<Expr, 3> u = to_phases({part * v_d, part * v_q}, angle + speed * T / 2);
    eq.sample(x_d, T, 0, eq[x_d] + free * T * w.R * wb * e_d);
    eq.sample(x_q, T, 0, eq[x_q] + free * T * w.R * wb * e_q);
    eq.sample(u_a, T, 0, u[0]);
    eq.sample(u_b, T, 0, u[1]);
    eq.sample(u_c, T, 0, u[2]);
    eq.output("i_d", "A", i.d);
    eq.output("i_q", "A", i.q);
  }
};

}  // namespace coenergy::domains::drives
