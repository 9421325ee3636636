#include "coenergy/mechanics/link_tree.hpp"

#include <algorithm>

#include "coenergy/symbolic/derivative.hpp"

namespace coenergy::mechanics {

using equations::Builder;
using equations::Variables;
using symbolic::Expr;
using symbolic::Mat3;
using symbolic::transpose_times;
using symbolic::Vec3;

LinkTree::LinkTree(Builder& builder, const Vec3& gravity) : builder_(builder) {
  State ground{.link = {.name = "ground", .kind = Link::Kind::ground}, .pose = ChainPose(builder.graph(), "ground")};
  ground.alpha = -gravity;
  links_.push_back(std::move(ground));
}

void LinkTree::advance(ChainPose& pose, const State& s) const {
  pose.shift(s.dz);
  pose.turn(s.link.A);
  if (s.link.kind == Link::Kind::rotation)
    pose.spin(s.link.axis, builder_.variables().coordinate(s.link.coordinate).q, s.link.start);
  if (s.link.kind == Link::Kind::spherical) pose.turn(builder_.variables().rotation(s.link.rotation).p);
  if (s.link.kind == Link::Kind::bending) pose.turn(s.link.p);
  pose.turn(s.link.B);
}

namespace {

/// 2 vec(p* ⊗ r): the angular velocity, in the turned axes, of a rotation p with the rate r.
Vec3 turning(const SymbolicQuaternion& p, const SymbolicQuaternion& r) {
  const SymbolicQuaternion product = multiply(conjugate(p), r);
  return {{2 * product[1], 2 * product[2], 2 * product[3]}};
}

}  // namespace

void LinkTree::find_shape_axes(State& s) const {
  symbolic::Graph& graph = builder_.graph();
  const Link& l = s.link;
  for (std::size_t k = 0; k < l.shapes.size(); ++k) {
    const Expr q = builder_.variables().coordinate(l.shapes[k]).q;
    Vec3 psi;
    SymbolicQuaternion slope;
    for (int i = 0; i < 3; ++i) psi[i] = symbolic::derivative(l.d[i], q);
    for (int i = 0; i < 4; ++i) slope[i] = symbolic::derivative(l.p[i], q);
    const std::string name = l.name + ".shape" + std::to_string(k + 1);
    s.psi_of.push_back(symbolic::let(graph, name + ".psi", psi));
    s.phi_of.push_back(symbolic::let(graph, name + ".phi", turning(l.p, slope)));
  }
}

int LinkTree::add(Link link) {
  const State& h = links_[link.parent];
  State s{.link = std::move(link), .pose = h.pose};
  const Link& l = s.link;
  symbolic::Graph& graph = builder_.graph();
  s.dz = l.d;

  // the motion's rotation, axis and displacement
  Mat3 turn = Mat3::identity();
  if (l.kind == Link::Kind::rotation) {
    turn = rotation_about(l.axis, builder_.variables().coordinate(l.coordinate).q);
    s.phi = transpose_times(l.B.R, l.axis);
  } else if (l.kind == Link::Kind::spherical) {
    turn = rotation_of_quaternion(builder_.variables().rotation(l.rotation).p);
  } else if (l.kind == Link::Kind::translation) {
    s.psi = l.A.R * l.axis;
    s.dz += builder_.variables().coordinate(l.coordinate).q * s.psi;
  } else if (l.kind == Link::Kind::bending) {
    turn = rotation_of_quaternion(l.p);
    find_shape_axes(s);
  }
  s.R = let(graph, l.name + ".R", l.A.R * turn * l.B.R);
  s.pose.rename(l.name + ".W");
  compute_motion(s);
  advance(s.pose, s);
  links_.push_back(std::move(s));
  return size() - 1;
}

void LinkTree::compute_motion(State& s) const {
  const Link& l = s.link;
  const State& h = links_[l.parent];
  symbolic::Graph& graph = builder_.graph();
  const Vec3 w_h = transpose_times(s.R, h.w);
  Vec3 w_rel, wd_rel, slide, slide_rate;
  if (l.kind == Link::Kind::spherical) {
    const Variables::Rotation& r = builder_.variables().rotation(l.rotation);
    w_rel = transpose_times(l.B.R, r.w);
    wd_rel = transpose_times(l.B.R, r.alpha);
  } else if (l.kind == Link::Kind::rotation || l.kind == Link::Kind::translation) {
    const Variables::Coordinate& c = builder_.variables().coordinate(l.coordinate);
    slide = c.v * s.psi, slide_rate = c.a * s.psi;
    w_rel = c.v * s.phi, wd_rel = c.a * s.phi;
  } else if (l.kind == Link::Kind::bending) {
    const Variables& v = builder_.variables();
    for (std::size_t k = 0; k < l.shapes.size(); ++k) {
      const Variables::Coordinate& c = v.coordinate(l.shapes[k]);
      slide += c.v * s.psi_of[k], w_rel += c.v * s.phi_of[k];
    }
    slide = symbolic::let(graph, l.name + ".slide", slide);
    w_rel = symbolic::let(graph, l.name + ".bend", w_rel);
    for (int i = 0; i < 3; ++i) slide_rate[i] = v.time_derivative(slide[i]), wd_rel[i] = v.time_derivative(w_rel[i]);
  }
  s.w = symbolic::let(graph, l.name + ".w", w_h + w_rel);
  s.wd = symbolic::let(graph, l.name + ".wd", transpose_times(s.R, h.wd) + cross(w_h, w_rel) + wd_rel);
  s.beta = let(graph, l.name + ".beta", acceleration_matrix(s.w, s.wd));
  const Vec3 u = h.u + cross(h.w, s.dz) + slide;
  s.u = symbolic::let(graph, l.name + ".u", transpose_times(s.R, u));
  const Vec3 alpha = h.alpha + h.beta * s.dz + Expr(2) * cross(h.w, slide) + slide_rate;
  s.alpha = symbolic::let(graph, l.name + ".a", transpose_times(s.R, alpha));
}

void LinkTree::add_load(int i, const Vec3& force, const Vec3& torque) {
  links_[i].force += force;
  links_[i].torque += torque;
}

void LinkTree::write_balances() {
  symbolic::Graph& graph = builder_.graph();
  for (int i = size() - 1; i > 0; --i) {
    State& s = links_[i];
    const Vec3 force = symbolic::let(graph, s.link.name + ".F", s.force);
    const Vec3 torque = symbolic::let(graph, s.link.name + ".L", s.torque);
    const Vec3 force_h = s.R * force;
    if (s.link.kind == Link::Kind::rotation) builder_.add_balance(s.link.coordinate, dot(s.phi, torque));
    if (s.link.kind == Link::Kind::translation) builder_.add_balance(s.link.coordinate, dot(s.psi, force_h));
    for (std::size_t k = 0; k < s.link.shapes.size(); ++k)
      builder_.add_balance(s.link.shapes[k], dot(s.psi_of[k], force_h) + dot(s.phi_of[k], torque));
    if (s.link.kind == Link::Kind::spherical) builder_.add_rotation_balance(s.link.rotation, s.link.B.R * torque);
    add_load(s.link.parent, force_h, s.R * torque + cross(s.dz, force_h));
  }
}

void LinkTree::carry(std::vector<Load>& loads) const {
  for (int i = size() - 1; i > 0; --i) {
    const State& s = links_[i];
    const Vec3 force = s.R * loads[i].force;
    Load& parent = loads[s.link.parent];
    parent.force += force;
    parent.torque += s.R * loads[i].torque + cross(s.dz, force);
  }
}

std::vector<int> LinkTree::path(int ancestor, int i) const {
  std::vector<int> links;
  for (; i != ancestor; i = links_[i].link.parent) links.push_back(i);
  std::reverse(links.begin(), links.end());
  return links;
}

int LinkTree::common_ancestor(int i, int j) const {
  // a parent has the smaller index
  while (i != j) (i > j ? i : j) = links_[std::max(i, j)].link.parent;
  return i;
}

ChainPose LinkTree::pose(int ancestor, int i, const std::string& name) {
  ChainPose pose(builder_.graph(), name);
  for (int k : path(ancestor, i)) advance(pose, links_[k]);
  return pose;
}

}  // namespace coenergy::mechanics
