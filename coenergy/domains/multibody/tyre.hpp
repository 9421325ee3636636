#pragma once
#include "coenergy/domains/multibody/words.hpp"

namespace coenergy::domains::multibody {

/// Tyre of a wheel on the plane z = height of the world, with traction by slip:
///
///   N = max(k δ + d δ̇, 0) while δ = r − (distance of the centre from the plane along the wheel) > 0
///   s = (r Ω − v)/v₀,   s_y = −v_side/v₀,   v₀ = max(|v|, |r Ω|, v_ε)         slip along the wheel and across it
///   F = N μ tanh(|s|/s₀) s/|s|,   s = (s, s_y)                                one slip, so that |F| ≤ μ N
///
/// Ω = ω·e − spin rate about the axis e, v forward velocity of the centre; rolling is v = r Ω. The forward direction is
/// e × ẑ, so that a wheel with its axis along y and Ω > 0 drives along x. The height may vary: δ̇ has its rate ḣ then,
/// and the road supplies N ḣ. Dissipates what slip and damping take.
struct Tyre {
  Frame body;
  Vector at, axis;
  Parameter radius, stiffness, damping, mu, slip, v_eps, height;

  void describe(Description& d) {
    d.name("multibody.Tyre", "tyre on a horizontal plane: elastic normal force, traction mu*tanh(slip/s0)");
    d.port(body, "body", "the wheel");
    d.parameter(at, "at", "m", "centre of the wheel in the body").fallback("[0, 0, 0]");
    d.parameter(axis, "axis", "", "spin axis in the body").fallback("y");
    d.parameter(radius, "radius", "m", "of the unloaded tyre").positive();
    d.parameter(stiffness, "stiffness", "N/m", "radial").positive();
    d.parameter(damping, "damping", "N.s/m", "radial").not_negative().fallback("0");
    d.parameter(mu, "mu", "", "friction coefficient").not_negative();
    d.parameter(slip, "s0", "", "slip at which friction is nearly full").positive().fallback("0.05");
    d.parameter(v_eps, "v_eps", "m/s", "smallest reference velocity of slip").positive().fallback("0.1 m/s");
    d.parameter(height, "height", "m", "of the plane: a road, as a function of time or of a position")
        .varying()
        .fallback("0");
    d.output("s", "", "longitudinal slip");
    d.output("fx", "N", "force along the wheel");
    d.output("fy", "N", "force across the wheel");
    d.output("fz", "N", "normal force");
  }

  void equations(Equations& eq) const {
    const FrameMotion f = eq.frame(body);
    const PointMotion c = make_point(f, eq[at]);
    const Vec3 given = eq[axis], e = f.R_WB * ((1 / sqrt(dot(given, given))) * given), up{{0, 0, 1}};
    const Expr upright = sqrt(1 - e[2] * e[2]), r = eq[radius];
    const Vec3 ahead = (1 / upright) * cross(e, up), n = (1 / upright) * (up - e[2] * e);
    const Expr h = eq[height], road = eq.time_derivative(h);
    const Expr depth = r * upright - (c.p[2] - h), rate = road - c.v[2];
    const Expr load = select(less(0, depth), max(eq[stiffness] * depth + eq[damping] * rate, 0), 0);
    const Expr spin = dot(e, f.R_WB * f.w_WB_B), v = dot(ahead, c.v), side = dot(cross(up, ahead), c.v);
    const Expr reference = max(max(abs(v), abs(r * spin)), eq[v_eps]), s = (r * spin - v) / reference;
    // tanh(x)/x with x = |slip|/s₀, regular where the tyre rolls
    const Expr s_y = -side / reference, square = (s * s + s_y * s_y) / (eq[slip] * eq[slip]);
    const Expr rolls = less(square, 1e-4), x = sqrt(select(rolls, 1, square));
    const Expr part = select(rolls, 1 - square / 3 + 2 * square * square / 15, tanh(x) / x);
    const Expr drive = load * eq[mu] * part * s / eq[slip], across = load * eq[mu] * part * s_y / eq[slip];
    const Vec3 force = drive * ahead + across * cross(up, ahead) + load * up;
    const Vec3 lever = c.lever - r * n;
    eq.apply(body, force, cross(lever, force));
    // power taken from the body, less what the elastic part keeps
    const Vec3 w = f.R_WB * f.w_WB_B;
    const Expr power = dot(force, f.v_WB) + dot(cross(lever, force), w);
    const Expr spring = select(less(0, depth), eq[stiffness] * depth * depth / 2, 0);
    eq.stored(spring);
    eq.supplied(load * road);
    eq.dissipated(load * road - power - eq.time_derivative(spring));
    eq.output("s", "", s);
    eq.output("fx", "N", drive);
    eq.output("fy", "N", across);
    eq.output("fz", "N", load);
  }
};

}  // namespace coenergy::domains::multibody
