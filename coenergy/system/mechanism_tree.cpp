#include "coenergy/system/mechanism_tree.hpp"

#include <algorithm>
#include <tuple>

#include "coenergy/system/kinematics.hpp"

namespace coenergy::system {

using math::Quaternion;
using math::Vector3;

namespace {

int degrees_of_freedom(const MechanismDescription::Joint& joint) {
  int n = 0;
  for (const model::Motion& m : joint.properties.motions) n += m.kind == model::Motion::Kind::spherical ? 3 : 1;
  return n;
}

/// Prim's algorithm; the weight of a joint is its number of degrees of freedom.
class TreeMaker {
 public:
  explicit TreeMaker(const MechanismDescription& d)
      : d_(d), depth_(d.bodies.size() + 1, -1), used_(d.joints.size(), 0), joints_at_(d.bodies.size() + 1) {
    for (std::size_t j = 0; j < d.joints.size(); ++j) {
      joints_at_[slot(d.joints[j].parent)].push_back(static_cast<int>(j));
      joints_at_[slot(d.joints[j].child)].push_back(static_cast<int>(j));
    }
  }

  MechanismTree make() {
    reach(0, 0);
    grow();
    for (std::size_t b = 0; b < d_.bodies.size(); ++b) {
      if (depth_[b + 1] >= 0) continue;
      tree_.edges.push_back({-1, false, {}, {static_cast<int>(b), 0}});
      reach(static_cast<int>(b) + 1, 1);
      grow();
    }
    for (std::size_t j = 0; j < d_.joints.size(); ++j)
      if (!used_[j]) tree_.cuts.push_back(static_cast<int>(j));
    return std::move(tree_);
  }

 private:
  static int slot(const FrameId& frame) { return frame.body + 1; }

  /// Candidates: degrees of freedom, depth, joint; the smallest is taken next.
  using Candidate = std::tuple<int, int, int>;

  void reach(int body, int depth) {
    depth_[body] = depth;
    for (int j : joints_at_[body])
      if (!used_[j]) open_.emplace_back(degrees_of_freedom(d_.joints[j]), depth, j);
    std::make_heap(open_.begin(), open_.end(), std::greater<>());
  }

  void grow() {
    while (!open_.empty()) {
      std::pop_heap(open_.begin(), open_.end(), std::greater<>());
      const auto [weight, depth, j] = open_.back();
      open_.pop_back();
      const MechanismDescription::Joint& joint = d_.joints[j];
      const bool parent_known = depth_[slot(joint.parent)] >= 0, child_known = depth_[slot(joint.child)] >= 0;
      if (parent_known == child_known) continue;
      used_[j] = 1;
      const FrameId from = parent_known ? joint.parent : joint.child, to = parent_known ? joint.child : joint.parent;
      tree_.edges.push_back({j, !parent_known, from, to});
      reach(slot(to), depth_[slot(from)] + 1);
    }
  }

  const MechanismDescription& d_;
  MechanismTree tree_;
  std::vector<int> depth_;
  std::vector<char> used_;
  std::vector<std::vector<int>> joints_at_;
  std::vector<Candidate> open_;
};

Vector3 operator+(const Vector3& a, const Vector3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Vector3 operator*(double s, const Vector3& a) { return {s * a[0], s * a[1], s * a[2]}; }
Vector3 cross(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// A frame moving through the world: pose, velocity of its origin (world axes), angular velocity (own axes).
struct Mover {
  Pose x;
  Vector3 v{}, w{};

  void shift(const Vector3& d, const Vector3& rate) {
    v = v + cross(math::rotate(x.r, w), math::rotate(x.r, d)) + math::rotate(x.r, rate);
    x.p = x.p + math::rotate(x.r, d);
  }
  /// `rate` is relative, in the axes after the turn.
  void turn(const Quaternion& r, const Vector3& rate) {
    x.r = math::multiply(x.r, r);
    w = math::rotate(math::conjugate(r), w) + rate;
  }
  void place(const Pose& fixed) {
    shift(fixed.p, {});
    turn(fixed.r, {});
  }
};

/// Carries the start values outwards.
class StartComputation {
 public:
  StartComputation(const MechanismDescription& d, const std::vector<FlexibleParts>& parts) : d_(d), parts_(parts) {
    const std::size_t n = d.bodies.size(), m = d.joints.size();
    s_.pose.resize(n);
    s_.velocity.resize(n);
    s_.rate.resize(n);
    s_.joint_rotation.assign(m, {1, 0, 0, 0});
    s_.body_rotation.assign(n, {1, 0, 0, 0});
    s_.joint_rate.resize(m);
    s_.body_rate.resize(n);
  }

  StartState run(const MechanismTree& tree) {
    for (const MechanismTree::Edge& e : tree.edges) {
      if (e.joint < 0)
        free(e.to.body);
      else
        follow(e);
    }
    return std::move(s_);
  }

 private:
  Pose node_pose(const FrameId& id) const {
    if (id.body < 0 || parts_.empty() || parts_[id.body].nodes.empty()) return {};
    const FlexibleParts::Node& node = parts_[id.body].nodes[id.node];
    return {node.position, node.quaternion};
  }

  void free(int b) {
    const MechanismDescription::Body& body = d_.bodies[b];
    s_.pose[b] = {body.position, quaternion_of_angles(body.angles)};
    s_.velocity[b] = body.velocity;
    s_.rate[b] = s_.body_rate[b] = body.angular_velocity;
    s_.body_rotation[b] = s_.pose[b].r;
  }

  void follow(const MechanismTree::Edge& e) {
    const MechanismDescription::Joint& joint = d_.joints[e.joint];
    Mover m;
    if (e.from.body >= 0) m = {s_.pose[e.from.body], s_.velocity[e.from.body], s_.rate[e.from.body]};
    m.place(node_pose(e.from));
    m.place(e.reversed ? child_placement(joint) : parent_placement(joint));
    const Pose rest = inverse(e.reversed ? parent_placement(joint) : child_placement(joint)) * inverse(node_pose(e.to));
    const int n = static_cast<int>(joint.properties.motions.size());
    for (int k = 0; k < n; ++k) move(m, e, e.reversed ? n - 1 - k : k, rest);
    m.place(rest);
    s_.pose[e.to.body] = m.x;
    s_.velocity[e.to.body] = m.v;
    s_.rate[e.to.body] = m.w;
  }

  void move(Mover& m, const MechanismTree::Edge& e, int k, const Pose& rest) {
    const MechanismDescription::Joint& joint = d_.joints[e.joint];
    const Vector3 axis = (e.reversed ? -1.0 : 1.0) * joint.axes[k];
    switch (joint.properties.motions[k].kind) {
      case model::Motion::Kind::rotation:
        return m.turn(math::exponential(joint.q0[k] * axis), joint.v0[k] * axis);
      case model::Motion::Kind::translation:
        return m.shift(joint.q0[k] * axis, joint.v0[k] * axis);
      case model::Motion::Kind::spherical:
        break;
    }
    // a placed body keeps the orientation and angular velocity it was given
    const MechanismDescription::Body& body = d_.bodies[e.to.body];
    const bool spinning = body.angular_velocity != Vector3{};
    if (body.placed) {
      const Quaternion wanted = math::multiply(quaternion_of_angles(body.angles), math::conjugate(rest.r));
      s_.joint_rotation[e.joint] = math::multiply(math::conjugate(m.x.r), wanted);
    }
    const Quaternion r = s_.joint_rotation[e.joint];
    if (body.placed || spinning)
      s_.joint_rate[e.joint] =
          math::rotate(rest.r, body.angular_velocity) + -1.0 * math::rotate(math::conjugate(r), m.w);
    m.turn(r, s_.joint_rate[e.joint]);
  }

  const MechanismDescription& d_;
  const std::vector<FlexibleParts>& parts_;
  StartState s_;
};

}  // namespace

Mechanism::Counts count_parts(const MechanismDescription& d, const MechanismTree& tree) {
  Mechanism::Counts counts;
  counts.bodies = static_cast<int>(d.bodies.size());
  counts.joints = static_cast<int>(d.joints.size());
  counts.loops = static_cast<int>(tree.cuts.size());
  for (const MechanismDescription::Joint& joint : d.joints) ++counts.joints_leaving[degrees_of_freedom(joint)];
  for (const MechanismDescription::Body& body : d.bodies) counts.is_rigid = counts.is_rigid && !body.flexible;
  return counts;
}

MechanismTree make_tree(const MechanismDescription& d) {
  for (const MechanismDescription::Joint& joint : d.joints)
    if (joint.parent.body == joint.child.body && (joint.parent.body < 0 || joint.parent.node == joint.child.node))
      throw Error(joint.where, joint.name + ": parent and child are the same body, " +
                                   (joint.parent.body < 0 ? "ground" : d.bodies[joint.parent.body].name) +
                                   "; a joint needs two");
  return TreeMaker(d).make();
}

Pose operator*(const Pose& a, const Pose& b) { return {a.p + math::rotate(a.r, b.p), math::multiply(a.r, b.r)}; }

Pose inverse(const Pose& a) {
  const Quaternion r = math::conjugate(a.r);
  return {-1.0 * math::rotate(r, a.p), r};
}

Pose parent_placement(const MechanismDescription::Joint& joint) {
  return {joint.parent_position, quaternion_of_angles(joint.parent_angles)};
}
Pose child_placement(const MechanismDescription::Joint& joint) {
  return {joint.child_position, quaternion_of_angles(joint.child_angles)};
}

StartState compute_start(const MechanismDescription& d, const MechanismTree& tree,
                         const std::vector<FlexibleParts>& parts) {
  return StartComputation(d, parts).run(tree);
}

}  // namespace coenergy::system
