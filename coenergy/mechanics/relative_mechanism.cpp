#include <algorithm>
#include <map>

#include "coenergy/mechanics/kinematics.hpp"
#include "coenergy/mechanics/lagrange_balances.hpp"
#include "coenergy/mechanics/link_tree.hpp"
#include "coenergy/mechanics/loop_closure.hpp"
#include "coenergy/mechanics/mass_solver.hpp"
#include "coenergy/mechanics/mechanism_model.hpp"
#include "coenergy/mechanics/mechanism_signals.hpp"
#include "coenergy/mechanics/mechanism_tree.hpp"
#include "coenergy/mechanics/modal_motion.hpp"

namespace coenergy::mechanics {

using equations::Builder;
using equations::RowKind;
using equations::UnknownInfo;
using equations::Variables;
using model::FrameMotion;
using model::Motion;
using symbolic::Expr;
using symbolic::Mat3;
using symbolic::Vec3;

namespace {

/// Where the rows of the coordinates come from. `forces`: what acts on the bodies alone, without inertia and gravity.
enum class Derivation { newton_euler, lagrange, forces };

class RelativeMechanism : public Mechanism {
 public:
  RelativeMechanism(Builder& builder, MechanismDescription description, Derivation derivation);

  int coordinate(int joint, int motion) const override;
  FrameMotion frame(const FrameId& id) override;
  void apply(const FrameId& id, const Vec3& force_W, const Vec3& torque_W) override;
  int find_node(int body, const std::string& name) const override { return find_modal_frame(d_.bodies[body], name); }
  void finish() override;
  Counts counts() const override { return counts_; }
  std::vector<Polyline> polylines() const override;

 private:
  /// Where a frame of a body sits: its link (same axes) and its origin in it.
  struct Spot {
    int link = 0;
    Vec3 p_LB;
    Vec3 force_W, torque_W;  ///< applied at the frame's origin
  };
  /// The frame of a body; of a modal one also those that it carries, and its coordinates.
  struct Body : Spot {
    int entry = 0;  ///< the link that the body hangs by
    std::vector<Spot> frames;
    std::vector<int> eta;
  };
  Spot spot(const FrameId& id) const {
    if (id.body < 0) return {};
    return id.node == 0 ? bodies_[id.body] : bodies_[id.body].frames[id.node - 1];
  }

  void add_joint(const MechanismTree::Edge& edge);
  void settle_body(const FrameId& entry, const Spot& spot);
  ModalPose frame_pose(int body, int node);
  void write_modal(int body);
  void add_free_body(int body);
  /// A side of a joint: placement in its body.
  struct Side {
    Vec3 position;
    FixedRotation rotation;
  };
  Side side(const MechanismDescription::Joint& joint, bool parent) const;
  Link make_link(const MechanismDescription::Joint& joint, int motion, bool reversed);
  const std::vector<int>& cut_coordinates(int joint) const;
  ChainPose cut_side(int joint, bool parent, int ancestor);

  void write_inertia(int body);
  void write_loads(int body);
  void write_load(const std::string& name, const Spot& spot);
  void write_lagrange();
  void write_energy(int body);
  void declare_signals();
  FrameSymbols frame_symbols(const FrameId& id);
  void write_joint_signals(int joint);
  void close_loop(int joint);
  void load_links(int joint, const LoopClosure& closure, int ancestor);
  void write_reactions();
  Vec3 joint_point(const FrameId& id, const Vec3& position);
  void add_reaction(int joint, const Vec3& force_W, const Vec3& torque_W);
  bool is_plain_tree() const;
  void give_tree(std::size_t component_balances);

  Builder& builder_;
  MechanismDescription d_;
  Derivation derivation_;
  MechanismTree tree_;
  StartState start_;
  LinkTree links_;
  std::vector<Body> bodies_;
  std::vector<char> is_cut_;
  std::vector<std::vector<int>> rotations_;            ///< of each joint's spherical motions
  mutable std::vector<std::vector<int>> coordinates_;  ///< of each joint's motions; a cut joint gets them when asked
  mutable std::vector<std::vector<double>> cut_start_;
  std::map<int, LinkAngle> free_angle_;  ///< angle of a planar cut joint without coordinate
  bool wants_reactions_ = false;
  std::vector<LinkTree::Load>
      loop_loads_;  ///< of the links, by the joints that close loops; where reactions are wanted
  Counts counts_;
};

RelativeMechanism::RelativeMechanism(Builder& builder, MechanismDescription description, Derivation derivation)
    : builder_(builder),
      d_(std::move(description)),
      derivation_(derivation),
      tree_(make_tree(d_)),
      start_(compute_start(d_, tree_)),
      links_(builder, d_.gravity),
      bodies_(d_.bodies.size()),
      is_cut_(d_.joints.size(), 0),
      rotations_(d_.joints.size()),
      coordinates_(d_.joints.size()),
      cut_start_(d_.joints.size()),
      counts_(count_parts(d_, tree_)) {
  for (const MechanismDescription::Body& body : d_.bodies)
    if (body.flexible)
      throw Error(
          body.where,
          body.name + " is flexible; relative coordinates hold rigid bodies only: use the absolute formulation");
  for (const MechanismDescription::Joint& joint : d_.joints)
    wants_reactions_ = wants_reactions_ || (joint.properties.reaction && derivation == Derivation::newton_euler);
  for (std::size_t b = 0; b < d_.bodies.size(); ++b)
    if (d_.bodies[b].modal) bodies_[b].eta = add_modal_coordinates(builder_, d_.bodies[b]);
  for (const MechanismTree::Edge& edge : tree_.edges) {
    if (edge.joint < 0)
      add_free_body(edge.to.body);
    else
      add_joint(edge);
  }
  for (int j : tree_.cuts) {
    is_cut_[j] = 1;
    cut_start_[j] = compute_cut_start(d_, j, start_);
  }
  mark_frozen(builder_, start_);
  declare_signals();
}

void RelativeMechanism::declare_signals() {
  for (std::size_t k = 0; k < d_.bodies.size(); ++k) {
    const int b = static_cast<int>(k);
    const std::string& name = d_.bodies[k].name;
    declare_frame_signals(builder_, name, name, [this, b] { return frame_symbols({b, 0}); });
    if (!d_.bodies[k].modal) continue;
    declare_modal_signals(builder_, d_.bodies[k], bodies_[k].eta);
    for (std::size_t n = 0; n < bodies_[k].frames.size(); ++n)
      declare_frame_signals(builder_, name, name + "." + d_.bodies[k].modal->frames[n].name, [this, b, n] {
        return frame_symbols({b, static_cast<int>(n) + 1});
      });
  }
  for (std::size_t j = 0; j < d_.joints.size(); ++j) {
    const MechanismDescription::Joint& joint = d_.joints[j];
    for (std::size_t k = 0; k < joint.properties.motions.size(); ++k) {
      if (joint.properties.motions[k].kind == Motion::Kind::spherical) continue;
      declare_joint_signals(builder_, joint.name, joint.properties.motions[k], [this, j, k] {
        const auto& c = builder_.variables().coordinate(coordinate(static_cast<int>(j), static_cast<int>(k)));
        return LinkAngle{c.q, c.v, c.a};
      });
    }
    for (int r : rotations_[j]) declare_rotation_signals(builder_, joint.name, r);
    if (joint.properties.reaction)
      declare_reaction_signals(builder_, joint.name,
                               derivation_ == Derivation::lagrange
                                   ? "Lagrange's equations do not show reactions; use formulation: auto"
                                   : "");
  }
}

// ---- the tree

RelativeMechanism::Side RelativeMechanism::side(const MechanismDescription::Joint& joint, bool parent) const {
  const model::Joint& p = joint.properties;
  return parent ? Side{p.parent_position,
                       make_fixed_rotation(builder_.graph(), exact_angles(p.parent_angles, joint.parent_angles))}
                : Side{p.child_position,
                       make_fixed_rotation(builder_.graph(), exact_angles(p.child_angles, joint.child_angles))};
}

Link RelativeMechanism::make_link(const MechanismDescription::Joint& joint, int k, bool reversed) {
  const Motion& motion = joint.properties.motions[k];
  const int j = static_cast<int>(&joint - d_.joints.data());
  Link link;
  link.name = joint.name + (joint.properties.motions.size() > 1 ? "." + motion.name : "");
  if (motion.kind == Motion::Kind::spherical) {
    link.kind = Link::Kind::spherical;
    link.rotation =
        builder_.add_rotation({joint.name, "rad", 1, false}, start_.joint_rotation[j], start_.joint_rate[j]);
    set_start_rates(builder_, link.rotation, start_.joint_rate_law[j]);
    rotations_[j].push_back(link.rotation);
    return link;
  }
  const bool turns = motion.kind == Motion::Kind::rotation;
  link.kind = turns ? Link::Kind::rotation : Link::Kind::translation;
  link.axis = reversed ? -motion.axis : motion.axis;
  link.start = start_.joint_start[j][k];
  link.coordinate = builder_.add_coordinate(make_coordinate_info(joint, static_cast<int>(k)), start_.joint_start[j][k],
                                            start_.joint_start_rate[j][k]);
  builder_.set_balance(builder_.variables().coordinate(link.coordinate).q, link.name,
                       turns ? RowKind::torque_balance : RowKind::force_balance);
  coordinates_[j][k] = link.coordinate;
  set_start_laws(builder_, joint, static_cast<int>(k), link.coordinate);
  return link;
}

void RelativeMechanism::add_joint(const MechanismTree::Edge& edge) {
  const MechanismDescription::Joint& joint = d_.joints[edge.joint];
  const Side from = side(joint, !edge.reversed), to = side(joint, edge.reversed);
  const int n = static_cast<int>(joint.properties.motions.size());
  coordinates_[edge.joint].assign(n, -1);
  const Spot before = spot(edge.from);
  int last = before.link;
  const Vec3 d = from.position + before.p_LB;

  // one link for each elementary motion; the last one has the axes of the body and its origin in the joint
  for (int i = 0; i < n; ++i) {
    Link link = make_link(joint, edge.reversed ? n - 1 - i : i, edge.reversed);
    link.parent = last;
    if (i == 0) link.d = d, link.A = from.rotation;
    if (i == n - 1) link.B = inverse(to.rotation);
    last = links_.add(std::move(link));
  }
  if (n > 0) return settle_body(edge.to, {last, -to.position, {}, {}});
  Link weld{.name = joint.name, .kind = Link::Kind::fixed, .parent = last};
  weld.A = from.rotation;
  weld.B = inverse(to.rotation);
  weld.d = d - weld.A.R * (weld.B.R * to.position);
  settle_body(edge.to, {links_.add(std::move(weld)), {}, {}, {}});
}

ModalPose RelativeMechanism::frame_pose(int b, int node) {
  std::vector<Expr> q;
  for (int k : bodies_[b].eta) q.push_back(builder_.variables().coordinate(k).q);
  const model::ModalBody::Place& place = d_.bodies[b].modal->frames[node - 1];
  return modal_pose(builder_.graph(), d_.bodies[b].name + "." + place.name, place, q);
}

/// The body hangs by one of its frames, which sits at the spot; of a modal one all others follow by its shapes.
void RelativeMechanism::settle_body(const FrameId& entry, const Spot& spot) {
  Body& body = bodies_[entry.body];
  body.entry = spot.link;
  static_cast<Spot&>(body) = spot;
  if (!d_.bodies[entry.body].modal) return;
  const std::string& name = d_.bodies[entry.body].name;
  const auto add_link = [&](const std::string& of, int parent, const Vec3& d, const SymbolicQuaternion& p) {
    return links_.add(
        Link{.name = of, .kind = Link::Kind::bending, .parent = parent, .d = d, .p = p, .shapes = body.eta});
  };
  if (entry.node > 0) {
    // from the frame that holds it to its own
    const ModalPose pose = frame_pose(entry.body, entry.node);
    const SymbolicQuaternion back = conjugate(pose.turn);
    static_cast<Spot&>(body) = {
        add_link(name + ".frame", spot.link, spot.p_LB - rotation_of_quaternion(back) * pose.p, back), {}, {}, {}};
  }
  for (std::size_t n = 1; n <= d_.bodies[entry.body].modal->frames.size(); ++n) {
    const int node = static_cast<int>(n);
    if (node == entry.node) {
      body.frames.push_back(spot);
      continue;
    }
    const ModalPose pose = frame_pose(entry.body, node);
    const std::string of = name + "." + d_.bodies[entry.body].modal->frames[n - 1].name;
    body.frames.push_back({add_link(of, body.link, body.p_LB + pose.p, pose.turn), {}, {}, {}});
  }
}

void RelativeMechanism::add_free_body(int b) {
  const MechanismDescription::Body& body = d_.bodies[b];
  int last = 0;
  const char* axis[] = {"x", "y", "z"};
  for (int i = 0; i < 3; ++i) {
    const std::string name = body.name + "." + axis[i];
    Link link{.name = name, .kind = Link::Kind::translation, .parent = last};
    link.axis[i] = 1;
    link.coordinate =
        builder_.add_coordinate({name, "m", 1, body.placed, false, false, static_cast<int>(body.name.size())},
                                body.position[i], body.velocity[i]);
    builder_.set_balance(builder_.variables().coordinate(link.coordinate).q, body.name, RowKind::force_balance,
                         axis[i]);
    const Variables::Coordinate& c = builder_.variables().coordinate(link.coordinate);
    builder_.set_start(c.q, body.properties.position[i]);
    builder_.set_start(c.v, body.properties.velocity[i]);
    last = links_.add(std::move(link));
  }
  Link turn{.name = body.name, .kind = Link::Kind::spherical, .parent = last};
  turn.rotation =
      builder_.add_rotation({body.name, "rad", 1, body.placed}, start_.body_rotation[b], start_.body_rate[b]);
  set_start_rates(builder_, turn.rotation, body.properties.angular_velocity);
  settle_body({b, 0}, {links_.add(std::move(turn)), {}, {}, {}});
}

// ---- cut joints

const std::vector<int>& RelativeMechanism::cut_coordinates(int j) const {
  std::vector<int>& coordinates = coordinates_[j];
  const MechanismDescription::Joint& joint = d_.joints[j];
  if (!coordinates.empty() || joint.properties.motions.empty()) return coordinates;
  const std::vector<double>& start = cut_start_[j];
  for (std::size_t k = 0; k < joint.properties.motions.size(); ++k) {
    const Motion& motion = joint.properties.motions[k];
    if (motion.kind == Motion::Kind::spherical) {
      coordinates.push_back(-1);
      continue;
    }
    UnknownInfo info = make_coordinate_info(joint, static_cast<int>(k));
    info.follows = joint.fixed[k] == 0;
    coordinates.push_back(builder_.add_coordinate(info, start[k], joint.v0[k]));
    builder_.set_balance(builder_.variables().coordinate(coordinates.back()).q, info.name,
                         info.turns ? RowKind::torque_balance : RowKind::force_balance);
  }
  return coordinates;
}

int RelativeMechanism::coordinate(int joint, int motion) const {
  return is_cut_[joint] ? cut_coordinates(joint)[motion] : coordinates_[joint][motion];
}

ChainPose RelativeMechanism::cut_side(int j, bool parent, int ancestor) {
  const MechanismDescription::Joint& joint = d_.joints[j];
  const FrameId& id = parent ? joint.parent : joint.child;
  const Spot body = spot(id);
  const Side placement = side(joint, parent);
  ChainPose pose = links_.pose(ancestor, body.link, joint.name + (parent ? ".parent" : ".child"));
  pose.shift(body.p_LB + placement.position);
  pose.turn(placement.rotation);
  return pose;
}

void RelativeMechanism::close_loop(int j) {
  const MechanismDescription::Joint& joint = d_.joints[j];
  const int ancestor = links_.common_ancestor(spot(joint.parent).link, spot(joint.child).link);
  LoopClosure closure(builder_, joint, cut_side(j, true, ancestor), cut_side(j, false, ancestor));
  const bool spare = coordinates_[j].empty() && closure.is_planar_revolute();
  if (spare) {
    const Expr q = closure.angle(cut_start_[j][0]);
    const Expr rate = builder_.variables().time_derivative(q);
    free_angle_[j] = {q, rate, builder_.variables().time_derivative(rate)};
  } else {
    cut_coordinates(j);
  }
  closure.write(coordinates_[j], cut_start_[j]);
  if (wants_reactions_) load_links(j, closure, ancestor);
  counts_.constraints += closure.rows();
  counts_.dropped.insert(counts_.dropped.end(), closure.dropped().begin(), closure.dropped().end());
}

// ---- reactions

/// A point of a body (or the ground) in world axes.
Vec3 RelativeMechanism::joint_point(const FrameId& id, const Vec3& position) {
  if (id.body < 0) return position;
  ChainPose pose = links_.world(spot(id).link);
  pose.shift(spot(id).p_LB + position);
  return pose.p();
}

/// The forces of a joint that closes a loop are loads of both its bodies; the joint's own reaction follows at once.
void RelativeMechanism::load_links(int j, const LoopClosure& closure, int ancestor) {
  const MechanismDescription::Joint& joint = d_.joints[j];
  const Mat3 R = links_.world(ancestor).R();
  const Vec3 force = symbolic::let(builder_.graph(), joint.name + ".f", R * closure.force()),
             torque = symbolic::let(builder_.graph(), joint.name + ".t", R * closure.torque());
  const Vec3 at = joint_point(joint.child, side(joint, false).position);
  for (const auto& [id, sign] : {std::pair(joint.child, -1), std::pair(joint.parent, 1)}) {
    if (id.body < 0) continue;
    const int i = spot(id).link;
    const Mat3 R_link = links_.world(i).R();
    const Vec3 f = transpose_times(R_link, force), arm = transpose_times(R_link, at - links_.world(i).p());
    loop_loads_[i].force += sign * f;
    loop_loads_[i].torque += sign * (transpose_times(R_link, torque) + cross(arm, f));
  }
  if (joint.properties.reaction) add_reaction(j, force, torque);
}

/// A joint of the tree carries what its outer body and all that hangs on it need (Sass 2004, §2.3: the components of
/// F and L that the projection on the joint's axis leaves out).
void RelativeMechanism::write_reactions() {
  links_.carry(loop_loads_);
  for (const MechanismTree::Edge& edge : tree_.edges) {
    if (edge.joint < 0 || !d_.joints[edge.joint].properties.reaction) continue;
    const MechanismDescription::Joint& joint = d_.joints[edge.joint];
    const int i = bodies_[edge.to.body].entry;
    const LinkTree::Load own = links_.load(i);
    const Mat3 R = links_.world(i).R();
    const Vec3 force = R * (own.force + loop_loads_[i].force), torque = R * (own.torque + loop_loads_[i].torque);
    // about the joint frame of the child
    const Vec3 arm = links_.world(i).p() - joint_point(joint.child, side(joint, false).position);
    const Vec3 about_joint = torque + cross(arm, force);
    const Expr sign = edge.reversed ? -1 : 1;
    add_reaction(edge.joint, sign * force, sign * about_joint);
  }
}

void RelativeMechanism::add_reaction(int j, const Vec3& force_W, const Vec3& torque_W) {
  define_reaction_signals(builder_, d_.joints[j].name, force_W, torque_W);
}

// ---- frames and forces

FrameMotion RelativeMechanism::frame(const FrameId& id) {
  FrameMotion f;
  f.R_WB = Mat3::identity();
  if (id.body < 0) return f;
  const Spot body = spot(id);
  const std::string& own = d_.bodies[id.body].name;
  const std::string name = id.node == 0 ? own : own + "." + d_.bodies[id.body].modal->frames[id.node - 1].name;
  ChainPose pose = links_.world(body.link);
  pose.rename(name);
  pose.shift(body.p_LB);
  f.R_WB = pose.R();
  f.p_WB = pose.p();
  const Vec3& w = links_.w(body.link);
  f.v_WB = symbolic::let(builder_.graph(), name + ".v", f.R_WB * (links_.velocity(body.link) + cross(w, body.p_LB)));
  f.w_WB_B = w;
  return f;
}

void RelativeMechanism::apply(const FrameId& id, const Vec3& force_W, const Vec3& torque_W) {
  if (id.body < 0) return;
  check_torque(d_.bodies[id.body], torque_W);
  Body& body = bodies_[id.body];
  Spot& at = id.node == 0 ? static_cast<Spot&>(body) : body.frames[id.node - 1];
  at.force_W += force_W;
  at.torque_W += torque_W;
}

/// W = m (α + β c) at the centre of mass c, and Euler's torque.
void RelativeMechanism::write_inertia(int b) {
  if (d_.bodies[b].modal) return write_modal(b);
  const Body& body = bodies_[b];
  const model::RigidBody& p = d_.bodies[b].properties;
  const int i = body.link;
  const Vec3 c = body.p_LB + p.com;
  const Vec3 inertia =
      symbolic::let(builder_.graph(), d_.bodies[b].name + ".W", p.mass * (links_.acceleration(i) + links_.beta(i) * c));
  links_.add_load(i, inertia, cross(c, inertia) + euler_torque(p.inertia, links_.w(i), links_.wd(i)));
}

void RelativeMechanism::write_modal(int b) {
  const Body& body = bodies_[b];
  const int i = body.link;
  ModalMotion motion;
  motion.free = links_.acceleration(i) + links_.beta(i) * body.p_LB;
  motion.v = links_.velocity(i) + cross(links_.w(i), body.p_LB);
  motion.w = links_.w(i), motion.alpha = links_.wd(i);
  for (int k : body.eta) {
    const Variables::Coordinate& c = builder_.variables().coordinate(k);
    motion.q.push_back(c.q), motion.rate.push_back(c.v), motion.acceleration.push_back(c.a);
  }
  const ModalLoads loads = write_modal_body(builder_.graph(), *d_.bodies[b].modal, motion);
  links_.add_load(i, loads.force, loads.torque + cross(body.p_LB, loads.force));
  for (std::size_t k = 0; k < body.eta.size(); ++k) builder_.add_balance(body.eta[k], loads.shapes[k]);
  const FrameMotion frame = this->frame({b, 0});
  builder_.add_stored_energy(loads.stored -
                             dot(d_.gravity, d_.bodies[b].modal->mass * frame.p_WB + frame.R_WB * loads.moment));
  builder_.add_dissipated_power(loads.dissipated);
}

/// What is applied to the body.
void RelativeMechanism::write_loads(int b) {
  write_load(d_.bodies[b].name, bodies_[b]);
  for (std::size_t n = 0; n < bodies_[b].frames.size(); ++n)
    write_load(d_.bodies[b].name + "." + d_.bodies[b].modal->frames[n].name, bodies_[b].frames[n]);
}

void RelativeMechanism::write_load(const std::string& name, const Spot& at) {
  if (is_zero(at.force_W) && is_zero(at.torque_W)) return;
  const Mat3& R = links_.world(at.link).R();
  const Vec3 force = symbolic::let(builder_.graph(), name + ".Fext", transpose_times(R, at.force_W));
  links_.add_load(at.link, -force, -(transpose_times(R, at.torque_W) + cross(at.p_LB, force)));
}

void RelativeMechanism::write_lagrange() {
  std::vector<LagrangeBody> bodies;
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const FrameMotion f = frame({static_cast<int>(b), 0});
    bodies.push_back({&d_.bodies[b].properties, f.R_WB, f.p_WB, bodies_[b].force_W, bodies_[b].torque_W});
  }
  write_lagrange_balances(builder_, d_.gravity, bodies);
}

// ---- finish

void RelativeMechanism::write_energy(int b) {
  if (d_.bodies[b].modal) return;  // with its inertia
  const model::RigidBody& p = d_.bodies[b].properties;
  const int i = bodies_[b].link;
  const Vec3 c = bodies_[b].p_LB + p.com;
  const Vec3 v = links_.velocity(i) + cross(links_.w(i), c);
  ChainPose pose = links_.world(i);
  pose.shift(c);
  builder_.add_stored_energy(p.mass * dot(v, v) / 2 + dot(links_.w(i), p.inertia * links_.w(i)) / 2 -
                             p.mass * dot(d_.gravity, pose.p()));
}

FrameSymbols RelativeMechanism::frame_symbols(const FrameId& id) {
  return {frame(id), links_.world(spot(id).link).quaternion()};
}

std::vector<Mechanism::Polyline> RelativeMechanism::polylines() const {
  std::vector<Polyline> lines;
  for (const MechanismDescription::Body& body : d_.bodies)
    if (body.modal)
      for (Polyline& line : make_modal_lines(body)) lines.push_back(std::move(line));
  return lines;
}

void RelativeMechanism::write_joint_signals(int j) {
  const MechanismDescription::Joint& joint = d_.joints[j];
  for (std::size_t k = 0; k < joint.properties.motions.size(); ++k) {
    if (coordinates_[j].size() <= k || coordinates_[j][k] < 0) continue;
    const Variables::Coordinate& c = builder_.variables().coordinate(coordinates_[j][k]);
    define_joint_signals(builder_, joint.name, joint.properties.motions[k], {c.q, c.v, c.a});
  }
  if (auto place = free_angle_.find(j); place != free_angle_.end())
    define_joint_signals(builder_, joint.name, joint.properties.motions[0], place->second);
  for (int r : rotations_[j]) define_rotation_signals(builder_, joint.name, r);
}

void RelativeMechanism::finish() {
  const std::size_t component_balances = builder_.balances();
  if (derivation_ == Derivation::lagrange) {
    write_lagrange();
  } else {
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      if (derivation_ == Derivation::newton_euler) write_inertia(static_cast<int>(b));
      write_loads(static_cast<int>(b));
    }
    links_.write_balances();
  }
  if (derivation_ == Derivation::newton_euler)
    for (std::size_t b = 0; b < bodies_.size(); ++b) write_energy(static_cast<int>(b));
  loop_loads_.resize(links_.size());
  for (int j : tree_.cuts) close_loop(j);
  if (derivation_ == Derivation::forces) return;
  if (wants_reactions_) write_reactions();
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    const int b = static_cast<int>(k);
    const std::string& name = d_.bodies[k].name;
    define_frame_signals(builder_, name, frame_symbols({b, 0}));
    if (!d_.bodies[k].modal) continue;
    define_modal_signals(builder_, d_.bodies[k], bodies_[k].eta, frame({b, 0}));
    for (std::size_t n = 0; n < bodies_[k].frames.size(); ++n)
      define_frame_signals(builder_, name + "." + d_.bodies[k].modal->frames[n].name,
                           frame_symbols({b, static_cast<int>(n) + 1}));
    counts_.coordinates += d_.bodies[k].modal->modes;
  }
  for (std::size_t j = 0; j < d_.joints.size(); ++j) write_joint_signals(static_cast<int>(j));
  for (int i = 1; i < links_.size(); ++i)
    counts_.coordinates += links_.link(i).coordinate >= 0 ? 1 : links_.link(i).rotation >= 0 ? 3 : 0;
  for (int j : tree_.cuts)
    counts_.coordinates +=
        static_cast<int>(std::count_if(coordinates_[j].begin(), coordinates_[j].end(), [](int k) { return k >= 0; }));
  if (is_plain_tree()) give_tree(component_balances);
}

/// No loops, balances by Newton and Euler, axes in numbers.
bool RelativeMechanism::is_plain_tree() const {
  bool plain = tree_.cuts.empty() && derivation_ == Derivation::newton_euler;
  for (const MechanismDescription::Body& body : d_.bodies) plain = plain && !body.modal;
  for (const MechanismDescription::Joint& joint : d_.joints)
    for (const Motion& motion : joint.properties.motions)
      for (const Expr& e : motion.axis.e) plain = plain && e.is_number();
  return plain;
}

void RelativeMechanism::give_tree(std::size_t component_balances) {
  MechanismModel model;
  model.tree.graph = &builder_.graph();
  add_links(model, d_);
  builder_.set_mass_solver([tree = std::move(model.tree), component_balances](const auto& set, const auto& layout) {
    return make_mass_solver(set, layout, tree, component_balances);
  });
}

}  // namespace

std::unique_ptr<Mechanism> make_relative_mechanism(Builder& builder, MechanismDescription description) {
  return std::make_unique<RelativeMechanism>(builder, std::move(description), Derivation::newton_euler);
}

std::unique_ptr<Mechanism> make_lagrange_mechanism(Builder& builder, MechanismDescription description) {
  return std::make_unique<RelativeMechanism>(builder, std::move(description), Derivation::lagrange);
}

std::unique_ptr<Mechanism> make_force_mechanism(Builder& builder, MechanismDescription description) {
  return std::make_unique<RelativeMechanism>(builder, std::move(description), Derivation::forces);
}

}  // namespace coenergy::mechanics
