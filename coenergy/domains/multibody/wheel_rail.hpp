#pragma once
#include "coenergy/domains/multibody/words.hpp"

namespace coenergy::domains::multibody {

/// Conical wheel of a wheelset on a knife-edge rail, with linear Kalker creep (Kalker 1990).
///
/// The rail is the line y = y_r, z = 0 of the world; the axle is the y axis e of the body through its origin c, and the
/// wheel has the radius ρ(u) = r₀ − λ (σ u − w₀) at the distance u along it (σ = ±1 the side, w₀ = |y_r|). With
/// n = (ẑ − e_z e)/√(1 − e_z²) the contact point is c + u e − ρ n; y = y_r gives u, and
///
///   Φ = c_z + u e_z − ρ n_z = 0                                  (the multiplier is the normal load)
///   ξ_x = v_x/V,  ξ_y = v·t/V,  ϕ = ω·n/V                        creepages of the wheel's material at the contact
///   F_x = −f₁₁ ξ_x,  F_y = −f₂₂ ξ_y − f₂₃ ϕ,  M = f₂₃ ξ_y − f₃₃ ϕ      along x̂, t (generator of the cone), n
///
/// λ conicity (–), f₁₁ f₂₂ (N), f₂₃ (N.m), f₃₃ (N.m²) Kalker's coefficients times the shear modulus and ellipse, V the
/// speed (m/s), or an expression of the real one that does not vanish at rest. Small yaw: the rail's direction is x̂.
///
/// With a coefficient of friction µ the forces saturate (P. J. Vermeulen, K. L. Johnson: Contact of nonspherical elastic
/// bodies transmitting tangential forces, 1964): F = (F_x, F_y) becomes F (1 − τ + τ²/3), τ = |F|/(3 µ N) < 1, and µ N
/// beyond. Dissipates the creep power.
struct WheelRail {
  Frame body;
  Parameter rail, radius, conicity, speed, f11, f22, f23, f33, friction;
  Multiplier lambda;

  void describe(Description& d) {
    d.name("multibody.WheelRail", "conical wheel on a knife-edge rail along x, Kalker creep that may saturate");
    d.port(body, "body", "the wheelset; its axle is the y axis");
    d.parameter(rail, "rail", "m", "y of the rail: its sign is the side of the wheel");
    d.parameter(radius, "radius", "m", "nominal rolling radius r0").positive();
    d.parameter(conicity, "conicity", "", "lambda: decrease of the radius per distance outwards").not_negative();
    d.parameter(speed, "speed", "m/s", "V, to which creepages refer").positive().varying();
    d.parameter(f11, "f11", "N", "longitudinal creep coefficient").not_negative();
    d.parameter(f22, "f22", "N", "lateral creep coefficient").not_negative();
    d.parameter(f23, "f23", "N.m", "lateral-spin creep coefficient").not_negative().fallback("0");
    d.parameter(f33, "f33", "N.m2", "spin creep coefficient").not_negative().fallback("0");
    d.parameter(friction, "friction", "", "coefficient of friction; without it creep forces do not saturate")
        .positive()
        .optional();
    d.variable(lambda, "lambda", "N", "multiplier of the contact");
    d.output("normal", "N", "load on the rail");
    d.output("fx", "N", "longitudinal creep force on the wheel");
    d.output("fy", "N", "lateral creep force on the wheel");
    d.output("rho", "m", "rolling radius");
  }

  void equations(Equations& eq) const {
    const FrameMotion f = eq.frame(body);
    const Vec3 e = f.R_WB * Vec3{{0, 1, 0}};
    const double side = eq.number(rail) < 0 ? -1 : 1;
    const Expr upright = sqrt(1 - e[2] * e[2]), cone = side * eq[conicity], r0 = eq[radius];
    const Vec3 n = (1 / upright) * (Vec3{{0, 0, 1}} - e[2] * e);
    // radius ρ = top − cone·u, and the u at which the contact is over the rail
    const Expr top = r0 + eq[conicity] * side * eq[rail];
    const Expr u = (eq[rail] - f.p_WB[1] + top * n[1]) / (e[1] + cone * n[1]), rho = top - cone * u;
    eq.constraint(lambda, f.p_WB[2] + u * e[2] - rho * n[2]);

    // creepages and their forces
    const Vec3 lever = u * e - rho * n, w = f.R_WB * f.w_WB_B, v = f.v_WB + cross(w, lever);
    const Vec3 t = (1 / sqrt(1 + cone * cone)) * (e + cone * n);
    const Expr V = eq[speed], along = v[0] / V, across = dot(v, t) / V, spin = dot(w, n) / V;
    const Expr linear_x = -eq[f11] * along, linear_y = -eq[f22] * across - eq[f23] * spin;
    const Expr part = saturation(eq, linear_x, linear_y), fx = part * linear_x, fy = part * linear_y;
    const Expr moment = eq[f23] * across - eq[f33] * spin;
    const Vec3 force = fx * Vec3{{1, 0, 0}} + fy * t, torque = cross(lever, force) + moment * n;
    eq.apply(body, force, torque);
    eq.dissipated(-(dot(force, f.v_WB) + dot(torque, w)));
    eq.output("normal", "N", -eq[lambda]);
    eq.output("fx", "N", fx);
    eq.output("fy", "N", fy);
    eq.output("rho", "m", rho);
  }

 private:
  /// The part of the linear creep force that friction can carry.
  Expr saturation(Equations& eq, const Expr& fx, const Expr& fy) const {
    if (!eq.has(friction)) return 1;
    // a millionth of the friction rounds the corner of |F| at zero; a wheel that is not loaded carries next to nothing
    constexpr double round = 1e-6, least = 1e-3;
    const Expr limit = 3 * eq[friction] * max(-eq[lambda], least);
    const Expr tau = sqrt((fx * fx + fy * fy) / (limit * limit) + round * round);
    return symbolic::select(symbolic::less(tau, 1), 1 - tau + tau * tau / 3, 1 / (3 * max(tau, 1)));
  }
};

}  // namespace coenergy::domains::multibody
