#pragma once
#include "coenergy/domains/multibody/joint_sides.hpp"

namespace coenergy::domains::multibody {

/// Motion in the x-y plane of the joint frame: displacements q1, q2 along x and y of the parent's joint frame, then a
/// turn q3 about z. Other planes: parent_angles and child_angles.
struct Planar {
  JointSides sides;
  MotionStart x, y, turn;

  void describe(Description& d) {
    d.name("multibody.Planar", "motion in the x-y plane of the joint frame: q1 along x, q2 along y, q3 about z");
    sides.describe(d);
    x.describe(d, "q1", Motion::Kind::translation);
    y.describe(d, "q2", Motion::Kind::translation);
    turn.describe(d, "q3", Motion::Kind::rotation);
  }
  Joint joint(Equations& eq) const {
    return sides.make(
        eq, {x.make(Motion::Kind::translation, {{1, 0, 0}}, "q1"), y.make(Motion::Kind::translation, {{0, 1, 0}}, "q2"),
             turn.make(Motion::Kind::rotation, {{0, 0, 1}}, "q3")});
  }
};

}  // namespace coenergy::domains::multibody
