#pragma once
#include <algorithm>

#include "coenergy/domains/multibody/words.hpp"
#include "coenergy/symbolic/algebra.hpp"
#include "coenergy/symbolic/derivative.hpp"

namespace coenergy::domains::multibody {

/// What happens at a point of a body: position, velocity and acceleration in world axes (of the frame `from` in its own
/// axes), angular velocity and acceleration in the same axes, angles about x, then y, then z (singular where
/// |pitch| = 90°), and with `jacobian: yes` the matrices J of v = J q̇ and J_w of ω = J_w q̇ by rate: signals
/// Jx(joint.qd) … and Jwx(joint.qd) ….
struct Sensor {
  Frame body, from;
  Vector at;
  Choice jacobian;

  void describe(Description& d) {
    d.name("multibody.Sensor",
           "position, velocity, acceleration, angles and Jacobian of a point of a body, in the axes of the world or of "
           "`from`");
    d.port(body, "body", "the body it sits on");
    d.port(from, "from", "body it is seen from, in its axes; without it the world").optional();
    d.parameter(at, "at", "m", "point in the body, its axes").fallback("[0, 0, 0]");
    d.choice(jacobian, "jacobian", {"no", "yes"}, "also shows the derivatives to all coordinates");
    const char* const axes[] = {"x", "y", "z"};
    for (const char* a : axes) d.output(a, "m", std::string("position along ") + a);
    for (const char* a : axes) d.output(std::string("v") + a, "m/s", std::string("velocity along ") + a);
    for (const char* a : axes) d.output(std::string("a") + a, "m/s2", std::string("acceleration along ") + a);
    for (const char* a : axes) d.output(std::string("w") + a, "rad/s", std::string("angular velocity about ") + a);
    for (const char* a : axes) d.output(std::string("wd") + a, "rad/s2", std::string("its derivative, about ") + a);
    d.output("roll", "rad", "first turn, about x: R = Rz(yaw) Ry(pitch) Rx(roll)");
    d.output("pitch", "rad", "second turn, about the fixed y axis, -90 to 90 deg");
    d.output("yaw", "rad", "third turn, about the fixed z axis");
  }

  void equations(Equations& eq) const {
    const FrameMotion f = eq.frame(body);
    const PointMotion point = make_point(f, eq[at]);
    Vec3 p = point.p;
    Mat3 R = f.R_WB;
    Vec3 v = point.v, w = f.R_WB * f.w_WB_B;
    if (eq.connected(from)) {
      const FrameMotion o = eq.frame(from);
      R = transpose(o.R_WB) * f.R_WB;
      p = transpose(o.R_WB) * (point.p - o.p_WB);
      v = transpose(o.R_WB) * (point.v - o.v_WB) - cross(o.w_WB_B, p);
      w = transpose(o.R_WB) * w - o.w_WB_B;
    }
    std::vector<Expr> entries;
    for (int i = 0; i < 9; ++i) entries.push_back(R(i / 3, i % 3));
    for (int i = 0; i < 3; ++i) {
      const std::string a(1, "xyz"[i]);
      eq.output(a, "m", p[i]);
      eq.output("v" + a, "m/s", v[i]);
      eq.output("a" + a, "m/s2", eq.time_derivative(v[i]));
      eq.output("w" + a, "rad/s", w[i]);
      eq.output("wd" + a, "rad/s2", eq.time_derivative(w[i]));
      if (eq[jacobian] == "yes") {
        show_jacobian(eq, a, {p[i]}, eq.time_derivative(p[i]));
        show_jacobian(eq, "w" + a, entries, w[i]);
      }
    }
    eq.output("roll", "rad", atan2(R(2, 1), R(2, 2)));
    eq.output("pitch", "rad", atan2(-R(2, 0), sqrt(R(0, 0) * R(0, 0) + R(1, 0) * R(1, 0))));
    eq.output("yaw", "rad", atan2(R(1, 0), R(0, 0)));
  }

 private:
  /// The rates are what the velocity depends on beyond the pose; it is linear in them.
  static void show_jacobian(Equations& eq, const std::string& axis, const std::vector<Expr>& pose, const Expr& v) {
    if (v.is_number()) return;
    for (const Expr& s : symbolic::free_symbols(std::span(&v, 1)))
      if (std::none_of(pose.begin(), pose.end(), [&](const Expr& p) { return symbolic::depends_on(p, s); }))
        eq.output("J" + axis + "(" + to_string(s) + ")", "", symbolic::derivative(v, s));
  }
};

}  // namespace coenergy::domains::multibody
