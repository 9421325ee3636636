#pragma once
#include "coenergy/domains/multibody/words.hpp"

namespace coenergy::domains::multibody {

/// Bushing: six springs and dampers between a point of body a and a point of body b, along and about the axes of a.
///
///   r = R_WAᵀ (p_b − p_a),   R = R_WAᵀ R_WB,   s = ½ vee(R − Rᵀ)          s ≈ the small angles about x, y, z (rad)
///   F = k r + d ṙ,           ṡ = J ω,   J = ½ (tr R − R),   T = Jᵀ (k_θ s + d_θ ṡ)
///
/// a takes F at the point of b and T, b takes −F and −T, in axes of a; ω is the angular velocity of b against a. Holds the
/// energy ½ Σ k r² + ½ Σ k_θ s², and so to any angle below 90°; relaxed where both points and both frames coincide.
struct Bushing {
  Frame a, b;
  Vector a_at, b_at, stiffness, damping, turning_stiffness, turning_damping;

  void describe(Description& d) {
    d.name("multibody.Bushing", "six springs and dampers between two bodies, along and about the axes of a");
    d.port(a, "a", "one body (or ground), whose axes count");
    d.port(b, "b", "other body (or ground)");
    d.parameter(a_at, "a_at", "m", "point in body a").fallback("[0, 0, 0]");
    d.parameter(b_at, "b_at", "m", "point in body b").fallback("[0, 0, 0]");
    d.parameter(stiffness, "stiffness", "N/m", "along x, y, z").not_negative();
    d.parameter(damping, "damping", "N.s/m", "along x, y, z").not_negative().fallback("[0, 0, 0]");
    d.parameter(turning_stiffness, "turning_stiffness", "N.m/rad", "about x, y, z")
        .not_negative()
        .fallback("[0, 0, 0]");
    d.parameter(turning_damping, "turning_damping", "N.m.s/rad", "about x, y, z").not_negative().fallback("[0, 0, 0]");
    for (const char* axis : {"x", "y", "z"}) {
      const std::string x = axis;
      d.output("r" + x, "m", "displacement of the point of b along " + x);
      d.output("s" + x, "rad", "turn of b about " + x + ", by its sine");
      d.output("f" + x, "N", "force that pulls the points together, along " + x);
      d.output("t" + x, "N.m", "torque that turns b back, about " + x);
    }
  }

  void equations(Equations& eq) const {
    const FrameMotion fa = eq.frame(a), fb = eq.frame(b);
    const PointMotion pa = make_point(fa, eq[a_at]), pb = make_point(fb, eq[b_at]);
    const Mat3 to_a = transpose(fa.R_WB), R = to_a * fb.R_WB;
    const Vec3 r = to_a * (pb.p - pa.p), w = R * fb.w_WB_B - fa.w_WB_B;
    // seen from a, which turns
    const Vec3 rate = to_a * (pb.v - pa.v) - cross(fa.w_WB_B, r);
    const Vec3 s{{(R(2, 1) - R(1, 2)) / 2, (R(0, 2) - R(2, 0)) / 2, (R(1, 0) - R(0, 1)) / 2}};
    Mat3 J = Mat3::diagonal(0, 0, 0);
    const Expr trace = R(0, 0) + R(1, 1) + R(2, 2);
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) J(i, k) = ((i == k ? trace : Expr(0)) - R(i, k)) / 2;
    const Vec3 turning = J * w;

    Vec3 force, moment;
    Expr stored = 0, lost = 0;
    const Vec3 k = eq[stiffness], d = eq[damping], k_s = eq[turning_stiffness], d_s = eq[turning_damping];
    for (int i = 0; i < 3; ++i) {
      force[i] = k[i] * r[i] + d[i] * rate[i];
      moment[i] = k_s[i] * s[i] + d_s[i] * turning[i];
      stored += (k[i] * r[i] * r[i] + k_s[i] * s[i] * s[i]) / 2;
      lost += d[i] * rate[i] * rate[i] + d_s[i] * turning[i] * turning[i];
    }
    const Vec3 torque = transpose(J) * moment, F = fa.R_WB * force, T = fa.R_WB * torque;
    eq.apply(a, F, cross(pb.p - fa.p_WB, F) + T);
    eq.apply(b, Expr(-1) * F, Expr(-1) * (cross(pb.lever, F) + T));
    eq.stored(stored);
    eq.dissipated(lost);
    for (int i = 0; i < 3; ++i) {
      const std::string x(1, "xyz"[i]);
      eq.output("r" + x, "m", r[i]);
      eq.output("s" + x, "rad", s[i]);
      eq.output("f" + x, "N", force[i]);
      eq.output("t" + x, "N.m", torque[i]);
    }
  }

  std::vector<Shape> drawing(Equations& eq) const { return {make_line(eq, "spring", a, a_at, b, b_at)}; }
};

}  // namespace coenergy::domains::multibody
