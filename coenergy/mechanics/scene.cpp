#include "coenergy/mechanics/scene.hpp"

#include <cmath>

namespace coenergy::mechanics {

namespace {

/// R v with R = Rz Ry Rx of the angles.
std::array<double, 3> turned(const std::array<double, 3>& angles, std::array<double, 3> v) {
  for (int axis = 0; axis < 3; ++axis) {
    const int j = (axis + 1) % 3, k = (axis + 2) % 3;
    const double c = std::cos(angles[axis]), s = std::sin(angles[axis]), y = v[j], z = v[k];
    v[j] = c * y - s * z, v[k] = s * y + c * z;
  }
  return v;
}

std::string name_of(const std::string& body) { return body == "ground" || body == "world" ? "" : body; }

}  // namespace

SceneJoint make_scene_joint(const MechanismDescription::Joint& joint, const std::string& parent,
                            const std::string& child) {
  SceneJoint result{joint.name,
                    model::Motion::Kind::spherical,
                    {name_of(parent), joint.parent_position},
                    {name_of(child), joint.child_position},
                    {}};
  if (joint.properties.motions.empty()) return result;
  result.kind = joint.properties.motions.front().kind;
  if (result.kind != model::Motion::Kind::spherical) result.axis = turned(joint.child_angles, joint.axes.front());
  return result;
}

}  // namespace coenergy::mechanics
