#include <algorithm>

#include "coenergy/mechanics/absolute_elements.hpp"
#include "coenergy/mechanics/kinematics.hpp"
#include "coenergy/mechanics/mechanism_signals.hpp"
#include "coenergy/mechanics/mechanism_tree.hpp"
#include "coenergy/mechanics/modal_motion.hpp"

namespace coenergy::mechanics {

using equations::Binding;
using equations::Builder;
using equations::RowKind;
using equations::SignalKind;
using equations::UnknownInfo;
using equations::Variables;
using model::FrameMotion;
using model::Motion;
using symbolic::Expr;
using symbolic::Mat3;
using symbolic::Vec3;

namespace {

/// What a cut through a flexible body carries, in axes of its section.
struct CutSignal {
  const char *name, *unit;
};
constexpr CutSignal cut_signals[] = {{"N", "N"}, {"Qy", "N"}, {"Qz", "N"}, {"Mx", "N.m"}, {"My", "N.m"}, {"Mz", "N.m"}};

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
  using Node = Builder::NodeUnknowns;
  /// Whether assembly keeps the start pose of a body, or finds it from the joints.
  struct Holding {
    bool fixed, place_follows, turn_follows;
  };

  Holding holding(int body, const MechanismTree& tree) const;
  void add_nodes(int body, const StartState& start, const Holding& holding);
  void set_start_of_body(int body, const Holding& holding);
  Node add_node(const std::string& name, const Pose& pose, const math::Vector3& v, const math::Vector3& w,
                const Holding& holding);
  void add_joint(int joint, const StartState& start, bool closes_loop);
  Binding bind_part(int body, const FlexibleParts::Part& part) const;
  void write_flexible(int body);
  void write_cuts(int body);
  void add_modal(int body);
  void write_modal(int body);
  void write_reaction(int joint);
  void add_binding(const FrameId& id, Binding& binding) const;
  std::string node_name(int body, int node) const;
  void declare_signals();
  FrameSymbols frame_symbols(const FrameId& id);

  Builder& builder_;
  MechanismDescription d_;
  ElementCatalog catalog_;
  std::vector<FlexibleParts> parts_;  ///< of each body; without nodes for a rigid one
  std::vector<std::vector<Node>> nodes_;
  std::vector<std::vector<int>> coordinates_, multipliers_;
  std::vector<std::vector<int>> eta_;  ///< coordinates of the shapes of each body
  Counts counts_;
  std::vector<Polyline> polylines_;
};

AbsoluteMechanism::AbsoluteMechanism(Builder& builder, MechanismDescription description)
    : builder_(builder),
      d_(std::move(description)),
      catalog_(builder),
      nodes_(d_.bodies.size()),
      eta_(d_.bodies.size()) {
  for (const MechanismDescription::Body& body : d_.bodies) {
    parts_.emplace_back(
        builder.graph(),
        [this, &body, count = 0](double value) mutable {
          const int k = builder_.add_parameter(
              {body.name + ".value" + std::to_string(count++), "", equations::ParameterInfo::Kind::other}, value);
          return builder_.variables().parameter(k);
        },
        [this](const Expr& parameter) {
          return builder_.parameter_value(builder_.variables().address(parameter).index);
        });
    if (body.flexible) body.flexible(parts_.back());
    if (!body.modal) continue;
    parts_.back().add_node({}, {1, 0, 0, 0}, 1);
    for (const model::ModalBody::Place& place : body.modal->frames) {
      const FlexibleParts::Node at = start_pose(*body.modal, place);
      parts_.back().add_frame(place.name, parts_.back().add_node(at.position, at.quaternion, 1));
    }
  }
  const MechanismTree tree = make_tree(d_);
  counts_ = count_parts(d_, tree);
  const StartState start = compute_start(d_, tree, parts_);
  mark_frozen(builder_, start);
  for (int b = 0; b < static_cast<int>(d_.bodies.size()); ++b) add_nodes(b, start, holding(b, tree));
  for (int b = 0; b < static_cast<int>(d_.bodies.size()); ++b)
    if (d_.bodies[b].modal) add_modal(b);
  std::vector<char> closes_loop(d_.joints.size(), 0);
  for (int j : tree.cuts) closes_loop[j] = 1;
  for (std::size_t j = 0; j < d_.joints.size(); ++j) add_joint(static_cast<int>(j), start, closes_loop[j] != 0);
  declare_signals();
}

void AbsoluteMechanism::declare_signals() {
  for (std::size_t k = 0; k < d_.bodies.size(); ++k) {
    const int b = static_cast<int>(k);
    const std::string& body = d_.bodies[k].name;
    declare_frame_signals(builder_, body, body, [this, b] { return frame_symbols({b, 0}); });
    for (const auto& [name, node] : parts_[k].frames)
      declare_frame_signals(builder_, body, body + "." + name, [this, b, node = node] {
        return frame_symbols({b, node});
      });
    for (const FlexibleParts::Cut& cut : parts_[k].cuts)
      for (const CutSignal& signal : cut_signals)
        builder_.declare_signal({body + "." + cut.name + "." + signal.name, signal.unit, SignalKind::output,
                                 model::Domain::frame, static_cast<int>(body.size())});
    if (d_.bodies[k].modal) declare_modal_signals(builder_, d_.bodies[k], eta_[k]);
    for (std::size_t n = 0; n < parts_[k].nodes.size() && !d_.bodies[k].modal; ++n)
      for (int i = 0; i < 3; ++i)
        builder_.declare_signal({node_name(b, static_cast<int>(n)) + "." + "xyz"[i], "m", SignalKind::pose,
                                 model::Domain::frame, static_cast<int>(body.size())},
                                [this, x = nodes_[k][n].x[i]] { return builder_.variables().coordinate(x).q; });
  }
  for (std::size_t j = 0; j < d_.joints.size(); ++j) {
    const MechanismDescription::Joint& joint = d_.joints[j];
    for (std::size_t k = 0; k < coordinates_[j].size(); ++k)
      if (coordinates_[j][k] >= 0)
        declare_joint_signals(builder_, joint.name, joint.properties.motions[k], [this, q = coordinates_[j][k]] {
          const Variables::Coordinate& c = builder_.variables().coordinate(q);
          return LinkAngle{c.q, c.v, c.a};
        });
    if (joint.properties.reaction) declare_reaction_signals(builder_, joint.name);
  }
}

FrameSymbols AbsoluteMechanism::frame_symbols(const FrameId& id) {
  return {frame(id), builder_.variables().rotation(nodes_[id.body][id.node].rotation).p};
}

// ---- unknowns

std::string AbsoluteMechanism::node_name(int body, int node) const {
  const std::string& name = d_.bodies[body].name;
  if (const auto& modal = d_.bodies[body].modal) return node == 0 ? name : name + "." + modal->frames[node - 1].name;
  return parts_[body].nodes.empty() ? name : name + ".n" + std::to_string(node);
}

AbsoluteMechanism::Node AbsoluteMechanism::add_node(const std::string& name, const Pose& pose, const math::Vector3& v,
                                                    const math::Vector3& w, const Holding& holding) {
  Node node;
  const char* axis[] = {"x", "y", "z"};
  for (int i = 0; i < 3; ++i) {
    node.x[i] = builder_.add_coordinate({name + "." + axis[i], "m", 1, holding.fixed, false, false,
                                         static_cast<int>(name.size()), holding.place_follows},
                                        pose.p[i], v[i]);
    builder_.set_balance(builder_.variables().coordinate(node.x[i]).q, name, RowKind::force_balance, axis[i]);
  }
  node.rotation =
      builder_.add_rotation({name, "rad", 1, holding.fixed, false, false, 0, holding.turn_follows}, pose.r, w);
  counts_.coordinates += 6;
  return node;
}

/// Only a body that no joint touches keeps the pose it was given. One that hangs on a joint goes where the joint's
/// coordinates take it; where the joint turns freely, its own rotation holds the start value.
AbsoluteMechanism::Holding AbsoluteMechanism::holding(int b, const MechanismTree& tree) const {
  bool jointed = false;
  for (const MechanismDescription::Joint& j : d_.joints) jointed = jointed || j.parent.body == b || j.child.body == b;
  const auto edge = std::find_if(tree.edges.begin(), tree.edges.end(), [b](const auto& e) { return e.to.body == b; });
  if (edge->joint < 0) return {d_.bodies[b].placed && !jointed, false, false};
  const std::vector<Motion>& motions = d_.joints[edge->joint].properties.motions;
  const bool turns_freely =
      std::any_of(motions.begin(), motions.end(), [](const Motion& m) { return m.kind == Motion::Kind::spherical; });
  return {false, true, !turns_freely};
}

/// What a body was given itself follows its parameters; what joints make of it is found by assembly.
void AbsoluteMechanism::set_start_of_body(int b, const Holding& holding) {
  const model::RigidBody& given = d_.bodies[b].properties;
  const Node& node = nodes_[b].front();
  const bool spins = d_.bodies[b].placed || d_.bodies[b].angular_velocity != math::Vector3{};
  if (!holding.place_follows || (!holding.turn_follows && spins))
    set_start_rates(builder_, node.rotation, given.angular_velocity);
  if (holding.place_follows) return;
  for (int i = 0; i < 3; ++i) {
    const Variables::Coordinate& c = builder_.variables().coordinate(node.x[i]);
    builder_.set_start(c.q, given.position[i]);
    builder_.set_start(c.v, given.velocity[i]);
  }
}

void AbsoluteMechanism::add_nodes(int b, const StartState& start, const Holding& holding) {
  const Pose& body = start.pose[b];
  if (parts_[b].nodes.empty()) {
    nodes_[b].push_back(add_node(d_.bodies[b].name, body, start.velocity[b], start.rate[b], holding));
    set_start_of_body(b, holding);
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
        add_node(node_name(b, static_cast<int>(k)), pose, v, math::rotate(math::conjugate(pose.r), w), holding));
    const math::Vector3 place = math::rotate(body.r, n.place);
    for (int i = 0; i < 3; ++i)
      if (place[i] != 0)
        builder_.set_start(builder_.variables().coordinate(nodes_[b].back().x[i]).q, body.p[i] + place[i] * n.size);
  }
  if (!d_.bodies[b].modal) builder_.add_flexible_body(nodes_[b]);
}

/// Coordinates of the shapes, and each frame held where they take it by six constraints:
///   x_F − x − R r(η) = 0,   2 vec((p ⊗ p(η))* ⊗ p_F) = 0
void AbsoluteMechanism::add_modal(int b) {
  const MechanismDescription::Body& body = d_.bodies[b];
  eta_[b] = add_modal_coordinates(builder_, body);
  counts_.coordinates += body.modal->modes;
  const char* rows[] = {"position x", "position y", "position z", "rotation x", "rotation y", "rotation z"};
  for (std::size_t n = 0; n < body.modal->frames.size(); ++n) {
    const model::ModalBody::Place& place = body.modal->frames[n];
    Binding at;
    add_binding({b, 0}, at);
    add_binding({b, static_cast<int>(n) + 1}, at);
    at.coordinates.insert(at.coordinates.end(), eta_[b].begin(), eta_[b].end());
    const std::string name = body.name + "." + place.name;
    for (int i = 0; i < 6; ++i) {
      UnknownInfo info{name + ".lambda" + std::to_string(i + 1), i < 3 ? "N" : "N.m"};
      info.owner_size = static_cast<int>(name.size());
      at.multipliers.push_back(builder_.add_multiplier(std::move(info)));
      builder_.set_row_name(builder_.variables().multiplier(at.multipliers.back()), name + " " + rows[i]);
    }
    counts_.constraints += 6;
    catalog_.add("frame " + name, at, {}, [&](ElementEquations& e) {
      std::vector<Expr> q;
      for (std::size_t k = 6; k < e.coordinates.size(); ++k) q.push_back(e.coordinates[k].q);
      const ModalPose pose = modal_pose(*e.graph, place.name, place, q);
      const Mat3 R = rotation_of_quaternion(e.rotations[0].p);
      const Vec3 point = R * pose.p;
      for (int i = 0; i < 3; ++i) e.constraint[i] = e.coordinates[3 + i].q - e.coordinates[i].q - point[i];
      const SymbolicQuaternion gap = multiply(conjugate(multiply(e.rotations[0].p, pose.turn)), e.rotations[1].p);
      for (int i = 0; i < 3; ++i) e.constraint[3 + i] = 2 * gap[i + 1];
    });
  }
}

void AbsoluteMechanism::write_modal(int b) {
  const MechanismDescription::Body& body = d_.bodies[b];
  Binding at;
  add_binding({b, 0}, at);
  at.coordinates.insert(at.coordinates.end(), eta_[b].begin(), eta_[b].end());
  const std::vector<Expr> gravity(d_.gravity.e.begin(), d_.gravity.e.end());
  catalog_.add("modal " + body.name, at, gravity, [&](ElementEquations& e) {
    const Variables::Rotation& r = e.rotations[0];
    const Mat3 R = rotation_of_quaternion(r.p);
    Vec3 x, v, a;
    const Vec3 g{{e.parameters[0], e.parameters[1], e.parameters[2]}};
    for (int i = 0; i < 3; ++i) x[i] = e.coordinates[i].q, v[i] = e.coordinates[i].v, a[i] = e.coordinates[i].a - g[i];
    ModalMotion motion{symbolic::let(*e.graph, "free", transpose_times(R, a)), transpose_times(R, v), r.w, r.alpha};
    for (std::size_t k = 3; k < e.coordinates.size(); ++k) {
      motion.q.push_back(e.coordinates[k].q), motion.rate.push_back(e.coordinates[k].v);
      motion.acceleration.push_back(e.coordinates[k].a);
    }
    const ModalLoads loads = write_modal_body(*e.graph, *body.modal, motion);
    const Vec3 force = R * loads.force;
    for (int i = 0; i < 3; ++i) e.balance[i] = force[i];
    for (std::size_t k = 0; k < loads.shapes.size(); ++k) e.balance[3 + k] = loads.shapes[k];
    e.torque[0] = loads.torque;
    e.stored = loads.stored - dot(g, body.modal->mass * x + R * loads.moment);
    e.dissipated = loads.dissipated;
  });
  define_modal_signals(builder_, body, eta_[b], frame({b, 0}));
  for (Polyline& line : make_modal_lines(body)) polylines_.push_back(std::move(line));
}

void AbsoluteMechanism::add_binding(const FrameId& id, Binding& binding) const {
  if (id.body < 0) return;
  const Node& node = nodes_[id.body][id.node];
  binding.coordinates.insert(binding.coordinates.end(), node.x.begin(), node.x.end());
  binding.rotations.push_back(node.rotation);
}

void AbsoluteMechanism::add_joint(int j, const StartState& start, bool closes_loop) {
  const MechanismDescription::Joint& joint = d_.joints[j];
  const model::Joint& p = joint.properties;
  JointElement::Shape shape{joint.parent.body < 0, joint.child.body < 0, p.motions};
  Binding at;
  add_binding(joint.parent, at);
  add_binding(joint.child, at);

  // the joint's own coordinates; those of one that closes a loop follow from the others
  const std::vector<double> q0 = closes_loop ? compute_cut_start(d_, j, start, parts_) : start.joint_start[j];
  coordinates_.emplace_back();
  for (std::size_t k = 0; k < p.motions.size(); ++k) {
    if (p.motions[k].kind == Motion::Kind::spherical) {
      if (k + 1 < p.motions.size())
        throw Error(joint.where, joint.name + ": order its motions so that the spherical one is the last");
      coordinates_.back().push_back(-1);
      continue;
    }
    for (int i = 0; i < 3; ++i) shape.motions[k].axis[i] = joint.axes[k][i];
    UnknownInfo info = make_coordinate_info(joint, static_cast<int>(k));
    info.follows = closes_loop && joint.fixed[k] == 0;
    const int q = builder_.add_coordinate(info, q0[k], start.joint_start_rate[j][k]);
    builder_.set_balance(builder_.variables().coordinate(q).q, info.name,
                         info.turns ? RowKind::torque_balance : RowKind::force_balance);
    set_start_laws(builder_, joint, static_cast<int>(k), q);
    at.coordinates.push_back(q);
    coordinates_.back().push_back(q);
    ++counts_.coordinates;
  }
  const char* rows[] = {"position x", "position y", "position z", "rotation x", "rotation y", "rotation z"};
  for (int i = 0; i < shape.rows(); ++i) {
    UnknownInfo info{joint.name + ".lambda" + std::to_string(i + 1), i < 3 ? "N" : "N.m"};
    info.owner_size = static_cast<int>(joint.name.size());
    at.multipliers.push_back(builder_.add_multiplier(std::move(info)));
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
  check_torque(d_.bodies[id.body], torque_W);
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

namespace {

/// Lets a part state its equations over these variables; the last three parameters are gravity.
model::FlexibleBody::Element make_element(symbolic::Graph& graph, const std::vector<Variables::Coordinate>& coordinates,
                                          const std::vector<Variables::Rotation>& rotations,
                                          const std::vector<Expr>& parameters, const FlexibleParts::Part& part) {
  model::FlexibleBody::Element element;
  element.graph = &graph;
  for (std::size_t k = 0; k < rotations.size(); ++k) {
    model::FlexibleBody::ElementNode n;
    for (int i = 0; i < 3; ++i) {
      const Variables::Coordinate& c = coordinates[3 * k + i];
      n.x[i] = c.q, n.xd[i] = c.v, n.xdd[i] = c.a;
    }
    n.p = rotations[k].p, n.w = rotations[k].w, n.alpha = rotations[k].alpha;
    element.nodes.push_back(n);
  }
  element.parameters.assign(parameters.begin(), parameters.end() - 3);
  for (int i = 0; i < 3; ++i) element.gravity[i] = *(parameters.end() - 3 + i);
  part.make(element);
  return element;
}

}  // namespace

Binding AbsoluteMechanism::bind_part(int b, const FlexibleParts::Part& part) const {
  Binding at;
  for (int node : part.nodes) add_binding({b, node}, at);
  return at;
}

void AbsoluteMechanism::write_cuts(int b) {
  for (const FlexibleParts::Cut& cut : parts_[b].cuts) {
    const FlexibleParts::Part& part = parts_[b].elements[cut.element];
    const Binding at = bind_part(b, part);
    std::vector<Variables::Coordinate> coordinates;
    std::vector<Variables::Rotation> rotations;
    for (int k : at.coordinates) coordinates.push_back(builder_.variables().coordinate(k));
    for (int k : at.rotations) rotations.push_back(builder_.variables().rotation(k));
    std::vector<Expr> parameters = part.parameters;
    parameters.insert(parameters.end(), d_.gravity.e.begin(), d_.gravity.e.end());
    const model::FlexibleBody::Element element =
        make_element(builder_.graph(), coordinates, rotations, parameters, part);
    const model::FlexibleBody::ElementNode& node = element.nodes[cut.node];
    const Vec3 force = transpose_times(rotation_of_quaternion(node.p), node.force);
    for (int i = 0; i < 6; ++i)
      builder_.define_signal(d_.bodies[b].name + "." + cut.name + "." + cut_signals[i].name,
                             Expr(cut.sign) * (i < 3 ? force[i] : node.torque[i - 3]));
  }
}

void AbsoluteMechanism::write_flexible(int b) {
  const FlexibleParts& parts = parts_[b];
  for (const FlexibleParts::Part& part : parts.elements) {
    std::vector<Expr> parameters = part.parameters;
    parameters.insert(parameters.end(), d_.gravity.e.begin(), d_.gravity.e.end());
    catalog_.add("flexible " + part.key, bind_part(b, part), parameters, [&](ElementEquations& e) {
      const model::FlexibleBody::Element element =
          make_element(*e.graph, e.coordinates, e.rotations, e.parameters, part);
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
  define_reaction_signals(builder_, joint.name, force, torque);
}

void AbsoluteMechanism::finish() {
  const Variables& v = builder_.variables();
  for (std::size_t k = 0; k < d_.bodies.size(); ++k) {
    const int b = static_cast<int>(k);
    const std::string& name = d_.bodies[k].name;
    define_frame_signals(builder_, name, frame_symbols({b, 0}));
    if (parts_[k].nodes.empty()) {
      Binding at;
      add_binding({b, 0}, at);
      catalog_.add("body", at, rigid_body_parameters(d_.bodies[k].properties, d_.gravity), write_rigid_body);
      continue;
    }
    if (d_.bodies[k].modal)
      write_modal(b);
    else
      write_flexible(b);
    write_cuts(b);
    for (const auto& [frame_name, node] : parts_[k].frames)
      define_frame_signals(builder_, name + "." + frame_name, frame_symbols({b, node}));
    for (std::size_t n = 0; n < nodes_[k].size() && !d_.bodies[k].modal; ++n)
      for (int i = 0; i < 3; ++i)
        builder_.define_signal(node_name(b, static_cast<int>(n)) + "." + "xyz"[i], v.coordinate(nodes_[k][n].x[i]).q);
  }
  for (std::size_t j = 0; j < d_.joints.size(); ++j) {
    if (d_.joints[j].properties.reaction) write_reaction(static_cast<int>(j));
    for (std::size_t k = 0; k < coordinates_[j].size(); ++k) {
      if (coordinates_[j][k] < 0) continue;
      const Variables::Coordinate& c = v.coordinate(coordinates_[j][k]);
      define_joint_signals(builder_, d_.joints[j].name, d_.joints[j].properties.motions[k], {c.q, c.v, c.a});
    }
  }
}

}  // namespace

std::unique_ptr<Mechanism> make_absolute_mechanism(Builder& builder, MechanismDescription description) {
  return std::make_unique<AbsoluteMechanism>(builder, std::move(description));
}

}  // namespace coenergy::mechanics
