#pragma once
#include <array>
#include <string>
#include <vector>

#include "coenergy/symbolic/expr.hpp"
#include "coenergy/symbolic/program.hpp"
#include "coenergy/symbolic/vector.hpp"

namespace bench {

using namespace coenergy::symbolic;

/// Serial chain of revolute joints with general bodies: mass m, centre of mass l from the joint, inertia I about it
/// (six numbers), next joint at d. All numbers are parameters, hence inputs.
struct Chain {
  std::vector<Expr> inputs;  ///< q, q̇, q̈ of all joints, g, then the parameters of each body
  std::vector<NamedExpr> torques;
};

/// a turned by the angle of a joint about axis k: components of a vector of the parent in the child frame.
struct Turn {
  int k;
  Expr c, s;
  Vec3 to_child(const Vec3& a) const {
    Vec3 r = a;
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    r[i] = c * a[i] + s * a[j];
    r[j] = c * a[j] - s * a[i];
    return r;
  }
  Vec3 to_parent(const Vec3& a) const { return Turn{k, c, -s}.to_child(a); }
};

struct Body {
  Expr q, qd, qdd, m;
  Vec3 l, d;
  Mat3 inertia;
  Turn turn;
  Vec3 w, wd, alpha;   ///< ω, ω̇ and acceleration of the joint minus gravity, in the body frame
  Mat3 beta;           ///< β = ω̇~ + ω̃ω̃
  Vec3 force, moment;  ///< of inertia and gravity, about the joint
};

/// β from the six products of ω and the three components of ω̇.
inline Mat3 make_beta(Graph& g, const std::string& name, const Vec3& w, const Vec3& wd) {
  std::array<Expr, 3> square, product;
  for (int i = 0; i < 3; ++i) {
    square[i] = g.let(name + "s" + std::to_string(i), w[i] * w[i]);
    product[i] = g.let(name + "p" + std::to_string(i), w[(i + 1) % 3] * w[(i + 2) % 3]);
  }
  Mat3 b;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    b(i, i) = g.let(name + std::to_string(i) + std::to_string(i), -square[j] - square[k]);
    b(j, k) = g.let(name + std::to_string(j) + std::to_string(k), product[i] - wd[i]);
    b(k, j) = g.let(name + std::to_string(k) + std::to_string(j), product[i] + wd[i]);
  }
  return b;
}

/// I ω̇ + ω × I ω, written with β: its first component is I₁₁ω̇₁ + (I₃₃ − I₂₂)ω₂ω₃ − I₁₂β₃₁ + I₁₃β₂₁ − I₂₃(β₃₃ − β₂₂).
inline Vec3 euler_moment(const Body& b) {
  Vec3 r;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const Mat3& I = b.inertia;
    r[i] = I(i, i) * b.wd[i] + (I(k, k) - I(j, j)) * (b.w[j] * b.w[k]) - I(i, j) * b.beta(k, i) +
           I(i, k) * b.beta(j, i) + I(j, k) * (b.w[k] * b.w[k] - b.w[j] * b.w[j]);
  }
  return r;
}

/// Recursive Newton–Euler inverse dynamics: Q(q, q̇, q̈) of a chain whose joints turn about the axes 3, 1, 2, 3, …
inline Chain make_chain(Graph& g, int joints) {
  std::vector<Body> body(joints);
  Chain chain;
  const auto symbol = [&](const std::string& name) { return chain.inputs.emplace_back(g.symbol(name)); };
  for (int i = 0; i < joints; ++i) body[i].q = symbol("q" + std::to_string(i + 1));
  for (int i = 0; i < joints; ++i) body[i].qd = symbol("qd" + std::to_string(i + 1));
  for (int i = 0; i < joints; ++i) body[i].qdd = symbol("qdd" + std::to_string(i + 1));
  const Expr gravity = symbol("g");

  // forward: velocities and accelerations
  for (int i = 0; i < joints; ++i) {
    Body& b = body[i];
    const std::string id = std::to_string(i + 1);
    b.m = symbol("m" + id);
    for (int r = 0; r < 3; ++r) b.l[r] = symbol("l" + id + "_" + std::to_string(r + 1));
    for (int r = 0; r < 3; ++r) b.d[r] = symbol("d" + id + "_" + std::to_string(r + 1));
    for (int r = 0; r < 3; ++r)
      for (int c = r; c < 3; ++c)
        b.inertia(r, c) = b.inertia(c, r) = symbol("I" + id + "_" + std::to_string(r + 1) + std::to_string(c + 1));
    const int axis = (i + 2) % 3;
    b.turn = {axis, cos(b.q), sin(b.q)};
    const Vec3 w_parent = i > 0 ? body[i - 1].w : Vec3{}, wd_parent = i > 0 ? body[i - 1].wd : Vec3{};
    const Vec3 a_parent = i > 0 ? body[i - 1].alpha + body[i - 1].beta * body[i - 1].d : Vec3{{0, 0, gravity}};
    Vec3 e;
    e[axis] = 1;
    b.w = let(g, "w" + id, b.turn.to_child(w_parent) + b.qd * e);
    b.wd = let(g, "wd" + id, b.turn.to_child(wd_parent) + b.qd * cross(b.w, e) + b.qdd * e);
    b.alpha = let(g, "a" + id, b.turn.to_child(let(g, "A" + id, a_parent)));
    b.beta = make_beta(g, "b" + id, b.w, b.wd);
    b.force = let(g, "W" + id, b.m * (b.alpha + b.beta * b.l));
    b.moment = let(g, "N" + id, cross(b.l, b.force) + euler_moment(b));
  }

  // backward: forces and moments at the joints
  Vec3 force, moment;
  chain.torques.resize(joints);
  for (int i = joints - 1; i >= 0; --i) {
    const Body& b = body[i];
    const std::string id = std::to_string(i + 1);
    moment = let(g, "L" + id, moment + cross(b.d, force) + b.moment);
    force = let(g, "F" + id, force + b.force);
    chain.torques[i] = {"Q" + id, moment[b.turn.k]};
    moment = let(g, "M" + id, b.turn.to_parent(moment));
    force = let(g, "G" + id, b.turn.to_parent(force));
  }
  return chain;
}

}  // namespace bench
