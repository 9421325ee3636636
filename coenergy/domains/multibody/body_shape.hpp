#pragma once
#include "coenergy/domains/multibody/words.hpp"

namespace coenergy::domains::multibody {

/// What a body looks like in pictures: entries shape.box, shape.cylinder, shape.sphere and
/// shape.mesh (a file) with shape.at and shape.angles.
struct BodyShape {
  List box, cylinder, sphere, scale, at, angles;
  Choice mesh, color;

  void describe(Description& d);
  bool given(Equations& eq) const { return eq.has(box) || eq.has(cylinder) || eq.has(sphere) || !eq[mesh].empty(); }
  std::vector<Shape> make(Equations& eq) const;
};

}  // namespace coenergy::domains::multibody
