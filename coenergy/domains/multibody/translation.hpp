#pragma once
#include <array>

#include "coenergy/domains/multibody/joint_sides.hpp"

namespace coenergy::domains::multibody {

/// The child moves along axes of the parent's joint frame and does not turn against it: q1 q2 along x and y (Planar…),
/// or q1 q2 q3 along all. For point masses and carriages: no inertia of rotation is needed.
template <int axes>
struct TranslationJoint {
  JointSides sides;
  std::array<MotionStart, axes> along;

  void describe(Description& d) {
    if constexpr (axes == 2)
      d.name("multibody.PlanarTranslation",
             "the child moves by q1, q2 along x and y of the joint frame without turning");
    else
      d.name("multibody.Translation", "the child moves by q1, q2, q3 along x, y, z of the joint frame without turning");
    sides.describe(d);
    for (int k = 0; k < axes; ++k) along[k].describe(d, name(k), Motion::Kind::translation);
  }
  Joint joint(Equations& eq) const {
    std::vector<Motion> motions;
    for (int k = 0; k < axes; ++k) {
      Vec3 axis;
      axis[k] = 1;
      motions.push_back(along[k].make(Motion::Kind::translation, axis, name(k)));
    }
    return sides.make(eq, std::move(motions));
  }

 private:
  static std::string name(int k) { return "q" + std::to_string(k + 1); }
};

using PlanarTranslation = TranslationJoint<2>;
using Translation = TranslationJoint<3>;

}  // namespace coenergy::domains::multibody
