#pragma once
#include "coenergy/domains/multibody/free_turn.hpp"

namespace coenergy::domains::multibody {

/// Ball joint: one point in common, three rotations free. The orientation is a unit quaternion, so that no position is
/// singular, or a chain of three turns (FreeTurn). A quaternion's start orientation is given by the child body's
/// `angles`. Signals (relative coordinates) p0 … p3, wx wy wz; of a chain q1 q2 q3.
struct Spherical {
  JointSides sides;
  FreeTurn turn;

  void describe(Description& d) {
    d.name("multibody.Spherical", "ball joint: the child turns freely about a point of the parent");
    sides.describe(d);
    turn.describe(d, 1);
  }
  Joint joint(Equations& eq) const { return sides.make(eq, turn.make(eq, 1)); }
};

}  // namespace coenergy::domains::multibody
