#pragma once
#include "coenergy/domains/multibody/joint_sides.hpp"

namespace coenergy::domains::multibody {

/// A point of the child stays on a line of the parent: q along the axis, and all rotations are free. The orientation is
/// a unit quaternion. Two constraints.
struct PointOnLine {
  JointSides sides;
  Vector axis;
  MotionStart slide;

  void describe(Description& d) {
    d.name("multibody.PointOnLine", "a point of the child slides along a line of the parent by q1; it turns freely");
    sides.describe(d);
    d.parameter(axis, "axis", "", "direction: x, y, z, -x, -y, -z or a vector")
        .structural("a direction, whose zeros decide on the equations")
        .fallback("z");
    slide.describe(d, "q1", Motion::Kind::translation);
  }
  Joint joint(Equations& eq) const {
    return sides.make(eq, {slide.make(Motion::Kind::translation, eq[axis], "q1"), make_spherical()});
  }
};

/// A point of the child stays in the x-y plane of the parent's joint frame: q1 along x, q2 along y, and all rotations
/// are free. One constraint.
struct PointOnPlane {
  JointSides sides;
  MotionStart x, y;

  void describe(Description& d) {
    d.name("multibody.PointOnPlane", "a point of the child moves in the x-y plane of the joint frame; it turns freely");
    sides.describe(d);
    x.describe(d, "q1", Motion::Kind::translation);
    y.describe(d, "q2", Motion::Kind::translation);
  }
  Joint joint(Equations& eq) const {
    return sides.make(eq, {x.make(Motion::Kind::translation, {{1, 0, 0}}, "q1"),
                           y.make(Motion::Kind::translation, {{0, 1, 0}}, "q2"), make_spherical()});
  }
};

}  // namespace coenergy::domains::multibody
