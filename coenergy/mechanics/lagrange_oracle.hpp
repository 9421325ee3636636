#pragma once
#include "coenergy/mechanics/mechanism_spec.hpp"
#include "coenergy/symbolic/algebra.hpp"
#include "coenergy/symbolic/derivative.hpp"

// trees of bodies by Lagrange's equations of the second kind, written for tests alone
namespace coenergy::mechanics {

struct Frame {
  Mat3 R = Mat3::identity();
  Vec3 p;
};
Frame operator*(const Frame& a, const Frame& b) { return {a.R * b.R, a.p + a.R * b.p}; }
inline Frame invert(const Frame& a) { return {transpose(a.R), -(transpose(a.R) * a.p)}; }

inline Mat3 turn(int axis, const Expr& c, const Expr& s) {
  Mat3 r = Mat3::identity();
  const int i = (axis + 1) % 3, j = (axis + 2) % 3;
  r(i, i) = c, r(j, j) = c, r(i, j) = -s, r(j, i) = s;
  return r;
}
inline Frame place(const Numbers& at, const Numbers& angles) {
  Frame f;
  for (int k = 0; k < 3; ++k) f.R = turn(k, std::cos(angles[k]), std::sin(angles[k])) * f.R;
  for (int k = 0; k < 3; ++k) f.p[k] = at[k];
  return f;
}

inline System make_lagrange_system(const MechanismSpec& spec) {
  Builder b;
  Variables& v = b.variables();
  std::vector<Frame> frames(spec.bodies.size());
  Expr kinetic, potential;
  std::vector<int> coordinates;
  auto rate = [&](const Expr& e) { return v.time_derivative(e); };
  for (std::size_t i = 0; i < spec.bodies.size(); ++i) {
    // joint i hangs body i on an earlier one, written in either direction
    const JointSpec& j = spec.joints[i];
    Frame f;
    for (std::size_t k = 0; k < j.motions.size(); ++k) {
      const MotionSpec& m = j.motions[k];
      const int c = b.add_coordinate({j.name + "." + std::to_string(k), ""}, 0, 0);
      coordinates.push_back(c);
      const Expr q = v.coordinate(c).q;
      Vec3 a;
      for (int n = 0; n < 3; ++n) a[n] = m.axis[n];
      if (m.kind == Motion::Kind::translation) {
        f = f * Frame{Mat3::identity(), q * a};
      } else {
        // E + sin ã + (1 − cos) ã²
        const Mat3 t = symbolic::skew(a), tt = t * t;
        Frame spin;
        for (int r = 0; r < 3; ++r)
          for (int s = 0; s < 3; ++s) spin.R(r, s) = (r == s ? 1 : 0) + sin(q) * t(r, s) + (1 - cos(q)) * tt(r, s);
        f = f * spin;
      }
    }
    f = place(j.parent_at, j.parent_angles) * f * invert(place(j.child_at, j.child_angles));
    const bool forward = j.child == static_cast<int>(i);
    const int on = forward ? j.parent : j.child;
    frames[i] = (on < 0 ? Frame{} : frames[on]) * (forward ? f : invert(f));

    const BodySpec& s = spec.bodies[i];
    Vec3 c, g, vc;
    for (int n = 0; n < 3; ++n) c[n] = s.com[n], g[n] = spec.gravity[n];
    const Vec3 pc = frames[i].p + frames[i].R * c;
    for (int n = 0; n < 3; ++n) vc[n] = rate(pc[n]);
    Mat3 rd;
    for (int r = 0; r < 3; ++r)
      for (int n = 0; n < 3; ++n) rd(r, n) = rate(frames[i].R(r, n));
    const Mat3 spin = transpose(frames[i].R) * rd;
    const Vec3 w{{spin(2, 1), spin(0, 2), spin(1, 0)}};
    Mat3 J = Mat3::diagonal(s.inertia[0], s.inertia[1], s.inertia[2]);
    J(0, 1) = J(1, 0) = s.inertia[3], J(0, 2) = J(2, 0) = s.inertia[4], J(1, 2) = J(2, 1) = s.inertia[5];
    kinetic += Expr(s.mass / 2) * dot(vc, vc) + dot(w, J * w) / 2;
    potential += Expr(-s.mass) * dot(g, pc);
  }
  for (int c : coordinates) {
    const Variables::Coordinate& q = v.coordinate(c);
    b.add_balance(c, rate(symbolic::derivative(kinetic, q.v)) - symbolic::derivative(kinetic, q.q) +
                         symbolic::derivative(potential, q.q));
  }
  return b.build();
}

}  // namespace coenergy::mechanics
