#pragma once
#include <vector>

#include "coenergy/math/rotation.hpp"
#include "coenergy/mechanics/flexible_parts.hpp"
#include "coenergy/mechanics/mechanism.hpp"

namespace coenergy::mechanics {

/// The spanning tree of a mechanism, from the ground outwards.
///
/// It has the fewest degrees of freedom of all spanning trees (joints with few are taken first), so that the joints
/// left over, which close loops, are those that constrain least; among equals the one nearest to the ground, then the
/// first in the model. Bodies no joint connects to the ground are freed: the first of each group gets six degrees of
/// freedom.
struct MechanismTree {
  struct Edge {
    int joint = -1;         ///< −1: a free body
    bool reversed = false;  ///< the joint's child is nearer to the ground than its parent
    FrameId from, to;
  };
  std::vector<Edge> edges;  ///< one for each body, a body after the one it hangs on
  std::vector<int> cuts;    ///< joints that close loops
};

/// The numbers of a mechanism that any formulation of it has: bodies, joints, loops.
Mechanism::Counts count_parts(const MechanismDescription& description, const MechanismTree& tree);

/// Throws Error for a joint that ties a body to itself.
MechanismTree make_tree(const MechanismDescription& description);

/// Position and orientation of a frame, in numbers.
struct Pose {
  math::Vector3 p{};
  math::Quaternion r{1, 0, 0, 0};
};
Pose operator*(const Pose& a, const Pose& b);
Pose inverse(const Pose& a);

/// Where bodies and joints start: the joints' start values carried along the tree.
struct StartState {
  std::vector<Pose> pose;               ///< X_WB of each body
  std::vector<math::Vector3> velocity;  ///< of the body's origin, world axes
  std::vector<math::Vector3> rate;      ///< angular velocity, body axes
  /// Rotation of a joint's spherical motion along the tree (by joint; the free body's own by body), and its rate.
  std::vector<math::Quaternion> joint_rotation, body_rotation;
  std::vector<math::Vector3> joint_rate, body_rate;
  /// The rate of a spherical motion as the given angular velocity of the body decides on it; zero where it does not.
  std::vector<symbolic::Vec3> joint_rate_law;
  /// Start values of joints that became numbers of a body behind them, whose pose or rate was given: with that body.
  std::vector<std::pair<symbolic::Expr, std::string>> frozen;
  /// Start values and rates of each joint's motions: those of the description, or where the body of a free joint was
  /// put.
  std::vector<std::vector<double>> joint_start, joint_start_rate;
};
/// `parts` are the nodes of flexible bodies, by body (empty for rigid ones). Throws Error where the pose or velocity
/// that a body was given is not the one that its joint's start values give it.
StartState compute_start(const MechanismDescription& description, const MechanismTree& tree,
                         const std::vector<FlexibleParts>& parts = {});

/// Tells of what is frozen that no other value may be set.
void mark_frozen(equations::Builder& builder, const StartState& start);

/// Start values of the motions of a joint that closes a loop, from the poses of its bodies: for a single rotation the
/// angle nearest to the given start, for a single translation the distance; otherwise the given starts.
std::vector<double> compute_cut_start(const MechanismDescription& description, int joint, const StartState& start,
                                      const std::vector<FlexibleParts>& parts = {});

/// Throws Error where a torque acts on a body that cannot turn.
void check_torque(const MechanismDescription::Body& body, const symbolic::Vec3& torque);

/// X of the joint frames in their bodies.
Pose parent_placement(const MechanismDescription::Joint& joint);
Pose child_placement(const MechanismDescription::Joint& joint);

}  // namespace coenergy::mechanics
