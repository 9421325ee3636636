#pragma once
#include <array>
#include <string>
#include <vector>

#include "coenergy/mechanics/mechanism.hpp"

namespace coenergy::mechanics {

/// A point of a body whose pose is in the signals BODY.x … BODY.p3 ("" is the ground).
struct ScenePoint {
  std::string body;
  std::array<double, 3> at{};
};

/// Shapes for pictures: each fixed to a body, or through points of several.
struct SceneShape {
  std::string name, body;
  model::Shape shape;
  std::vector<ScenePoint> points = {};
};

/// Where a joint sits in its two bodies, and its first axis (of the child's axes; zero where it has none).
struct SceneJoint {
  std::string name;
  model::Motion::Kind kind;
  ScenePoint parent, child;
  std::array<double, 3> axis{};
};

/// What a picture of the model needs to know.
struct Scene {
  std::vector<SceneShape> shapes;
  std::vector<Mechanism::Polyline> polylines;
  std::vector<std::string> bodies;
  std::vector<SceneJoint> joints;
  std::array<double, 3> gravity{};  ///< acceleration; zero where there is none
};

/// `parent` and `child` name the bodies.
SceneJoint make_scene_joint(const MechanismDescription::Joint& joint, const std::string& parent,
                            const std::string& child);

}  // namespace coenergy::mechanics
