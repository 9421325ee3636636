#pragma once
#include "coenergy/domains/multibody/joint_sides.hpp"

namespace coenergy::domains::multibody {

/// A rod in a sleeve: turns by q1 about an axis and slides by q2 along it.
struct Cylindrical {
  JointSides sides;
  Vector axis;
  MotionStart turn, slide;

  void describe(Description& d) {
    d.name("multibody.Cylindrical", "rod in a sleeve: rotation q1 about and translation q2 along one axis");
    sides.describe(d);
    d.parameter(axis, "axis", "", "direction: x, y, z, -x, -y, -z or a vector")
        .structural("a direction, whose zeros decide on the equations")
        .fallback("z");
    turn.describe(d, "q1", Motion::Kind::rotation);
    slide.describe(d, "q2", Motion::Kind::translation);
  }
  Joint joint(Equations& eq) const {
    return sides.make(
        eq, {turn.make(Motion::Kind::rotation, eq[axis], "q1"), slide.make(Motion::Kind::translation, eq[axis], "q2")});
  }
};

}  // namespace coenergy::domains::multibody
