#include "coenergy/analyze/moving_axes.hpp"

#include <algorithm>
#include <cmath>

#include "coenergy/math/rotation.hpp"
#include "coenergy/solve/newton.hpp"

namespace coenergy::analyze {
namespace {

using equations::FlexibleNode;
using equations::Point;
using equations::System;
using math::Quaternion;
using math::Vector3;

Quaternion rotation_of(const System& s, const Point& p, const FlexibleNode& node) {
  const int scalars = s.nv() - 3 * (s.nq() - s.nv());
  const double* at = p.q.data() + scalars + 4 * ((node.turn - scalars) / 3);
  return {at[0], at[1], at[2], at[3]};
}

Vector3 cross(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// Three numbers of a node: its translation, or its rotation.
Vector3 pick(const std::vector<double>& all, const std::array<int, 3>& at) {
  return {all[at[0]], all[at[1]], all[at[2]]};
}
void put(std::vector<double>& all, const std::array<int, 3>& at, const Vector3& v) {
  for (int i = 0; i < 3; ++i) all[at[i]] = v[i];
}
std::array<int, 3> turns_of(const FlexibleNode& node) { return {node.turn, node.turn + 1, node.turn + 2}; }

void see_turning(const System& s, const Point& p, const FlexibleNode& node, SeenDeviation& seen) {
  const Quaternion back = math::conjugate(rotation_of(s, p, node));
  const Vector3 w = pick(p.v, turns_of(node)), alpha = pick(p.a, turns_of(node));
  const Vector3 x = math::rotate(back, pick(seen.position, node.x)), turned = cross(w, x);
  Vector3 rate = math::rotate(back, pick(seen.rate, node.x));
  for (int i = 0; i < 3; ++i) rate[i] -= turned[i];
  Vector3 change = math::rotate(back, pick(seen.rate_rate, node.x));
  const Vector3 coriolis = cross(w, rate), centripetal = cross(w, turned), euler = cross(alpha, x);
  for (int i = 0; i < 3; ++i) change[i] -= 2 * coriolis[i] + centripetal[i] + euler[i];
  put(seen.position, node.x, x);
  put(seen.rate, node.x, rate);
  put(seen.position_rate, node.x, rate);
  put(seen.rate_rate, node.x, change);
}

void see_fixed(const System& s, const Point& p, const FlexibleNode& node, SeenDeviation& seen) {
  const Quaternion r = rotation_of(s, p, node);
  const std::array<int, 3> at = turns_of(node);
  const Vector3 rate = pick(seen.rate, at), turned = cross(pick(p.v, at), rate);
  Vector3 change = pick(seen.rate_rate, at);
  for (int i = 0; i < 3; ++i) change[i] += turned[i];
  put(seen.position, at, math::rotate(r, pick(seen.position, at)));
  put(seen.rate, at, math::rotate(r, rate));
  put(seen.position_rate, at, math::rotate(r, rate));
  put(seen.rate_rate, at, math::rotate(r, change));
}

}  // namespace

SeenDeviation see_deviation(const System& s, const Point& p, Axes axes, const Deviation& d) {
  SeenDeviation seen{d.q, d.v, d.v, d.a};
  // δθ̇ = δω − ω × δθ
  for (int k = s.nv() - 3 * (s.nq() - s.nv()); k < s.nv(); k += 3) {
    const std::array<int, 3> at{k, k + 1, k + 2};
    const Vector3 turned = cross(pick(p.v, at), pick(d.q, at));
    for (int i = 0; i < 3; ++i) seen.position_rate[k + i] -= turned[i];
  }
  for (const std::vector<FlexibleNode>& body : s.flexible_bodies())
    for (const FlexibleNode& node : body) {
      if (axes == Axes::turning) see_turning(s, p, node, seen);
      if (axes == Axes::fixed) see_fixed(s, p, node, seen);
    }
  return seen;
}

math::Matrix see_constraints(const System& s, const Point& p, Axes axes, math::Matrix phi_q) {
  if (axes == Axes::mixed) return phi_q;
  for (const std::vector<FlexibleNode>& body : s.flexible_bodies())
    for (const FlexibleNode& node : body) {
      const bool is_turning = axes == Axes::turning;
      const std::array<int, 3> at = is_turning ? node.x : turns_of(node);
      const Quaternion r = rotation_of(s, p, node);
      // δx = R ξ, δθ = Rᵀξ: rows turn the other way
      for (int k = 0; k < phi_q.rows; ++k) {
        const Vector3 row{phi_q(k, at[0]), phi_q(k, at[1]), phi_q(k, at[2])};
        const Vector3 turned = math::rotate(is_turning ? math::conjugate(r) : r, row);
        for (int i = 0; i < 3; ++i) phi_q(k, at[i]) = turned[i];
      }
    }
  return phi_q;
}

namespace {

double fastest_turn(const System& s, const Point& p) {
  double fastest = 0;
  for (const std::vector<FlexibleNode>& body : s.flexible_bodies())
    for (const FlexibleNode& node : body)
      for (int i = 0; i < 3; ++i) fastest = std::max(fastest, std::abs(p.v[node.turn + i]));
  return fastest;
}

}  // namespace

bool turns_flexible_body(const System& s, const Point& p) {
  constexpr double rest = 1e-6;  // rad/s
  return fastest_turn(s, p) > rest;
}

LaterPoint follow_motion(equations::Evaluator& evaluator, const Point& point) {
  constexpr double turn = 1e-4;  // rad: what it leaves of the constraints is of its third power
  const System& s = evaluator.system();
  LaterPoint later{point, turn / fastest_turn(s, point), false};
  const double h = later.step;
  std::vector<double> dq(s.nv());
  for (int i = 0; i < s.nv(); ++i) {
    dq[i] = h * point.v[i] + h * h / 2 * point.a[i];
    later.point.v[i] += h * point.a[i];
  }
  for (int i = 0; i < s.nx(); ++i) later.point.x[i] += h * point.xd[i];
  later.point.t += h;
  evaluator.retract(later.point.q, dq);
  solve::Statistics statistics;
  solve::Newton newton(evaluator, {}, statistics);
  later.good = newton.solve({.level = equations::Level::acceleration}, later.point).converged;
  return later;
}

}  // namespace coenergy::analyze
