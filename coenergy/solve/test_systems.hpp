#pragma once
#include <cmath>
#include <numbers>

#include "coenergy/equations/builder.hpp"
#include "coenergy/solve/options.hpp"

/// Small systems with known solutions, for the tests of solve and analyze.
namespace coenergy::solve::test {

/// Whether a method chooses its steps by their error even where a first one is given.
inline bool has_own_step(const std::string& method) { return has_error_estimate(method) && !is_alpha_method(method); }

using equations::Builder;
using equations::System;
using symbolic::Expr;

/// m ẍ + c ẋ + k x = 0.
inline System make_oscillator(double m, double c, double k, double x0, double v0) {
  Builder b;
  const int i = b.add_coordinate({"mass.x", "m"}, x0, v0);
  const auto z = b.variables().coordinate(i);
  b.add_balance(i, m * z.a + c * z.v + k * z.q);
  b.add_signal("mass.x", "m", z.q);
  b.add_signal("mass.v", "m/s", z.v);
  b.add_signal("mass.a", "m/s2", z.a);
  return b.build();
}

/// Point mass on a rod, Cartesian coordinates, starts at (−1, 0) at rest unless told otherwise (IFToMM benchmark A01).
inline System make_pendulum(double x0 = -1, double y0 = 0, double vx0 = 0, double vy0 = 0, bool twice = false,
                            bool fixed = false) {
  Builder b;
  const double m = 1, length = 1, g = 9.81;
  const int ix = b.add_coordinate({"bob.x", "m", 1, fixed}, x0, vx0),
            iy = b.add_coordinate({"bob.y", "m", 1, fixed}, y0, vy0);
  const auto x = b.variables().coordinate(ix), y = b.variables().coordinate(iy);
  b.add_balance(ix, m * x.a);
  b.add_balance(iy, m * y.a + m * g);
  const Expr phi = (x.q * x.q + y.q * y.q - length * length) / 2;
  for (int k = 0; k < (twice ? 2 : 1); ++k) {
    const int l = b.add_multiplier({k == 0 ? "rod.force" : "copy.force", "N"});
    b.set_constraint(l, phi);
    b.set_row_name(b.variables().multiplier(l), k == 0 ? "rod length" : "copy length");
    b.add_signal(k == 0 ? "rod.force" : "copy.force", "N", b.variables().multiplier(l));
  }
  b.add_signal("bob.x", "m", x.q);
  b.add_signal("bob.y", "m", y.q);
  b.add_signal("bob.vx", "m/s", x.v);
  b.add_signal("bob.vy", "m/s", y.v);
  b.add_signal("energy", "J", m * (x.v * x.v + y.v * y.v) / 2 + m * g * y.q);
  return b.build();
}

/// Scalar index-3 problem q̈ + λ = 0, q = 0.
inline System make_held_mass(double v0) {
  Builder b;
  const int i = b.add_coordinate({"q", "m"}, 0, v0), l = b.add_multiplier({"lambda", "N"});
  b.add_balance(i, b.variables().coordinate(i).a);
  b.set_constraint(l, b.variables().coordinate(i).q);
  b.add_signal("lambda", "N", b.variables().multiplier(l));
  return b.build();
}

/// Two-link arm in relative coordinates with a mass matrix that varies (Brüls 2005, chapter 2).
inline System make_arm() {
  Builder b;
  const double t1 = 1.866666666666667, t2 = 0.72, t3 = 0.45;
  const int i1 = b.add_coordinate({"arm.q1", "rad"}, 0.3, 1), i2 = b.add_coordinate({"arm.q2", "rad"}, 0.5, -2);
  const auto q1 = b.variables().coordinate(i1), q2 = b.variables().coordinate(i2);
  const Expr t = b.variables().time();
  const Expr m11 = t1 + 2 * t2 * cos(q2.q) + t3, m12 = t2 * cos(q2.q) + t3;
  b.add_balance(i1, m11 * q1.a + m12 * q2.a - t2 * (2 * q1.v * q2.v + q2.v * q2.v) * sin(q2.q) - 2 * sin(3 * t));
  b.add_balance(i2, m12 * q1.a + t3 * q2.a + t2 * q1.v * q1.v * sin(q2.q) - cos(2 * t));
  b.add_signal("q1", "rad", q1.q);
  b.add_signal("q2", "rad", q2.q);
  b.add_signal("a1", "rad/s2", q1.a);
  return b.build();
}

struct FourBarOptions {
  bool digital = false;
  double constant_force = 0, sine_force = 0;  ///< instead of the load of the stand-in S1
  double constraint_scale = 1;                ///< all constraints multiplied by this
};

/// Four-bar mechanism with PID: after Brüls 2005, with invented data.
inline System make_four_bar(const FourBarOptions& options) {
  Builder b;
  auto& vars = b.variables();
  const double l1 = 0.5, l2 = 0.9, l3 = 0.7, l4 = 1.0, m1 = 1, m2 = 1.8, m3 = 1.4, jm = 0.02,
               theta0 = std::numbers::pi / 3;
  const double p = 100, i = 100, d = 10, period = 0.01;
  const int ix2 = b.add_coordinate({"x2", "m"}, l1 * std::cos(theta0), 0),
            iy2 = b.add_coordinate({"y2", "m"}, l1 * std::sin(theta0), 0);
  const int ix4 = b.add_coordinate({"x4", "m"}, 1.112248631, 0), iy4 = b.add_coordinate({"y4", "m"}, 0.690941564, 0);
  const int it = b.add_coordinate({"theta", "rad", 1, true}, theta0, 0);
  const auto x2 = vars.coordinate(ix2), y2 = vars.coordinate(iy2), x4 = vars.coordinate(ix4), y4 = vars.coordinate(iy4),
             th = vars.coordinate(it);
  const Expr t = vars.time();

  // consistent masses of uniform bars: m/3 on the diagonal, m/6 off it
  b.add_balance(ix2, (m1 + m2) / 3 * x2.a + m2 / 6 * x4.a);
  b.add_balance(iy2, (m1 + m2) / 3 * y2.a + m2 / 6 * y4.a);
  b.add_balance(ix4, (m2 + m3) / 3 * x4.a + m2 / 6 * x2.a);
  b.add_balance(iy4, (m2 + m3) / 3 * y4.a + m2 / 6 * y2.a);
  b.add_balance(it, jm * th.a);
  const double s = options.constraint_scale;
  const Expr phi[] = {x2.q * x2.q + y2.q * y2.q - l1 * l1,
                      (x4.q - x2.q) * (x4.q - x2.q) + (y4.q - y2.q) * (y4.q - y2.q) - l2 * l2,
                      (x4.q - l4) * (x4.q - l4) + y4.q * y4.q - l3 * l3, y2.q * cos(th.q) - x2.q * sin(th.q)};
  for (int k = 0; k < 4; ++k) {
    const int l = b.add_multiplier({"lambda" + std::to_string(k + 1), "N"});
    b.set_constraint(l, s * phi[k]);
    b.add_signal("lambda" + std::to_string(k + 1), "N", s * vars.multiplier(l));
  }

  // load: ends at t = 1 with zero value and slope
  if (options.constant_force != 0 || options.sine_force != 0)
    b.add_balance(ix4, -(options.constant_force + options.sine_force * sin(3 * t)));
  else
    b.add_balance(ix4, -select(less(t, 1), 10 * (1 - cos(2 * std::numbers::pi * t)), 0));

  // reference and controller
  const Expr r = min(max((t - 0.2) / 0.6, 0), 1);
  const Expr reference = theta0 + 0.3 * r * r * r * (10 - 15 * r + 6 * r * r);
  if (options.digital) {
    const int clock = b.add_clock(period);
    const int ixk = b.add_discrete("pid.x", 0), iyk = b.add_discrete("pid.y", 0);
    // the first sample, at t = 0, finds no error: x₀ = 0 stays
    const Expr xk = vars.discrete(ixk) + period * (th.q - reference);
    b.set_clocked_update(ixk, clock, xk);
    b.set_clocked_update(iyk, clock, -p * (th.q - reference) - d * th.v - i * xk);
    b.add_balance(it, -vars.discrete(iyk));
    b.add_signal("x", "rad.s", vars.discrete(ixk));
  } else {
    const int ixs = b.add_state({"pid.x", "rad.s"}, 0);
    const auto x = vars.state(ixs);
    b.add_state_row(ixs, x.xd - (th.q - reference));
    const int iys = b.add_algebraic({"pid.y", "N.m"});
    b.add_algebraic_row(iys, vars.algebraic(iys) + p * (th.q - reference) + d * th.v + i * x.x);
    b.add_balance(it, -vars.algebraic(iys));
    b.add_signal("x", "rad.s", x.x);
  }
  b.add_signal("theta", "rad", th.q);
  b.add_signal("thetad", "rad/s", th.v);
  return b.build();
}

/// Free rigid body with principal inertias.
inline System make_free_body(std::array<double, 3> inertia, std::array<double, 3> w0) {
  Builder b;
  const int k = b.add_rotation({"body", ""}, {1, 0, 0, 0}, w0);
  const auto r = b.variables().rotation(k);
  const symbolic::Vec3 angular{{inertia[0] * r.w[0], inertia[1] * r.w[1], inertia[2] * r.w[2]}};
  const symbolic::Vec3 rate{{inertia[0] * r.alpha[0], inertia[1] * r.alpha[1], inertia[2] * r.alpha[2]}};
  b.add_rotation_balance(k, rate + cross(r.w, angular));
  const symbolic::Vec3 world = rotation_of_quaternion(r.p) * angular;
  for (int i = 0; i < 3; ++i) b.add_signal(std::string("w") + "xyz"[i], "rad/s", r.w[i]);
  for (int i = 0; i < 3; ++i) b.add_signal(std::string("L") + "xyz"[i], "kg.m2/s", world[i]);
  for (int i = 0; i < 4; ++i) b.add_signal(std::string("p") + std::to_string(i), "", r.p[i]);
  b.add_signal("energy", "J", dot(r.w, angular) / 2);
  return b.build();
}

/// ẋ = u(t) = sin t, held at the bound while u pushes outwards.
inline System make_saturated_integrator(double x0, double bound) {
  Builder b;
  auto& vars = b.variables();
  const int i = b.add_state({"integrator.x", ""}, x0);
  const auto x = vars.state(i);
  const Expr u = sin(vars.time());
  const Expr at_bound = b.relation("integrator at its bound", x.x - bound), pushes = b.relation("integrator input", u);
  b.add_state_row(i, x.xd - select(at_bound * pushes, 0, u));
  b.add_signal("x", "", x.x);
  b.add_signal("xd", "", x.xd);
  return b.build();
}

/// Series R, L, C at a voltage step: states current and capacitor voltage, one algebraic node.
inline System make_rlc(double r, double l, double c, double u) {
  Builder b;
  auto& vars = b.variables();
  const int ii = b.add_state({"L.i", "A"}, 0), iv = b.add_state({"C.v", "V"}, 0), in = b.add_algebraic({"node.v", "V"});
  const auto i = vars.state(ii), v = vars.state(iv);
  const Expr node = vars.algebraic(in);
  b.add_state_row(ii, l * i.xd - (node - v.x));
  b.add_state_row(iv, c * v.xd - i.x);
  b.add_algebraic_row(in, (u - node) / r - i.x);
  b.add_signal("L.i", "A", i.x);
  b.add_signal("C.v", "V", v.x);
  b.add_signal("node.v", "V", node);
  return b.build();
}

/// ẍ − μ(1 − x²)ẋ + x = 0 as two states.
inline System make_van_der_pol(double mu) {
  Builder b;
  auto& vars = b.variables();
  const int i0 = b.add_state({"y1", ""}, 2), i1 = b.add_state({"y2", ""}, 0);
  const auto y1 = vars.state(i0), y2 = vars.state(i1);
  b.add_state_row(i0, y1.xd - y2.x);
  b.add_state_row(i1, y2.xd - mu * ((1 - y1.x * y1.x) * y2.x) + y1.x);
  b.add_signal("y1", "", y1.x);
  b.add_signal("y2", "", y2.x);
  return b.build();
}

}  // namespace coenergy::solve::test
