#pragma once
#include "coenergy/domains/multibody/body_shape.hpp"

namespace coenergy::domains::multibody {

/// Rigid body: m ẍ_c = f, J ω̇ + ω × J ω = τ about the centre of mass c.
///
/// m mass (kg) ≥ 0; com: c from the body's origin (m); inertia J about c in body axes (kg.m2), three principal values
/// or Jxx Jyy Jzz Jxy Jxz Jyz (matrix entries: Jxy = −∫ x y dm). Without inertia it is a point mass. position, angles,
/// velocity (of the origin, world axes) and angular_velocity (body axes) are start values where no joint sets them.
/// Signals x y z, p0 … p3, vx vy vz, wx wy wz (body axes).
struct Body {
  Parameter mass;
  Vector com, position, angles, velocity, angular_velocity;
  List inertia;
  BodyShape shape;

  void describe(Description& d);
  RigidBody body(Equations& eq) const;
  std::vector<Shape> drawing(Equations& eq) const;
};

}  // namespace coenergy::domains::multibody
