#include "coenergy/mechanics/absolute_elements.hpp"

#include <algorithm>
#include <cstdio>

#include "coenergy/mechanics/kinematics.hpp"

namespace coenergy::mechanics {

using equations::Variables;
using model::Motion;
using symbolic::Expr;
using symbolic::Mat3;
using symbolic::transpose_times;
using symbolic::Vec3;

std::vector<Expr> rigid_body_parameters(const model::RigidBody& b, const Vec3& g) {
  const Mat3& J = b.inertia;
  return {b.mass, b.com[0], b.com[1], b.com[2], J(0, 0), J(1, 1), J(2, 2), J(0, 1), J(0, 2), J(1, 2), g[0], g[1], g[2]};
}

namespace {

struct NodeMotion {
  Vec3 x, v, a;
};
/// Position, velocity and acceleration of the node whose first coordinate is `first`.
NodeMotion node_motion(const ElementEquations& e, int first) {
  NodeMotion n;
  for (int i = 0; i < 3; ++i) {
    const Variables::Coordinate& c = e.coordinates[first + i];
    n.x[i] = c.q, n.v[i] = c.v, n.a[i] = c.a;
  }
  return n;
}

}  // namespace

void write_rigid_body(ElementEquations& e) {
  const std::vector<Expr>& p = e.parameters;
  const Expr& m = p[0];
  const Vec3 c{{p[1], p[2], p[3]}}, g{{p[10], p[11], p[12]}};
  Mat3 J = Mat3::diagonal(p[4], p[5], p[6]);
  J(0, 1) = J(1, 0) = p[7];
  J(0, 2) = J(2, 0) = p[8];
  J(1, 2) = J(2, 1) = p[9];
  const NodeMotion n = node_motion(e, 0);
  const Variables::Rotation& r = e.rotations[0];
  const Mat3 R = rotation_of_quaternion(r.p);

  const Vec3 force = symbolic::let(*e.graph, "F", m * (n.a - g + R * (acceleration_matrix(r.w, r.alpha) * c)));
  for (int i = 0; i < 3; ++i) e.balance[i] = force[i];
  e.torque[0] = euler_torque(J, r.w, r.alpha) + cross(c, transpose_times(R, force));
  const Vec3 v = n.v + R * cross(r.w, c);
  e.stored = m * dot(v, v) / 2 + dot(r.w, J * r.w) / 2 - m * dot(g, n.x + R * c);
}

bool JointElement::Shape::is_spherical() const {
  return std::any_of(motions.begin(), motions.end(), [](const Motion& m) { return m.kind == Motion::Kind::spherical; });
}

std::string JointElement::Shape::key() const {
  std::string text = std::string("joint ") + (parent_is_ground ? "g" : "b") + (child_is_ground ? "g" : "b");
  for (const Motion& m : motions) {
    text += m.kind == Motion::Kind::rotation ? " R" : m.kind == Motion::Kind::translation ? " T" : " S";
    if (m.kind == Motion::Kind::spherical) continue;
    for (const Expr& a : m.axis.e) {
      char number[40];
      std::snprintf(number, sizeof number, " %.17g", a.number());
      text += number;
    }
  }
  return text;
}

void JointElement::write(ElementEquations& e) const {
  const std::vector<Expr>& p = e.parameters;
  symbolic::Graph& graph = *e.graph;
  int coordinate = 0, rotation = 0;
  struct Side {
    Vec3 x;
    SymbolicQuaternion p{1, 0, 0, 0};
    Mat3 R = Mat3::identity();
  };
  auto take_side = [&](bool ground) {
    Side s;
    if (ground) return s;
    s.x = node_motion(e, coordinate).x;
    coordinate += 3;
    s.p = e.rotations[rotation++].p;
    s.R = rotation_of_quaternion(s.p);
    return s;
  };
  const Side parent = take_side(shape_.parent_is_ground), child = take_side(shape_.child_is_ground);
  const Vec3 parent_at{{p[0], p[1], p[2]}}, child_at{{p[6], p[7], p[8]}};
  const FixedRotation before = make_fixed_rotation(graph, {{p[3], p[4], p[5]}});
  const FixedRotation after = make_fixed_rotation(graph, {{p[9], p[10], p[11]}});

  // displacement and turn of the motions, in the joint frame of the parent
  Vec3 z;
  Mat3 turn = Mat3::identity();
  SymbolicQuaternion m{1, 0, 0, 0};
  for (const Motion& motion : shape_.motions) {
    if (motion.kind == Motion::Kind::spherical) break;
    const Expr s = e.coordinates[coordinate++].q;
    if (motion.kind == Motion::Kind::translation) {
      z += turn * (s * motion.axis);
    } else {
      turn = turn * rotation_about(motion.axis, s);
      m = multiply(m, quaternion_about(motion.axis, s));
    }
  }
  const Vec3 gap = child.x + child.R * child_at - parent.x - parent.R * (parent_at + before.R * z);
  for (int i = 0; i < 3; ++i) e.constraint[i] = gap[i];
  if (shape_.is_spherical()) return;
  const SymbolicQuaternion left = multiply(parent.p, multiply(before.p, m)), right = multiply(child.p, after.p);
  const SymbolicQuaternion difference = multiply(conjugate(left), right);
  for (int i = 0; i < 3; ++i) e.constraint[3 + i] = 2 * difference[i + 1];
}

}  // namespace coenergy::mechanics
