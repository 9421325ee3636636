#pragma once
#include "coenergy/domains/multibody/joint_sides.hpp"

namespace coenergy::domains::multibody {

/// Cardan joint: a turn q1 about axis1 of the parent, then q2 about axis2, both through one point.
struct Universal {
  JointSides sides;
  Vector axis1, axis2;
  MotionStart first, second;

  void describe(Description& d) {
    d.name("multibody.Universal", "cardan joint: two rotations about axes through one point");
    sides.describe(d);
    d.parameter(axis1, "axis1", "", "first axis, fixed to the parent").fallback("x");
    d.parameter(axis2, "axis2", "", "second axis, fixed to the child").fallback("y");
    first.describe(d, "q1", Motion::Kind::rotation);
    second.describe(d, "q2", Motion::Kind::rotation);
  }
  Joint joint(Equations& eq) const {
    check_axes(eq);
    return sides.make(eq, {first.make(Motion::Kind::rotation, eq[axis1], "q1"),
                           second.make(Motion::Kind::rotation, eq[axis2], "q2")});
  }

 private:
  void check_axes(Equations& eq) const {
    const std::vector<double> a = eq.numbers(axis1), b = eq.numbers(axis2);
    const double ab = a[0] * b[0] + a[1] * b[1] + a[2] * b[2], aa = a[0] * a[0] + a[1] * a[1] + a[2] * a[2],
                 bb = b[0] * b[0] + b[1] * b[1] + b[2] * b[2];
    if (aa > 0 && bb > 0 && ab * ab > (1 - 1e-12) * aa * bb)
      eq.refuse("axis1 and axis2 have the same direction; a cardan joint needs two");
  }
};

}  // namespace coenergy::domains::multibody
