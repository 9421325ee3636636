#include "coenergy/mechanics/mechanism_model.hpp"

#include <cmath>

#include "coenergy/mechanics/kinematics.hpp"
#include "coenergy/mechanics/mechanism_tree.hpp"

namespace coenergy::mechanics {

using model::Motion;
using symbolic::Expr;
using symbolic::Graph;
using symbolic::Mat3;
using symbolic::Vec3;

namespace {

/// A frame in a link: v_link = R v_frame, origin at p.
struct FramePlace {
  int link = -1;
  Mat3 R = Mat3::identity();
  Vec3 p;

  void shift(const Vec3& d) { p = p + R * d; }
  void turn(const Mat3& T) {
    if (!is_identity(T)) R = is_identity(R) ? T : R * T;
  }
};

/// A rotation Q that takes one of the axes to the unit vector `axis`, and which axis that is.
Mat3 align(const Vec3& axis, int& principal) {
  std::array<double, 3> a{};
  for (int i = 0; i < 3; ++i) a[i] = axis[i].number();
  for (int k = 0; k < 3; ++k) {
    if (std::abs(a[k]) != 1) continue;
    principal = k;
    if (a[k] > 0) return Mat3::identity();
    Mat3 half_turn = Mat3::diagonal(-1, -1, -1);
    half_turn((k + 1) % 3, (k + 1) % 3) = 1;
    return half_turn;
  }
  // the axis nearest to it, turned by the smaller angle: Q = E + ã + ã²/(1 + cos), with a = e × axis
  principal = 0;
  for (int k = 1; k < 3; ++k)
    if (std::abs(a[k]) > std::abs(a[principal])) principal = k;
  Vec3 e;
  e[principal] = a[principal] > 0 ? 1 : -1;
  const Mat3 n = skew(cross(e, Vec3{{a[0], a[1], a[2]}}));
  const Mat3 square = n * n;
  Mat3 Q = Mat3::identity();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) Q(i, j) += n(i, j) + square(i, j) / (1 + std::abs(a[principal]));
  if (a[principal] > 0) return Q;
  int unused = 0;
  return Q * align(e, unused);
}

class TreeBuilder {
 public:
  TreeBuilder(MechanismModel& model, const MechanismDescription& description)
      : m_(model), d_(description), graph_(*model.tree.graph), frames_(description.bodies.size()) {}

  void run() {
    const MechanismTree tree = make_tree(d_);
    start_ = compute_start(d_, tree);
    for (const MechanismTree::Edge& edge : tree.edges) edge.joint < 0 ? add_free_body(edge.to.body) : add_joint(edge);
    for (const int j : tree.cuts) m_.cut_joints.push_back(d_.joints[j].name);
    for (std::size_t b = 0; b < d_.bodies.size(); ++b) add_body(static_cast<int>(b));
  }

 private:
  Mat3 fixed_rotation(const Vec3& angles, const std::array<double, 3>& values) {
    return make_fixed_rotation(graph_, exact_angles(angles, values)).R;
  }

  void add_joint(const MechanismTree::Edge& edge) {
    const MechanismDescription::Joint& joint = d_.joints[edge.joint];
    const model::Joint& p = joint.properties;
    const Mat3 parent = fixed_rotation(p.parent_angles, joint.parent_angles),
               child = fixed_rotation(p.child_angles, joint.child_angles);
    FramePlace place = edge.from.body < 0 ? FramePlace{} : frames_[edge.from.body];
    place.shift(edge.reversed ? p.child_position : p.parent_position);
    place.turn(edge.reversed ? child : parent);
    const int n = static_cast<int>(p.motions.size());
    for (int i = 0; i < n; ++i) {
      const int k = edge.reversed ? n - 1 - i : i;
      const Motion& motion = p.motions[k];
      const std::string name = joint.name + (n > 1 && !motion.name.empty() ? "." + motion.name : "");
      if (motion.kind == Motion::Kind::spherical)
        add_spherical(place, name, joint.name, start_.joint_rotation[edge.joint], start_.joint_rate[edge.joint]);
      else
        add_motion(place, name, joint.name, joint.name + "." + motion.name, motion.kind == Motion::Kind::rotation,
                   edge.reversed ? -motion.axis : motion.axis, joint.q0[k], joint.v0[k]);
    }
    place.turn(transpose(edge.reversed ? parent : child));
    place.shift(-(edge.reversed ? p.parent_position : p.child_position));
    frames_[edge.to.body] = place;
  }

  void add_free_body(int b) {
    const MechanismDescription::Body& body = d_.bodies[b];
    FramePlace place;
    for (int i = 0; i < 3; ++i) {
      Vec3 axis;
      axis[i] = 1;
      const std::string name = body.name + "." + "xyz"[i];
      add_motion(place, name, body.name, name, false, axis, body.position[i], body.velocity[i]);
    }
    add_spherical(place, body.name, body.name, start_.body_rotation[b], start_.body_rate[b]);
    frames_[b] = place;
  }

  BodyTree::Link& add_link(FramePlace& place, const std::string& name, const Mat3& Q) {
    place.turn(Q);
    BodyTree::Link link;
    link.name = name;
    link.parent = place.link;
    link.A = let(graph_, name + ".A", place.R);
    link.d = symbolic::let(graph_, name + ".d", place.p);
    m_.tree.links.push_back(std::move(link));
    place = {static_cast<int>(m_.tree.links.size()) - 1, transpose(Q), {}};
    return m_.tree.links.back();
  }

  void add_motion(FramePlace& place, const std::string& name, const std::string& owner, const std::string& coordinate,
                  bool turns, const Vec3& axis, double q0, double v0) {
    int principal = 0;
    const Mat3 Q = align(axis, principal);
    BodyTree::Link& link = add_link(place, name, Q);
    link.axis = principal;
    link.kind = turns ? BodyTree::Kind::rotation : BodyTree::Kind::translation;
    link.q = graph_.symbol(coordinate);
    link.v = graph_.symbol(coordinate + "d");
    link.a = graph_.symbol(coordinate + "dd");
    m_.freedoms.push_back({coordinate, turns, q0, v0, link.q, link.v, link.a, owner});
    m_.configuration.push_back({coordinate, turns ? "rad" : "m", link.q, q0});
  }

  void add_spherical(FramePlace& place, const std::string& name, const std::string& joint, const math::Quaternion& p,
                     const math::Vector3& w) {
    BodyTree::Link& link = add_link(place, name, Mat3::identity());
    link.kind = BodyTree::Kind::spherical;
    for (int k = 0; k < 4; ++k) {
      const std::string component = joint + ".p" + std::to_string(k);
      link.p[k] = graph_.symbol(component);
      m_.configuration.push_back({component, "", link.p[k], p[k]});
    }
    for (int k = 0; k < 3; ++k) {
      const std::string component = joint + ".w" + "xyz"[k];
      link.w[k] = graph_.symbol(component);
      link.wd[k] = graph_.symbol(component + "d");
      m_.freedoms.push_back({component, true, 0, w[k], {}, link.w[k], link.wd[k], joint});
    }
  }

  void add_body(int b) {
    const model::RigidBody& body = d_.bodies[b].properties;
    const FramePlace& place = frames_[b];
    m_.bodies.push_back({d_.bodies[b].name, {place.link, place.p, place.R}});
    if (place.link < 0) return;
    BodyTree::Link& link = m_.tree.links[place.link];
    BodyTree::Link own;
    own.name = d_.bodies[b].name;
    own.mass = body.mass;
    own.com = symbolic::let(graph_, own.name + ".com", place.p + place.R * body.com);
    own.inertia = is_identity(place.R) ? body.inertia : rotated(own.name, place.R, body.inertia);
    const bool has_body = link.lumped || !link.mass.is_zero() || !same(link.inertia, Mat3{});
    if (!has_body) {
      link.mass = own.mass, link.com = own.com, link.inertia = own.inertia;
      return;
    }
    link.origin = inertia_about_origin(graph_, link) + inertia_about_origin(graph_, own);
    link.lumped = true;
  }

  Mat3 rotated(const std::string& name, const Mat3& R, const Mat3& inertia) {
    const Mat3 turned = R * inertia * transpose(R);
    Mat3 result;
    for (int i = 0; i < 3; ++i)
      for (int j = i; j < 3; ++j)
        result(i, j) = result(j, i) =
            graph_.let(name + ".I" + std::to_string(i + 1) + std::to_string(j + 1), turned(i, j));
    return result;
  }

  MechanismModel& m_;
  const MechanismDescription& d_;
  Graph& graph_;
  StartState start_;
  std::vector<FramePlace> frames_;  ///< of each body
};

}  // namespace

void add_links(MechanismModel& model, const MechanismDescription& description) {
  model.tree.gravity = description.gravity;
  TreeBuilder(model, description).run();
}

}  // namespace coenergy::mechanics
