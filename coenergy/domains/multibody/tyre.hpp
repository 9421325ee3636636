#pragma once
#include "coenergy/domains/multibody/wheel_contact.hpp"

namespace coenergy::domains::multibody {

/// Tyre of a wheel on a horizontal plane (WheelContact), with traction by slip:
///
///   s = (r Ω − v)/v₀,   s_y = −v_side/v₀,   v₀ = max(|v|, |r Ω|, v_ε)         slip along the wheel and across it
///   F = N μ tanh(|s|/s₀) s/|s|,   s = (s, s_y)                                one slip, so that |F| ≤ μ N
///
/// Dissipates what slip and damping take. With the magic formula: MagicFormulaTyre.
struct Tyre {
  Frame body;
  WheelContact contact;
  Parameter mu, slip, v_eps;

  void describe(Description& d) {
    d.name("multibody.Tyre", "tyre on a horizontal plane: elastic normal force, traction mu*tanh(slip/s0)");
    d.port(body, "body", "the wheel");
    contact.describe(d);
    d.parameter(mu, "mu", "", "friction coefficient").not_negative();
    d.parameter(slip, "s0", "", "slip at which friction is nearly full").positive().fallback("0.05");
    d.parameter(v_eps, "v_eps", "m/s", "smallest reference velocity of slip").positive().fallback("0.1 m/s");
    d.output("s", "", "longitudinal slip");
    d.output("fx", "N", "force along the wheel");
    d.output("fy", "N", "force across the wheel");
    d.output("fz", "N", "normal force");
  }

  void equations(Equations& eq) const {
    const WheelContact::Motion m = contact.find_motion(eq, body);
    const Expr reference = max(max(abs(m.v), abs(m.r * m.spin)), eq[v_eps]), s = (m.r * m.spin - m.v) / reference;
    // tanh(x)/x with x = |slip|/s₀, regular where the tyre rolls
    const Expr s_y = -m.side / reference, square = (s * s + s_y * s_y) / (eq[slip] * eq[slip]);
    const Expr rolls = less(square, 1e-4), x = sqrt(select(rolls, 1, square));
    const Expr part = select(rolls, 1 - square / 3 + 2 * square * square / 15, tanh(x) / x);
    const Expr drive = m.load * eq[mu] * part * s / eq[slip], across = m.load * eq[mu] * part * s_y / eq[slip];
    contact.apply(eq, body, m, drive, across);
    eq.output("s", "", s);
    eq.output("fx", "N", drive);
    eq.output("fy", "N", across);
    eq.output("fz", "N", m.load);
  }
};

}  // namespace coenergy::domains::multibody
