#pragma once
#include "coenergy/domains/multibody/joint_sides.hpp"

namespace coenergy::domains::multibody {

/// Weld: the two joint frames coincide.
struct Fixed {
  JointSides sides;

  void describe(Description& d) {
    d.name("multibody.Fixed", "weld: the child is fixed to the parent");
    sides.describe(d);
  }
  Joint joint(Equations& eq) const { return sides.make(eq, {}); }
};

}  // namespace coenergy::domains::multibody
