#pragma once
#include "coenergy/domains/multibody/words.hpp"

namespace coenergy::domains::multibody {

/// The uniform field all bodies are in: acceleration g (m/s²), world axes.
struct Gravity {
  Vector g;

  void describe(Description& d) {
    d.name("multibody.Gravity", "uniform gravity field of all bodies");
    d.parameter(g, "g", "m/s2", "acceleration, world axes").fallback("[0, 0, -9.81]");
  }
  Vec3 gravity(Equations& eq) const { return eq[g]; }
};

}  // namespace coenergy::domains::multibody
