#pragma once
#include "coenergy/domains/multibody/words.hpp"

namespace coenergy::domains::multibody {

/// A thin disk that rolls without slipping on the plane z = height of the world.
///
///   e: spin axis,  n = (ẑ − e_z e)/√(1 − e_z²): from the contact to the centre c
///   Φ = c_z − r √(1 − e_z²) − height = 0,    (v_c + ω × (−r n))_x,y = 0 (non-holonomic)
///
/// The disk must stay on the plane: a run in which it would lift off (fz < 0) ends there. The axis must not be
/// vertical.
struct RollingDisk {
  Frame body;
  Vector at, axis;
  Parameter radius, height;
  Multiplier normal, along_x, along_y;

  void describe(Description& d) {
    d.name("multibody.RollingDisk", "thin disk of a body that rolls without slipping on a horizontal plane");
    d.port(body, "body", "the body that carries the disk");
    d.parameter(at, "at", "m", "centre of the disk in the body").fallback("[0, 0, 0]");
    d.parameter(axis, "axis", "", "spin axis in the body: x, y, z or a vector").fallback("y");
    d.parameter(radius, "radius", "m", "of the disk").positive();
    d.parameter(height, "height", "m", "of the plane").fallback("0");
    d.variable(normal, "lambda", "N", "multiplier of the height");
    d.variable(along_x, "lambda_x", "N", "multiplier of rolling along x");
    d.variable(along_y, "lambda_y", "N", "multiplier of rolling along y");
    d.output("fx", "N", "friction force of the ground on the disk, along x");
    d.output("fy", "N", "friction force of the ground on the disk, along y");
    d.output("fz", "N", "normal force of the ground on the disk");
  }

  void equations(Equations& eq) const {
    const FrameMotion f = eq.frame(body);
    const PointMotion c = make_point(f, eq[at]);
    const Vec3 given = eq[axis], e = f.R_WB * ((1 / sqrt(dot(given, given))) * given);
    const Expr upright = sqrt(1 - e[2] * e[2]), r = eq[radius];
    const Vec3 n = (1 / upright) * (Vec3{{0, 0, 1}} - e[2] * e);
    const Vec3 slip = c.v - r * cross(f.R_WB * f.w_WB_B, n);
    eq.constraint(normal, c.p[2] - r * upright - eq[height]);
    eq.velocity_constraint(along_x, slip[0]);
    eq.velocity_constraint(along_y, slip[1]);
    eq.output("fx", "N", -eq[along_x]);
    eq.output("fy", "N", -eq[along_y]);
    eq.output("fz", "N", -eq[normal]);
    constexpr double nothing = 1e-6;  // N
    eq.require(
        "contact", eq[normal] - nothing,
        "the disk lifts off the plane, which would have to pull it down (fz < 0); RollingDisk does not describe a "
        "disk in the air: press it on the plane, or end the run before");
  }
};

}  // namespace coenergy::domains::multibody
