#include <algorithm>

#include "coenergy/system/absolute_elements.hpp"
#include "coenergy/system/kinematics.hpp"
#include "coenergy/system/mechanism_signals.hpp"
#include "coenergy/system/mechanism_tree.hpp"

namespace coenergy::system {

using model::FrameMotion;
using model::Motion;
using symbolic::Expr;
using symbolic::Mat3;
using symbolic::Vec3;

namespace {

class AbsoluteMechanism : public Mechanism {
 public:
  AbsoluteMechanism(Builder& builder, MechanismDescription description);

  int coordinate(int joint, int motion) const override { return coordinates_[joint][motion]; }
  FrameMotion frame(const FrameId& id) override;
  void apply(const FrameId& id, const Vec3& force_W, const Vec3& torque_W) override;
  int find_node(int body, const std::string& name) const override;
  void finish() override;
  Counts counts() const override { return counts_; }
  std::vector<Polyline> polylines() const override { return polylines_; }

 private:
  /// Unknowns of a node: a rigid body has one, a flexible body several.
  struct Node {
    std::array<int, 3> x;
    int rotation;
  };

  void add_nodes(int body, const StartState& start);
  Node add_node(const std::string& name, const Pose& pose, const math::Vector3& v, const math::Vector3& w, bool fixed);
  void add_joint(int joint);
  void write_flexible(int body);
  void write_reaction(int joint);
  void add_binding(const FrameId& id, Binding& binding) const;
  std::string node_name(int body, int node) const;

  Builder& builder_;
  MechanismDescription d_;
  ElementCatalog catalog_;
  std::vector<FlexibleParts> parts_;  ///< of each body; without nodes for a rigid one
  std::vector<std::vector<Node>> nodes_;
  std::vector<std::vector<int>> coordinates_, multipliers_;
  Counts counts_;
  std::vector<Polyline> polylines_;
};

AbsoluteMechanism::AbsoluteMechanism(Builder& builder, MechanismDescription description)
    : builder_(builder),
      d_(std::move(description)),
      catalog_(builder),
      parts_(d_.bodies.size(), FlexibleParts(builder.graph())),
      nodes_(d_.bodies.size()) {
  for (std::size_t b = 0; b < d_.bodies.size(); ++b)
    if (d_.bodies[b].flexible) d_.bodies[b].flexible(parts_[b]);
  const MechanismTree tree = make_tree(d_);
  counts_ = count_parts(d_, tree);
  const StartState start = compute_start(d_, tree, parts_);
  for (std::size_t b = 0; b < d_.bodies.size(); ++b) add_nodes(static_cast<int>(b), start);
  for (std::size_t j = 0; j < d_.joints.size(); ++j) add_joint(static_cast<int>(j));
}

// ---- unknowns

std::string AbsoluteMechanism::node_name(int body, int node) const {
  const std::string& name = d_.bodies[body].name;
  return parts_[body].nodes.empty() ? name : name + ".n" + std::to_string(node);
}

AbsoluteMechanism::Node AbsoluteMechanism::add_node(const std::string& name, const Pose& pose, const math::Vector3& v,
                                                    const math::Vector3& w, bool fixed) {
  Node node;
  const char* axis[] = {"x", "y", "z"};
  for (int i = 0; i < 3; ++i) {
    node.x[i] = builder_.add_coordinate({name + "." + axis[i], "m", 1, fixed}, pose.p[i], v[i]);
    builder_.set_row_name(builder_.variables().coordinate(node.x[i]).q, name + " force balance " + axis[i]);
  }
  node.rotation = builder_.add_rotation({name, "rad", 1, fixed}, pose.r, w);
  counts_.coordinates += 6;
  return node;
}

void AbsoluteMechanism::add_nodes(int b, const StartState& start) {
  const Pose& body = start.pose[b];
  // only a body that no joint touches keeps the pose it was given
  bool jointed = false;
  for (const MechanismDescription::Joint& j : d_.joints) jointed = jointed || j.parent.body == b || j.child.body == b;
  const bool fixed = d_.bodies[b].placed && !jointed;
  if (parts_[b].nodes.empty()) {
    nodes_[b].push_back(add_node(d_.bodies[b].name, body, start.velocity[b], start.rate[b], fixed));
    return;
  }
  const math::Vector3 w = math::rotate(body.r, start.rate[b]);
  for (std::size_t k = 0; k < parts_[b].nodes.size(); ++k) {
    const FlexibleParts::Node& n = parts_[b].nodes[k];
    const Pose pose = body * Pose{n.position, n.quaternion};
    // the flexible body starts in rigid motion: v + ω × r
    const math::Vector3 r = math::rotate(body.r, n.position);
    math::Vector3 v = start.velocity[b];
    for (int i = 0; i < 3; ++i) v[i] += w[(i + 1) % 3] * r[(i + 2) % 3] - w[(i + 2) % 3] * r[(i + 1) % 3];
    nodes_[b].push_back(
        add_node(node_name(b, static_cast<int>(k)), pose, v, math::rotate(math::conjugate(pose.r), w), fixed));
  }
}

void AbsoluteMechanism::add_binding(const FrameId& id, Binding& binding) const {
  if (id.body < 0) return;
  const Node& node = nodes_[id.body][id.node];
  binding.coordinates.insert(binding.coordinates.end(), node.x.begin(), node.x.end());
  binding.rotations.push_back(node.rotation);
}

void AbsoluteMechanism::add_joint(int j) {
  const MechanismDescription::Joint& joint = d_.joints[j];
  const model::Joint& p = joint.properties;
  JointElement::Shape shape{joint.parent.body < 0, joint.child.body < 0, p.motions};
  Binding at;
  add_binding(joint.parent, at);
  add_binding(joint.child, at);

  // the joint's own coordinates
  coordinates_.emplace_back();
  for (std::size_t k = 0; k < p.motions.size(); ++k) {
    if (p.motions[k].kind == Motion::Kind::spherical) {
      if (k + 1 < p.motions.size())
        throw Error(joint.where, joint.name + ": order its motions so that the spherical one is the last");
      coordinates_.back().push_back(-1);
      continue;
    }
    for (int i = 0; i < 3; ++i) shape.motions[k].axis[i] = joint.axes[k][i];
    const bool turns = p.motions[k].kind == Motion::Kind::rotation;
    const std::string name = joint.name + "." + p.motions[k].name;
    const int q = builder_.add_coordinate({name, turns ? "rad" : "m", 1, joint.fixed[k] != 0, joint.fixed_rate[k] != 0},
                                          joint.q0[k], joint.v0[k]);
    builder_.set_row_name(builder_.variables().coordinate(q).q, name + (turns ? " torque balance" : " force balance"));
    at.coordinates.push_back(q);
    coordinates_.back().push_back(q);
    ++counts_.coordinates;
  }
  const char* rows[] = {"position x", "position y", "position z", "rotation x", "rotation y", "rotation z"};
  for (int i = 0; i < shape.rows(); ++i) {
    at.multipliers.push_back(
        builder_.add_multiplier({joint.name + ".lambda" + std::to_string(i + 1), i < 3 ? "N" : "N.m"}));
    builder_.set_row_name(builder_.variables().multiplier(at.multipliers.back()), joint.name + " " + rows[i]);
  }
  counts_.constraints += shape.rows();
  multipliers_.push_back(at.multipliers);

  const Vec3 parent_angles = exact_angles(p.parent_angles, joint.parent_angles);
  const Vec3 child_angles = exact_angles(p.child_angles, joint.child_angles);
  std::vector<Expr> parameters;
  for (const Vec3* v : {&p.parent_position, &parent_angles, &p.child_position, &child_angles})
    parameters.insert(parameters.end(), v->e.begin(), v->e.end());
  catalog_.add(shape.key(), at, parameters, [&](ElementEquations& e) { JointElement(shape).write(e); });
}

// ---- frames and forces

FrameMotion AbsoluteMechanism::frame(const FrameId& id) {
  FrameMotion f;
  f.R_WB = Mat3::identity();
  if (id.body < 0) return f;
  const Node& node = nodes_[id.body][id.node];
  const Variables& v = builder_.variables();
  for (int i = 0; i < 3; ++i) f.p_WB[i] = v.coordinate(node.x[i]).q, f.v_WB[i] = v.coordinate(node.x[i]).v;
  f.R_WB = rotation_of_quaternion(v.rotation(node.rotation).p);
  f.w_WB_B = v.rotation(node.rotation).w;
  return f;
}

void AbsoluteMechanism::apply(const FrameId& id, const Vec3& force_W, const Vec3& torque_W) {
  if (id.body < 0) return;
  const Node& node = nodes_[id.body][id.node];
  for (int i = 0; i < 3; ++i)
    if (!force_W[i].is_zero()) builder_.add_balance(node.x[i], -force_W[i]);
  if (is_zero(torque_W)) return;
  const Mat3 R = rotation_of_quaternion(builder_.variables().rotation(node.rotation).p);
  builder_.add_rotation_balance(node.rotation, -transpose_times(R, torque_W));
}

int AbsoluteMechanism::find_node(int body, const std::string& name) const {
  for (const auto& [frame, node] : parts_[body].frames)
    if (frame == name) return node;
  return -1;
}

// ---- finish

void AbsoluteMechanism::write_flexible(int b) {
  const FlexibleParts& parts = parts_[b];
  for (const FlexibleParts::Part& part : parts.elements) {
    Binding at;
    for (int node : part.nodes) add_binding({b, node}, at);
    std::vector<Expr> parameters = part.parameters;
    parameters.insert(parameters.end(), d_.gravity.e.begin(), d_.gravity.e.end());
    catalog_.add("flexible " + part.key, at, parameters, [&](ElementEquations& e) {
      model::FlexibleBody::Element element;
      element.graph = e.graph;
      for (std::size_t k = 0; k < e.rotations.size(); ++k) {
        model::FlexibleBody::ElementNode n;
        for (int i = 0; i < 3; ++i) {
          const Variables::Coordinate& c = e.coordinates[3 * k + i];
          n.x[i] = c.q, n.xd[i] = c.v, n.xdd[i] = c.a;
        }
        n.p = e.rotations[k].p, n.w = e.rotations[k].w, n.alpha = e.rotations[k].alpha;
        element.nodes.push_back(n);
      }
      element.parameters.assign(e.parameters.begin(), e.parameters.end() - 3);
      for (int i = 0; i < 3; ++i) element.gravity[i] = *(e.parameters.end() - 3 + i);
      part.make(element);
      for (std::size_t k = 0; k < e.rotations.size(); ++k) {
        for (int i = 0; i < 3; ++i) e.balance[3 * k + i] = element.nodes[k].force[i];
        e.torque[k] = element.nodes[k].torque;
      }
      e.stored = element.stored;
      e.dissipated = element.dissipated;
    });
  }
  for (const FlexibleParts::Line& line : parts.lines) {
    Polyline polyline{d_.bodies[b].name, {}, line.radius};
    for (int node : line.nodes) polyline.nodes.push_back(node_name(b, node));
    polylines_.push_back(std::move(polyline));
  }
}

/// The constraint's forces on the child: −λ at its joint frame (see JointElement: gap of positions in world axes, and
/// of rotations as twice the vector part of a quaternion, whose scalar part is ±1 where the joint holds).
void AbsoluteMechanism::write_reaction(int j) {
  const MechanismDescription::Joint& joint = d_.joints[j];
  const model::Joint& p = joint.properties;
  const Variables& v = builder_.variables();
  auto quaternion = [&](const FrameId& id, const Vec3& angles, const std::array<double, 3>& values) {
    const FixedRotation fixed = make_fixed_rotation(builder_.graph(), exact_angles(angles, values));
    return id.body < 0 ? fixed.p : multiply(v.rotation(nodes_[id.body][id.node].rotation).p, fixed.p);
  };
  SymbolicQuaternion left = quaternion(joint.parent, p.parent_angles, joint.parent_angles);
  const SymbolicQuaternion right = quaternion(joint.child, p.child_angles, joint.child_angles);
  Vec3 force, torque;
  for (int i = 0; i < 3; ++i) force[i] = -v.multiplier(multipliers_[j][i]);
  if (multipliers_[j].size() == 6) {
    for (std::size_t k = 0; k < p.motions.size(); ++k)
      if (p.motions[k].kind == Motion::Kind::rotation)
        left = multiply(left, quaternion_about({{joint.axes[k][0], joint.axes[k][1], joint.axes[k][2]}},
                                               v.coordinate(coordinates_[j][k]).q));
    const Expr side = multiply(conjugate(left), right)[0];
    for (int i = 0; i < 3; ++i) torque[i] = -side * v.multiplier(multipliers_[j][3 + i]);
    torque = rotation_of_quaternion(right) * torque;
  }
  for (int i = 0; i < 3; ++i) {
    builder_.add_signal(joint.name + ".f" + "xyz"[i], "N", force[i]);
    builder_.add_signal(joint.name + ".t" + "xyz"[i], "N.m", torque[i]);
  }
}

void AbsoluteMechanism::finish() {
  const Variables& v = builder_.variables();
  for (std::size_t k = 0; k < d_.bodies.size(); ++k) {
    const int b = static_cast<int>(k);
    const std::string& name = d_.bodies[k].name;
    auto add_signals = [&](const std::string& of, int node) {
      add_frame_signals(builder_, of, frame({b, node}), v.rotation(nodes_[k][node].rotation).p);
    };
    add_signals(name, 0);
    if (parts_[k].nodes.empty()) {
      Binding at;
      add_binding({b, 0}, at);
      catalog_.add("body", at, rigid_body_parameters(d_.bodies[k].properties, d_.gravity), write_rigid_body);
      continue;
    }
    write_flexible(b);
    for (const auto& [frame_name, node] : parts_[k].frames) add_signals(name + "." + frame_name, node);
    for (std::size_t n = 0; n < nodes_[k].size(); ++n)
      for (int i = 0; i < 3; ++i)
        builder_.add_signal(node_name(b, static_cast<int>(n)) + "." + "xyz"[i], "m", v.coordinate(nodes_[k][n].x[i]).q);
  }
  for (std::size_t j = 0; j < d_.joints.size(); ++j) {
    if (d_.joints[j].properties.reaction) write_reaction(static_cast<int>(j));
    for (std::size_t k = 0; k < coordinates_[j].size(); ++k) {
      if (coordinates_[j][k] < 0) continue;
      const Variables::Coordinate& c = v.coordinate(coordinates_[j][k]);
      add_joint_signals(builder_, d_.joints[j].name, d_.joints[j].properties.motions[k], {c.q, c.v, c.a});
    }
  }
}

}  // namespace

std::unique_ptr<Mechanism> make_absolute_mechanism(Builder& builder, MechanismDescription description) {
  return std::make_unique<AbsoluteMechanism>(builder, std::move(description));
}

}  // namespace coenergy::system
