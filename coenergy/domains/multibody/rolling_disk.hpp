#pragma once
#include "coenergy/domains/multibody/words.hpp"
#include "coenergy/model/held_motion.hpp"

namespace coenergy::domains::multibody {

/// A thin disk that rolls without slipping on the plane z = height of the world.
///
///   e: spin axis,  n = (ẑ − e_z e)/√(1 − e_z²): from the contact to the centre c
///   Φ = c_z − r √(1 − e_z²) − height = 0,    (v_c + ω × (−r n))_x,y = 0 (non-holonomic)
///
/// The axis must not be vertical. Without `restitution` the disk must stay on the plane: a run in which it would lift off
/// (fz < 0) ends there.
///
/// With restitution e it lifts off where the plane would have to pull, and flies until it comes down again: v_z⁺ = −e v_z⁻
/// by an impulse through the whole machine, a rebound slower than `rest` stays on the plane (see Equations::contact). While
/// it is on the plane friction makes it roll, at a bounce there is none: a slip s that it lands with fades by s exp(−t/(10 ms)), which conserves the
/// angular momentum about the contact and turns the rest into heat.
struct RollingDisk {
  Frame body;
  Vector at, axis;
  Parameter radius, height, restitution, rest;

  void describe(Description& d) {
    d.name("multibody.RollingDisk", "thin disk of a body that rolls without slipping on a horizontal plane");
    d.port(body, "body", "the body that carries the disk");
    d.parameter(at, "at", "m", "centre of the disk in the body").fallback("[0, 0, 0]");
    d.parameter(axis, "axis", "", "spin axis in the body: x, y, z or a vector").fallback("y");
    d.parameter(radius, "radius", "m", "of the disk").positive();
    d.parameter(height, "height", "m", "of the plane").fallback("0");
    d.parameter(restitution, "restitution", "", "the disk may lift off: rate after over rate before it lands")
        .between(0, 1)
        .optional();
    d.parameter(rest, "rest", "m/s", "a slower rebound stays on the plane")
        .positive()
        .fallback("1e-5")
        .used_with(restitution);
    d.output("fx", "N", "friction force of the ground on the disk, along x");
    d.output("fy", "N", "friction force of the ground on the disk, along y");
    d.output("fz", "N", "normal force of the ground on the disk");
    d.output("gap", "m", "height of the disk above the plane");
  }

  void equations(Equations& eq) const {
    const FrameMotion f = eq.frame(body);
    const PointMotion c = make_point(f, eq[at]);
    const Vec3 given = eq[axis], e = f.R_WB * ((1 / sqrt(dot(given, given))) * given);
    const Expr upright = sqrt(1 - e[2] * e[2]), r = eq[radius];
    const Vec3 n = (1 / upright) * (Vec3{{0, 0, 1}} - e[2] * e);
    const Vec3 slip = c.v - r * cross(f.R_WB * f.w_WB_B, n);
    const Expr gap = c.p[2] - r * upright - eq[height];
    if (eq.has(restitution))
      roll_or_fly(eq, gap, slip, f, c.lever - r * n);
    else
      roll(eq, gap, slip);
    eq.output("gap", "m", gap);
  }

 private:
  static void roll(Equations& eq, const Expr& gap, const Vec3& slip) {
    const Multiplier normal = eq.make_multiplier("lambda", "N"), along_x = eq.make_multiplier("lambda_x", "N"),
                     along_y = eq.make_multiplier("lambda_y", "N");
    eq.constraint(normal, gap);
    eq.velocity_constraint(along_x, slip[0]);
    eq.velocity_constraint(along_y, slip[1]);
    write_forces(eq, -eq[along_x], -eq[along_y], -eq[normal]);
    constexpr double nothing = 1e-6;  // N
    eq.require(
        "contact", eq[normal] - nothing,
        "the disk lifts off the plane, which would have to pull it down (fz < 0); give it a restitution, with which it "
        "lands again, press it on the plane, or end the run before");
  }

  /// `lever` from the origin of the body to the contact.
  void roll_or_fly(Equations& eq, const Expr& gap, const Vec3& slip, const FrameMotion& f, const Vec3& lever) const {
    eq.contact("plane", "N", -gap, eq[restitution], eq[rest]);
    const Expr closed = eq.signal(eq.component() + ".plane_closed");
    Vec3 force;
    for (int k = 0; k < 2; ++k) {
      const Algebraic along = eq.make_algebraic(k == 0 ? "rolling_x" : "rolling_y", "N");
      const Expr held = model::make_held_motion(eq.time_derivative(slip[k]), slip[k], -eq[along]);
      eq.zero(along, select(closed, held, eq[along]));
      force[k] = eq[along];
    }
    eq.apply(body, force, cross(lever, force));
    const Vec3 w = f.R_WB * f.w_WB_B;
    eq.dissipated(-dot(force, f.v_WB + cross(w, lever)));
    write_forces(eq, force[0], force[1], eq.signal(eq.component() + ".plane_force"));
  }

  static void write_forces(Equations& eq, const Expr& x, const Expr& y, const Expr& z) {
    eq.output("fx", "N", x);
    eq.output("fy", "N", y);
    eq.output("fz", "N", z);
  }
};

}  // namespace coenergy::domains::multibody
