#pragma once
#include "coenergy/domains/multibody/joint_sides.hpp"

namespace coenergy::domains::multibody {

/// Ball joint: one point in common, three rotations free. The orientation is a unit quaternion, so that no position is
/// singular. A start orientation is given by the child body's `angles`. Signals (relative coordinates) p0 … p3, wx wy
/// wz.
struct Spherical {
  JointSides sides;

  void describe(Description& d) {
    d.name("multibody.Spherical", "ball joint: the child turns freely about a point of the parent");
    sides.describe(d);
  }
  Joint joint(Equations& eq) const { return sides.make(eq, {make_spherical()}); }
};

}  // namespace coenergy::domains::multibody
