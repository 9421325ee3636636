#pragma once
#include "coenergy/domains/multibody/wheel_contact.hpp"

namespace coenergy::domains::multibody {

/// Tyre of a wheel on a horizontal plane (WheelContact) by Pacejka's magic formula (Tire and Vehicle Dynamics, 2006):
///
///   κ = (r Ω − v)/v₀,   tan α = −v_side/v₀,   v₀ = max(|v|, v_ε)                        slips
///   F_x0(κ) = μ_x N sin(C_x atan(x − E_x (x − atan x))),   x = B_x κ;   F_y0 likewise with y = B_y tan α
///
/// Each slip alone gives its formula. Together, φ = √((B_x κ)² + (B_y tan α)²) stands for x and y, and the force has the
/// direction of the slips, so that it stays within the ellipse of friction μ_x N, μ_y N:
///
///   F_x = B_x κ/φ F_x0(φ/B_x),   F_y = B_y tan α/φ F_y0(φ/B_y)
///
/// The side force acts behind the middle, by the pneumatic trail t = t_0 cos(C_t atan(B_t φ/B_y)): aligning torque
/// M_z = −t F_y v/v₀. Rolling resistance f_r: a torque f_r r N against the rotation, r Ω over v₀ as long as that is less than 1.
struct MagicFormulaTyre {
  Frame body;
  WheelContact contact;
  Parameter mu_x, B_x, C_x, E_x, mu_y, B_y, C_y, E_y, trail, B_t, C_t, rolling, v_eps;

  void describe(Description& d) {
    d.name("multibody.MagicFormulaTyre",
           "tyre by the magic formula, with combined slip, aligning torque, rolling resistance");
    d.port(body, "body", "the wheel");
    contact.describe(d);
    d.parameter(mu_x, "mu_x", "", "peak factor D/N along the wheel").positive();
    d.parameter(B_x, "B_x", "", "stiffness factor along the wheel").positive().fallback("10");
    d.parameter(C_x, "C_x", "", "shape factor along the wheel").between(0.1, 2).fallback("1.65");
    d.parameter(E_x, "E_x", "", "curvature factor along the wheel, at most 1").between(-100, 1).fallback("0");
    d.parameter(mu_y, "mu_y", "", "peak factor D/N across the wheel").positive();
    d.parameter(B_y, "B_y", "", "stiffness factor across the wheel").positive().fallback("8");
    d.parameter(C_y, "C_y", "", "shape factor across the wheel").between(0.1, 2).fallback("1.3");
    d.parameter(E_y, "E_y", "", "curvature factor across the wheel, at most 1").between(-100, 1).fallback("0");
    d.parameter(trail, "trail", "m", "pneumatic trail without slip").not_negative().fallback("0 m");
    d.parameter(B_t, "B_t", "", "stiffness factor of the trail").positive().fallback("10").used_with(trail);
    d.parameter(C_t, "C_t", "", "shape factor of the trail").between(0, 2).fallback("1.1").used_with(trail);
    d.parameter(rolling, "rolling", "", "rolling resistance over the load").not_negative().fallback("0");
    d.parameter(v_eps, "v_eps", "m/s", "smallest reference velocity of slip").positive().fallback("0.1 m/s");
    d.output("kappa", "", "longitudinal slip");
    d.output("alpha", "rad", "slip angle");
    d.output("fx", "N", "force along the wheel");
    d.output("fy", "N", "force across the wheel");
    d.output("fz", "N", "normal force");
    d.output("mz", "N.m", "aligning torque, about the upward direction");
  }

  void equations(Equations& eq) const {
    const WheelContact::Motion m = contact.find_motion(eq, body);
    const Expr reference = max(abs(m.v), eq[v_eps]);
    const Expr kappa = (m.r * m.spin - m.v) / reference, tangent = -m.side / reference;
    const Expr x = eq[B_x] * kappa, y = eq[B_y] * tangent, square = x * x + y * y;
    // sin(C atan(…))/φ, regular where the tyre rolls: φ² counts as at least 1e-16 there
    const Expr phi = sqrt(max(square, 1e-16));
    const auto formula = [&](const Expr& C, const Expr& E) { return sin(C * atan(phi - E * (phi - atan(phi)))) / phi; };
    const Expr fx = m.load * eq[mu_x] * x * formula(eq[C_x], eq[E_x]);
    const Expr fy = m.load * eq[mu_y] * y * formula(eq[C_y], eq[E_y]);
    const Expr arm = eq[trail] * cos(eq[C_t] * atan(eq[B_t] * phi / eq[B_y]));
    const Expr mz = -arm * fy * m.v / reference;
    const Expr turning = min(max(m.r * m.spin / reference, -1), 1);
    contact.apply(eq, body, m, fx, fy, mz * m.up - eq[rolling] * m.r * m.load * turning * m.e);
    eq.output("kappa", "", kappa);
    eq.output("alpha", "rad", atan(tangent));
    eq.output("fx", "N", fx);
    eq.output("fy", "N", fy);
    eq.output("fz", "N", m.load);
    eq.output("mz", "N.m", mz);
  }
};

}  // namespace coenergy::domains::multibody
