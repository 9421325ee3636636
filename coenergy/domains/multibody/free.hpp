#pragma once
#include "coenergy/domains/multibody/free_turn.hpp"

namespace coenergy::domains::multibody {

/// Six degrees of freedom: displacements q1 q2 q3 along x y z of the parent's joint frame, then a free rotation (unit
/// quaternion, or a chain of turns q4 q5 q6: FreeTurn). A body without any joint moves like this against the ground
/// without being told.
struct Free {
  JointSides sides;
  MotionStart x, y, z;
  FreeTurn turn;

  void describe(Description& d) {
    d.name("multibody.Free", "no constraint: the child moves freely, measured from the parent");
    sides.describe(d);
    x.describe(d, "q1", Motion::Kind::translation);
    y.describe(d, "q2", Motion::Kind::translation);
    z.describe(d, "q3", Motion::Kind::translation);
    turn.describe(d, 4);
  }
  Joint joint(Equations& eq) const {
    std::vector<Motion> motions{x.make(Motion::Kind::translation, {{1, 0, 0}}, "q1"),
                                y.make(Motion::Kind::translation, {{0, 1, 0}}, "q2"),
                                z.make(Motion::Kind::translation, {{0, 0, 1}}, "q3")};
    for (Motion& m : turn.make(eq, 4)) motions.push_back(std::move(m));
    return sides.make(eq, std::move(motions));
  }
};

}  // namespace coenergy::domains::multibody
