#include "coenergy/mechanics/scene.hpp"

#include "coenergy/math/rotation.hpp"

namespace coenergy::mechanics {

namespace {

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
  if (result.kind != model::Motion::Kind::spherical)
    result.axis = math::rotate(math::quaternion_of_angles(joint.child_angles), joint.axes.front());
  return result;
}

}  // namespace coenergy::mechanics
