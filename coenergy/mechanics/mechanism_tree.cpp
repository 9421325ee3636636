#include "coenergy/mechanics/mechanism_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <tuple>

#include "coenergy/mechanics/kinematics.hpp"
#include "coenergy/symbolic/algebra.hpp"

namespace coenergy::mechanics {

using equations::UnknownInfo;
using math::Quaternion;
using math::Vector3;

UnknownInfo make_coordinate_info(const MechanismDescription::Joint& joint, int k) {
  const std::size_t motion = static_cast<std::size_t>(k);
  const bool turns = joint.properties.motions[motion].kind == model::Motion::Kind::rotation;
  return {joint.name + "." + joint.properties.motions[motion].name,
          turns ? "rad" : "m",
          1,
          joint.fixed[motion] != 0,
          joint.fixed_rate[motion] != 0,
          turns,
          static_cast<int>(joint.name.size())};
}

void set_start_laws(equations::Builder& builder, const MechanismDescription::Joint& joint, int k, int coordinate) {
  const std::size_t motion = static_cast<std::size_t>(k);
  const equations::Variables::Coordinate& c = builder.variables().coordinate(coordinate);
  if (motion < joint.start_law.size()) builder.set_start(c.q, joint.start_law[motion]);
  if (motion < joint.rate_law.size()) builder.set_start(c.v, joint.rate_law[motion]);
}

void set_start_rates(equations::Builder& builder, int rotation, const model::Vec3& rates) {
  for (int i = 0; i < 3; ++i) builder.set_start(builder.variables().rotation(rotation).w[i], rates[i]);
}

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

double dot(const Vector3& a, const Vector3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

Pose node_pose(const std::vector<FlexibleParts>& parts, const FrameId& id) {
  if (id.body < 0 || parts.empty() || parts[id.body].nodes.empty()) return {};
  const FlexibleParts::Node& node = parts[id.body].nodes[id.node];
  return {node.position, node.quaternion};
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
    edge_of_.resize(n);
    s_.joint_rate.resize(m);
    s_.joint_rate_law.resize(m);
    s_.body_rate.resize(n);
    for (const MechanismDescription::Joint& joint : d.joints)
      s_.joint_start.push_back(joint.q0), s_.joint_start_rate.push_back(joint.v0);
  }

  StartState run(const MechanismTree& tree) {
    for (const MechanismTree::Edge& e : tree.edges) {
      edge_of_[e.to.body] = &e;
      if (e.joint < 0)
        free(e.to.body);
      else
        follow(e);
    }
    return std::move(s_);
  }

 private:
  void free(int b) {
    const MechanismDescription::Body& body = d_.bodies[b];
    s_.pose[b] = {body.position, math::quaternion_of_angles(body.angles)};
    s_.velocity[b] = body.velocity;
    s_.rate[b] = s_.body_rate[b] = body.angular_velocity;
    s_.body_rotation[b] = s_.pose[b].r;
  }

  void follow(const MechanismTree::Edge& e) {
    const MechanismDescription::Joint& joint = d_.joints[e.joint];
    Mover m;
    if (e.from.body >= 0) m = {s_.pose[e.from.body], s_.velocity[e.from.body], s_.rate[e.from.body]};
    m.place(node_pose(parts_, e.from));
    m.place(e.reversed ? child_placement(joint) : parent_placement(joint));
    const Pose rest =
        inverse(e.reversed ? parent_placement(joint) : child_placement(joint)) * inverse(node_pose(parts_, e.to));
    const Mover before = m;
    carry(m, e, rest);
    if (leads_anywhere(e)) {
      lead(e, before, m);
      m = before;
      carry(m, e, rest);
    }
    s_.pose[e.to.body] = m.x;
    s_.velocity[e.to.body] = m.v;
    s_.rate[e.to.body] = m.w;
    check_body(e);
  }

  void carry(Mover& m, const MechanismTree::Edge& e, const Pose& rest) {
    const int n = static_cast<int>(d_.joints[e.joint].properties.motions.size());
    for (int k = 0; k < n; ++k) move(m, e, e.reversed ? n - 1 - k : k, rest);
    m.place(rest);
  }

  /// Whether the joint begins with displacements along three perpendicular axes: then the child goes where it was put.
  bool leads_anywhere(const MechanismTree::Edge& e) const {
    const MechanismDescription::Joint& joint = d_.joints[e.joint];
    const MechanismDescription::Body& body = d_.bodies[e.to.body];
    if (e.reversed || body.flexible || body.modal || joint.axes.size() < 3) return false;
    for (int i = 0; i < 3; ++i) {
      if (joint.properties.motions[i].kind != model::Motion::Kind::translation) return false;
      for (int k = 0; k < i; ++k)
        if (std::abs(dot(joint.axes[i], joint.axes[k])) > 1e-12) return false;
    }
    return true;
  }

  /// Displacements with which the body comes to its position and velocity, where the joint itself does not give them.
  void lead(const MechanismTree::Edge& e, const Mover& before, const Mover& after) {
    const MechanismDescription::Joint& joint = d_.joints[e.joint];
    const MechanismDescription::Body& body = d_.bodies[e.to.body];
    for (int k = 0; k < 3; ++k) {
      const Vector3 axis = math::rotate(before.x.r, joint.axes[k]);
      if (body.position != Vector3{} && !joint.fixed[k])
        s_.joint_start[e.joint][k] += dot(axis, body.position + -1.0 * after.x.p);
      if (body.velocity != Vector3{} && !joint.fixed_rate[k])
        s_.joint_start_rate[e.joint][k] += dot(axis, body.velocity + -1.0 * after.v);
    }
  }

  /// What a body was given must be what its joint makes of it.
  void check_body(const MechanismTree::Edge& e) const {
    constexpr double equal = 1e-6;  // m, rad, m/s, rad/s: start values are written with fewer digits than they have
    const MechanismDescription::Body& body = d_.bodies[e.to.body];
    const auto check = [&](const char* what, const char* unit, const Vector3& given, const Vector3& found,
                           const char* instead) {
      const Vector3 gap = given + -1.0 * found;
      if (given == Vector3{} || std::sqrt(dot(gap, gap)) <= equal * (1 + std::sqrt(dot(given, given)))) return;
      throw Error(
          body.where,
          fmt::format("{}.{} = [{:g}, {:g}, {:g}] {} is not what joint {} gives it, [{:g}, {:g}, {:g}] {}; leave "
                      "it out and give {}",
                      body.name, what, given[0], given[1], given[2], unit, d_.joints[e.joint].name, found[0], found[1],
                      found[2], unit, instead));
    };
    check("position", "m", body.position, s_.pose[e.to.body].p, "the joint's start value (q0)");
    check("velocity", "m/s", body.velocity, s_.velocity[e.to.body], "the joint's start rate (qd0)");
    check("angular_velocity", "rad/s", body.angular_velocity, s_.rate[e.to.body], "the joint's start rate (qd0)");
    const Quaternion turn =
        math::multiply(math::conjugate(s_.pose[e.to.body].r), math::quaternion_of_angles(body.angles));
    if (const Vector3 gap = math::logarithm(turn); body.angles != Vector3{} && std::sqrt(dot(gap, gap)) > equal)
      throw Error(body.where,
                  fmt::format("{}.angles = [{:g}, {:g}, {:g}] rad are not those that joint {} gives it; "
                              "leave them out and give the joint's start value (q0)",
                              body.name, body.angles[0], body.angles[1], body.angles[2], d_.joints[e.joint].name));
  }

  /// The joints that carry the one of an edge.
  void freeze(const MechanismTree::Edge& e) {
    const std::string& name = d_.bodies[e.to.body].name;
    for (int b = e.from.body; b >= 0; b = edge_of_[b]->from.body) {
      const int joint = edge_of_[b]->joint;
      if (joint < 0) return;
      for (const auto* laws : {&d_.joints[joint].start_law, &d_.joints[joint].rate_law})
        for (const symbolic::Expr& law : *laws)
          if (!law.is_number()) s_.frozen.emplace_back(law, name);
    }
  }

  void move(Mover& m, const MechanismTree::Edge& e, int k, const Pose& rest) {
    const MechanismDescription::Joint& joint = d_.joints[e.joint];
    const Vector3 axis = (e.reversed ? -1.0 : 1.0) * joint.axes[k];
    switch (joint.properties.motions[k].kind) {
      case model::Motion::Kind::rotation:
        return m.turn(math::exponential(s_.joint_start[e.joint][k] * axis), s_.joint_start_rate[e.joint][k] * axis);
      case model::Motion::Kind::translation:
        return m.shift(s_.joint_start[e.joint][k] * axis, s_.joint_start_rate[e.joint][k] * axis);
      case model::Motion::Kind::spherical:
        break;
    }
    // a placed body keeps the orientation and angular velocity it was given
    const MechanismDescription::Body& body = d_.bodies[e.to.body];
    const bool spinning = body.angular_velocity != Vector3{};
    if (body.placed) {
      const Quaternion wanted = math::multiply(math::quaternion_of_angles(body.angles), math::conjugate(rest.r));
      s_.joint_rotation[e.joint] = math::multiply(math::conjugate(m.x.r), wanted);
    }
    const Quaternion r = s_.joint_rotation[e.joint];
    if (body.placed || spinning) {
      freeze(e);
      const Vector3 own = math::rotate(math::conjugate(r), m.w);
      s_.joint_rate[e.joint] = math::rotate(rest.r, body.angular_velocity) + -1.0 * own;
      const math::Matrix3 R = math::rotation_matrix(rest.r);
      for (int i = 0; i < 3; ++i) {
        symbolic::Expr& law = s_.joint_rate_law[e.joint][i] = -own[i];
        for (int k = 0; k < 3; ++k) law += R[i][k] * body.properties.angular_velocity[k];
      }
    }
    m.turn(r, s_.joint_rate[e.joint]);
  }

  const MechanismDescription& d_;
  const std::vector<FlexibleParts>& parts_;
  std::vector<const MechanismTree::Edge*> edge_of_;  // by body
  StartState s_;
};

}  // namespace

void mark_frozen(equations::Builder& builder, const StartState& start) {
  for (const auto& [law, body] : start.frozen)
    for (const symbolic::Expr& s : symbolic::free_symbols(std::span(&law, 1)))
      builder.mark_built_in(builder.variables().address(s).index, "the start of " + body);
}

Mechanism::Counts count_parts(const MechanismDescription& d, const MechanismTree& tree) {
  Mechanism::Counts counts;
  counts.bodies = static_cast<int>(d.bodies.size());
  counts.joints = static_cast<int>(d.joints.size());
  counts.loops = static_cast<int>(tree.cuts.size());
  for (const MechanismDescription::Joint& joint : d.joints) ++counts.joints_leaving[degrees_of_freedom(joint)];
  for (const MechanismDescription::Body& body : d.bodies)
    counts.is_rigid = counts.is_rigid && !body.flexible && !body.modal;
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

void check_torque(const MechanismDescription::Body& body, const symbolic::Vec3& torque) {
  if (body.is_point && !is_zero(torque))
    throw Error(body.where, body.name +
                                " is a point mass, which has no inertia, and a torque or a force beside its "
                                "origin acts on it; give it an inertia");
}

Pose parent_placement(const MechanismDescription::Joint& joint) {
  return {joint.parent_position, math::quaternion_of_angles(joint.parent_angles)};
}
Pose child_placement(const MechanismDescription::Joint& joint) {
  return {joint.child_position, math::quaternion_of_angles(joint.child_angles)};
}

std::vector<double> compute_cut_start(const MechanismDescription& d, int j, const StartState& s,
                                      const std::vector<FlexibleParts>& parts) {
  constexpr double full_turn = 2 * std::numbers::pi;
  const MechanismDescription::Joint& joint = d.joints[j];
  std::vector<double> start = joint.q0;
  if (start.size() != 1 || joint.fixed[0]) return start;
  const auto pose = [&](const FrameId& id) { return id.body < 0 ? Pose{} : s.pose[id.body] * node_pose(parts, id); };
  const Pose gap = inverse(pose(joint.parent) * parent_placement(joint)) * pose(joint.child) * child_placement(joint);
  if (joint.properties.motions[0].kind == model::Motion::Kind::translation) start[0] = dot(joint.axes[0], gap.p);
  if (joint.properties.motions[0].kind == model::Motion::Kind::rotation) {
    const double half = std::atan2(dot(joint.axes[0], {gap.r[1], gap.r[2], gap.r[3]}), gap.r[0]);
    start[0] = std::remainder(2 * half - start[0], full_turn) + start[0];
  }
  return start;
}

StartState compute_start(const MechanismDescription& d, const MechanismTree& tree,
                         const std::vector<FlexibleParts>& parts) {
  return StartComputation(d, parts).run(tree);
}

}  // namespace coenergy::mechanics
