#include <gtest/gtest.h>

#include <cmath>

#include "coenergy/solve/initialize.hpp"
#include "tests/inline_model.hpp"

// Joints, contacts, constraints and sensors against closed forms.

namespace coenergy::tests {
namespace {

constexpr double g = 9.81;
const std::string head = "components:\n  gravity: {type: multibody.Gravity}\n";

double last(const solve::Result& r, const std::string& signal) { return r.signal(signal).back(); }

TEST(Joints, ANutFallsOnAScrewWithItsReflectedInertia) {
  // m z̈ = −m g + f, J φ̈ = −p f, z = p φ:  z̈ = −g/(1 + J/(m p²))
  const solve::Result r = run_text(head + R"y(
  nut: {type: multibody.Body, mass: 2, inertia: [0.01, 0.01, 0.003]}
  thread: {type: multibody.Screw, parent: ground, child: nut, pitch: 0.2}
)y",
                                   1, 0.5);
  const double p = 0.2 / (2 * M_PI), a = -g / (1 + 0.003 / (2 * p * p));
  EXPECT_NEAR(last(r, "nut.z"), a / 2, 1e-9);
  EXPECT_NEAR(last(r, "thread.q1"), a / 2 / p, 1e-7);
  EXPECT_NEAR(last(r, "thread.f"), 2 * (a + g), 1e-7);
}

TEST(Joints, ABeadOnALineAndAPuckOnAPlaneAreFreeToTurn) {
  const solve::Result r = run_text(head + R"y(
  bead: {type: multibody.Body, mass: 1, inertia: [0.1, 0.1, 0.1], angular_velocity: [0, 0, 3]}
  line: {type: multibody.PointOnLine, parent: ground, child: bead, axis: [0.6, 0, -0.8]}
  puck: {type: multibody.Body, mass: 1, inertia: [0.1, 0.1, 0.1], angular_velocity: [0, 2, 0]}
  plane: {type: multibody.PointOnPlane, parent: ground, child: puck, parent_angles: [30 deg, 0, 0], q1d_0: 1}
)y",
                                   1, 0.5);
  EXPECT_NEAR(last(r, "line.q1"), 0.8 * g / 2, 1e-8);
  EXPECT_NEAR(last(r, "bead.wz"), 3, 1e-9);
  EXPECT_NEAR(last(r, "plane.q1"), 1, 1e-8);
  EXPECT_NEAR(last(r, "plane.q2"), -g / 2 * std::sin(M_PI / 6), 1e-8);
  EXPECT_NEAR(last(r, "puck.wy"), 2, 1e-9);
}

TEST(Joints, AChainOfTurnsMovesLikeAQuaternion) {
  // the same top on a ball joint, and the same free body, in both descriptions and both formulations
  const std::string body = R"y(
  top: {type: multibody.Body, mass: 2, com: [0.1, 0, 0.4], inertia: [0.05, 0.06, 0.02]ANGLES}
  rock: {type: multibody.Body, mass: 1, com: [0.2, 0.1, 0], inertia: [0.03, 0.05, 0.07], angular_velocity: [1, 2, -0.5]}
)y";
  auto run = [&](const std::string& formulation, bool chain) {
    std::string text = "formulation: " + formulation + "\n" + head + body;
    // R = Rx(0.3) Ry(0.5) Rz(0.2) is given to the quaternion by the angles about x, then y, then z of R = Rz Ry Rx
    const double a = 0.3, b = 0.5, c = 0.2;
    const double r00 = std::cos(b) * std::cos(c),
                 r10 = std::cos(a) * std::sin(c) + std::sin(a) * std::sin(b) * std::cos(c);
    const double r20 = std::sin(a) * std::sin(c) - std::cos(a) * std::sin(b) * std::cos(c);
    const double r21 = std::sin(a) * std::cos(c) + std::cos(a) * std::sin(b) * std::sin(c),
                 r22 = std::cos(a) * std::cos(b);
    char angles[200];
    std::snprintf(angles, sizeof angles, ", angles: [%.17g, %.17g, %.17g], angular_velocity: [1, 0.5, 4]",
                  std::atan2(r21, r22), std::atan2(-r20, std::hypot(r00, r10)), std::atan2(r10, r00));
    // body rates of the chain: ω = Rzᵀ Ryᵀ x̂ q̇1 + Rzᵀ ŷ q̇2 + ẑ q̇3, solved for the rates
    const double w[] = {1, 0.5, 4};
    const double q1d = (std::cos(c) * w[0] - std::sin(c) * w[1]) / std::cos(b);
    const double q2d = std::sin(c) * w[0] + std::cos(c) * w[1], q3d = w[2] - std::sin(b) * q1d;
    text.replace(text.find("ANGLES"), 6, chain ? "" : angles);
    char joint[300];
    std::snprintf(joint, sizeof joint,
                  ", as: xyz, q1_0: 0.3, q2_0: 0.5, q3_0: 0.2, q1d_0: %.17g, q2d_0: %.17g, q3d_0: %.17g", q1d, q2d,
                  q3d);
    text += "  ball: {type: multibody.Spherical, parent: ground, child: top" + std::string(chain ? joint : "") + "}\n";
    if (chain)
      text += "  fly: {type: multibody.Free, parent: ground, child: rock, as: zyx, q6d_0: 1, q5d_0: 2, q4d_0: -0.5}\n";
    return run_text(text, 0.5, 0.5);
  };
  const solve::Result wanted = run("relative", false);
  for (const char* formulation : {"relative", "absolute", "lagrange"}) {
    const solve::Result r = run(formulation, true);
    for (const char* signal : {"top.wx", "top.wy", "top.wz", "rock.wx", "rock.wy", "rock.wz", "rock.x", "rock.z"})
      EXPECT_NEAR(last(r, signal), last(wanted, signal), 1e-7) << formulation << " " << signal;
  }
  EXPECT_EQ(
      error_of(head + "  b: {type: multibody.Body, mass: 1, inertia: [1, 1, 1]}\n"
                      "  j: {type: multibody.Spherical, parent: ground, child: b, q1_0: 1}\n"),
      "m.yaml:4:3: j: start angles belong to a chain of turns (as: xyz, …); a quaternion starts from the angles and "
      "the angular_velocity of the child body");
}

TEST(Joints, ADriveShowsTheTorqueItTakesAndALockHolds) {
  const std::string text = head + R"y(
  arm: {type: multibody.Body, mass: 2, com: [0.5, 0, 0], inertia: [0, 0.1, 0.1]}
  hinge: {type: multibody.Revolute, parent: ground, child: arm, axis: -y, drive: "0.5*sin(2 1/s*time)"}
  tip: {type: multibody.Body, mass: 1, com: [0.2, 0, 0]}
  lock: {type: multibody.Revolute, parent: arm, child: tip, parent_at: [1, 0, 0], axis: y, q0: 0.3, locked: yes}
)y";
  const solve::Result r = run_text(text, 0.7, 0.7);
  const double q = 0.5 * std::sin(1.4), a = -2 * std::sin(1.4);
  // the tip's mass stands at 1 + 0.2 cos 0.3, −0.2 sin 0.3 of the arm
  const double x = 1 + 0.2 * std::cos(0.3), z = -0.2 * std::sin(0.3);
  const double J = 0.1 + 2 * 0.25 + x * x + z * z;
  const double gravity = g * (2 * 0.5 * std::cos(q) + x * std::cos(q) - z * std::sin(q));
  EXPECT_NEAR(last(r, "hinge.q"), q, 1e-9);
  EXPECT_NEAR(last(r, "hinge.drive_force"), J * a + gravity, 1e-6);
  EXPECT_NEAR(last(r, "lock.q"), 0.3, 1e-10);
}

TEST(Joints, AStopReturnsAMassAsHuntAndCrossleySay) {
  // c v − ln(1 + c v) is the same before and after, with v' < 0
  const double c = 0.3, v = 2;
  const solve::Result r = run_text(R"y(components:
  mass: {type: multibody.Body, mass: 1}
  slide: {type: multibody.Prismatic, parent: ground, child: mass, axis: x, qd0: 2, upper: 0.1, stop_stiffness: 1e4,
    stop_damping: 0.3}
)y",
                                   0.2, 0.2);
  double back = v;
  const double wanted = c * v - std::log(1 + c * v);
  for (int k = 0; k < 60; ++k) {
    const double f = -c * back - std::log(1 - c * back) - wanted, slope = -c + c / (1 - c * back);
    back -= f / slope;
  }
  EXPECT_LT(back, v);
  EXPECT_NEAR(last(r, "slide.qd"), -back, 1e-6);
}

TEST(Joints, ReactionsOfAPendulumAreThoseOfTheTextbook) {
  // m = 2, L = 1, hanging at 45° and at rest: Rx = −9.81, Ry = 9.81
  const std::string text = R"y(components:
  gravity: {type: multibody.Gravity, g: [0, -9.81, 0]}
  rod: {type: multibody.Body, mass: 2, com: [1, 0, 0]}
  pin: {type: multibody.Revolute, parent: ground, child: rod, axis: z, q0: -45 deg, reaction: yes}
)y";
  const solve::Result r = run_text(text, 0.01, 0.01);
  EXPECT_NEAR(r.signal("pin.qdd").front(), -g * std::sqrt(0.5), 1e-9);
  EXPECT_NEAR(r.signal("pin.fx").front(), -9.81, 1e-9);
  EXPECT_NEAR(r.signal("pin.fy").front(), 9.81, 1e-9);
  for (const char* torque : {"pin.tx", "pin.ty", "pin.tz"}) EXPECT_NEAR(r.signal(torque).front(), 0, 1e-9) << torque;
}

TEST(Joints, AWeldCarriesWeightAndMomentInWorldAxes) {
  const solve::Result r = run_text(head + R"y(
  arm: {type: multibody.Body, mass: 3, com: [0.4, 0, 0], inertia: [0.1, 0.1, 0.1]}
  weld: {type: multibody.Fixed, parent: ground, child: arm, parent_at: [1, 0, 2], parent_angles: [0.3, -0.5, 2],
    child_angles: [0.3, -0.5, 2], reaction: yes}
)y",
                                   0.01, 0.01);
  EXPECT_NEAR(last(r, "weld.fz"), 3 * g, 1e-9);
  EXPECT_NEAR(last(r, "weld.ty"), -0.4 * 3 * g, 1e-9);
  EXPECT_NEAR(last(r, "weld.tx"), 0, 1e-9);
}

TEST(Constraints, AWrittenConstraintActsLikeAGear) {
  const solve::Result r = run_text(R"y(components:
  a: {type: multibody.Body, mass: 1, inertia: [0, 0, 0.3]}
  b: {type: multibody.Body, mass: 1, inertia: [0, 0, 0.1]}
  ja: {type: multibody.Revolute, parent: ground, child: a, torque: 2}
  jb: {type: multibody.Revolute, parent: ground, child: b}
  gear: {type: multibody.Constraint, zero: "jb.q + 3*ja.q"}
)y",
                                   1, 0.5);
  EXPECT_NEAR(last(r, "ja.q"), 0.5 * 2 / (0.3 + 9 * 0.1), 1e-9);
  EXPECT_NEAR(last(r, "gear.h"), 0, 1e-10);
}

/// A knife edge on an inclined plane (Chaplygin's sleigh with the mass at the edge): it does not slide down, but moves
/// on a cycloid: x = (α/2ω²) sin² ωt, y = (α/2ω²)(ωt − ½ sin 2ωt), α = g sin(incline).
TEST(Constraints, AKnifeEdgeOnAnInclineMovesOnACycloid) {
  for (const char* method : {"radau", "generalized-alpha", "dopri"}) {
    const model::Model m = io::parse_model(R"y(components:
  gravity: {type: multibody.Gravity, g: [4.905, 0, 0]}
  sleigh: {type: multibody.Body, mass: 1, inertia: [0, 0, 0.2]}
  plane: {type: multibody.Planar, parent: ground, child: sleigh, q3d_0: 2}
  edge: {type: multibody.VelocityConstraint, zero: "plane.q1d*sin(plane.q3) - plane.q2d*cos(plane.q3)"
  }
)y",
                                           "m.yaml");
    solve::Options options;
    options.t_end = 1.3;
    options.method = method;
    options.step = 1e-3;
    if (solve::is_adaptive(options)) options.rtol = options.atol = 1e-10;
    const solve::Result r = run_model(m, options);
    const double a = 4.905, w = 2, t = 1.3, s = std::sin(w * t);
    // the fixed-step method is of second order
    const double tolerance = std::string(method) == "generalized-alpha" ? 1e-5 : 1e-8;
    EXPECT_NEAR(last(r, "sleigh.x"), a / (2 * w * w) * s * s, tolerance) << method;
    EXPECT_NEAR(last(r, "sleigh.y"), a / (2 * w * w) * (w * t - std::sin(2 * w * t) / 2), tolerance) << method;
    EXPECT_NEAR(last(r, "edge.psi"), 0, 1e-9) << method;
  }
}

TEST(Constraints, ADiskRollsDownAndItsContactCarriesIt) {
  // on a plane tilted by the field: a = g_x/(1 + J/(m r²)), friction m (g_x − a) backwards
  const solve::Result r = run_text(R"y(components:
  gravity: {type: multibody.Gravity, g: [3, 0, -9]}
  disk: {type: multibody.Body, mass: 2, inertia: [0.05, 0.09, 0.05]}
  ground_contact: {type: multibody.RollingDisk, body: disk, radius: 0.3, height: -0.3}
)y",
                                   1, 0.5);
  const double a = 3 / (1 + 0.09 / (2 * 0.09));
  EXPECT_NEAR(last(r, "disk.x"), a / 2, 1e-8);
  EXPECT_NEAR(last(r, "disk.wy"), a / 0.3, 1e-7);
  EXPECT_NEAR(last(r, "ground_contact.fx"), 2 * (a - 3), 1e-7);
  EXPECT_NEAR(last(r, "ground_contact.fz"), 18, 1e-7);
}

TEST(Forces, AOneSidedHardeningLinkFollowsItsLaw) {
  // slack from 0.5 to 0.7 m, then f = k δ^1.5
  const std::string text = R"y(components:
  mass: {type: multibody.Body, mass: 1}
  slide: {type: multibody.Prismatic, parent: ground, child: mass, axis: x, q0: 0.9}
  link: {type: multibody.PointSpringDamper, a: ground, b: mass, stiffness: 50, length: 0.5, slack: 0.2, exponent: 1.5,
    side: tension}
)y";
  const solve::Result r = run_text(text, 0.4, 0.1);
  EXPECT_NEAR(r.signal("link.f").front(), 50 * std::pow(0.2, 1.5), 1e-12);
  EXPECT_NEAR(r.signal("slide.qdd").front(), -50 * std::pow(0.2, 1.5), 1e-9);
  // free flight with the energy of the spring: v²/2 = k δ^2.5/2.5
  EXPECT_LT(last(r, "link.l"), 0.7);
  EXPECT_NEAR(last(r, "slide.qd"), -std::sqrt(2 * 50 * std::pow(0.2, 2.5) / 2.5), 1e-6);
}

TEST(Forces, ALawOfLengthAndRateMayBeWrittenOut) {
  const solve::Result r = run_text(R"y(components:
  mass: {type: multibody.Body, mass: 1}
  slide: {type: multibody.Prismatic, parent: ground, child: mass, axis: x, q0: 2, qd0: 1}
  link: {type: multibody.PointSpringDamper, a: ground, b: mass, force: "3 N/m2*link.l^2 + 2 N.s/m*link.ld"}
)y",
                                   0.01, 0.01);
  EXPECT_NEAR(r.signal("slide.qdd").front(), -(3 * 4 + 2), 1e-9);
}

TEST(Forces, ATyreRollsAtTheSpeedOfItsRimAndPullsBySlip) {
  // a driven wheel in steady acceleration: N = m g, F = m a = N μ tanh(s/s0)
  const solve::Result r = run_text(head + R"y(
  wheel: {type: multibody.Body, mass: 20, inertia: [0.5, 1, 0.5], velocity: [10, 0, 0], angular_velocity: [0, 33.4, 0]}
  plane: {type: multibody.Planar, parent: ground, child: wheel, parent_angles: [90 deg, 0, 0], child_angles: [90 deg, 0, 0],
    q1d_0: 10, q2_0: 0.299, q3d_0: -33.4}
  motor: {type: multibody.Torque, body: wheel, torque: [0, 12, 0]}
  tyre: {type: multibody.Tyre, body: wheel, radius: 0.3, stiffness: 2e5, damping: 2e3, mu: 0.9, s0: 0.05}
)y",
                                   2, 1);
  // J Ω̇ = M − r F, m v̇ = F, and Ω grows with v: F (1 + J/(m r²)) ≈ M/r
  const double F = 12 / 0.3 / (1 + 1 / (20 * 0.09));
  EXPECT_NEAR(last(r, "tyre.fz"), 20 * g, 1e-3 * 20 * g);
  EXPECT_NEAR(last(r, "tyre.fx"), F, 0.01 * F);
  const double s = last(r, "tyre.s");
  EXPECT_NEAR(last(r, "tyre.fx"), last(r, "tyre.fz") * 0.9 * std::tanh(s / 0.05), 1e-9 * F);
}

TEST(Forces, AWheelFollowsAWavyRoadWithTheResponseOfAMassOnASpring) {
  // m z̈ = −k (z − r − h) − d (ż − ḣ) − m g about its rest: amplitude ratio √((k² + d²ω²)/((k − mω²)² + d²ω²))
  const double k = 2e4, d = 400, m = 50, w = 15, a = 0.01;
  const solve::Result r = run_text("energy: yes\n" + head + R"y(
  wheel: {type: multibody.Body, mass: 50}
  guide: {type: multibody.Prismatic, parent: ground, child: wheel, q0: 0.275475}
  tyre: {type: multibody.Tyre, body: wheel, radius: 0.3, stiffness: 2e4, damping: 400, mu: 0.9, height: 0.01 m*sin(15 1/s*time)}
)y",
                                   6, 0.002);
  const double ratio = std::sqrt((k * k + d * d * w * w) / (std::pow(k - m * w * w, 2) + d * d * w * w));
  const auto& z = r.signal("wheel.z");
  double high = -1, low = 1;
  for (std::size_t i = z.size() - 400; i < z.size(); ++i) high = std::max(high, z[i]), low = std::min(low, z[i]);
  EXPECT_GT(ratio, 1.5);
  // rows every 2 ms miss the top by at most (ω 1 ms)²/2
  EXPECT_NEAR((high - low) / 2, ratio * a, 3e-4 * ratio * a);
  const auto &stored = r.signal("energy.stored"), &in = r.signal("energy.supplied"),
             &out = r.signal("energy.dissipated");
  EXPECT_NEAR(stored.back() - in.back() + out.back(), stored.front(), 1e-6);
}

TEST(Sensors, APointOfATwoLinkArmHasItsJacobian) {
  const equations::System system = compile_model(io::parse_model(R"y(components:
  upper: {type: multibody.Body, mass: 2, com: [0.5, 0, 0], inertia: [0, 0, 0.2]}
  lower: {type: multibody.Body, mass: 1, com: [0.4, 0, 0], inertia: [0, 0, 0.1]}
  j1: {type: multibody.Revolute, parent: ground, child: upper, q0: 0.3, qd0: 1}
  j2: {type: multibody.Revolute, parent: upper, child: lower, parent_at: [1, 0, 0], q0: 0.5, qd0: -2}
  tool: {type: multibody.Sensor, body: lower, at: [0.8, 0, 0], jacobian: yes}
  seen: {type: multibody.Sensor, body: lower, from: upper, at: [0.8, 0, 0]}
)y",
                                                                 "m.yaml"));
  equations::Evaluator evaluator(system);
  const equations::Point p = solve::initialize(evaluator).point;
  std::vector<double> values(system.signals().size());
  evaluator.signals(p, values);
  auto value = [&](const std::string& name) {
    EXPECT_GE(system.find_signal(name), 0) << name;
    return values[system.find_signal(name)];
  };
  const double c1 = std::cos(0.3), s1 = std::sin(0.3), c12 = std::cos(0.8), s12 = std::sin(0.8);
  EXPECT_NEAR(value("tool.x"), c1 + 0.8 * c12, 1e-14);
  EXPECT_NEAR(value("tool.yaw"), 0.8, 1e-14);
  EXPECT_NEAR(value("tool.Jx(j1.qd)"), -s1 - 0.8 * s12, 1e-14);
  EXPECT_NEAR(value("tool.Jy(j2.qd)"), 0.8 * c12, 1e-14);
  EXPECT_NEAR(value("tool.vx"), -s1 - 0.8 * s12 * (1 - 2), 1e-14);
  EXPECT_NEAR(value("seen.vy"), 0.8 * std::cos(0.5) * -2, 1e-14);
  const double a1 = value("j1.qdd"), a2 = value("j2.qdd");
  EXPECT_NEAR(value("tool.wz"), -1, 1e-14);
  EXPECT_NEAR(value("seen.wz"), -2, 1e-14);
  EXPECT_NEAR(value("tool.wdz"), a1 + a2, 1e-12);
  EXPECT_NEAR(value("tool.Jwz(j2.qd)"), 1, 1e-14);
  EXPECT_NEAR(value("tool.ax"), -c1 - s1 * a1 - 0.8 * (c12 * 1 + s12 * (a1 + a2)), 1e-12);
}

TEST(Joints, MistakesAreTold) {
  const std::string body = "  b: {type: multibody.Body, mass: 1, inertia: [1, 1, 1]}\n";
  auto told = [&](const std::string& line) { return error_of("components:\n" + body + line); };
  EXPECT_EQ(
      told("  j: {type: multibody.Revolute, parent: ground, child: b, lower: 1}\n"),
      "m.yaml:3:3: j: a range with lower or upper needs either stop_stiffness (elastic) or stop_restitution (rigid)");
  EXPECT_EQ(told("  j: {type: multibody.Revolute, parent: ground, child: b, lower: 1, upper: 0, stop_stiffness: 1}\n"),
            "m.yaml:3:3: j: lower must be below upper");
  EXPECT_EQ(told("  j: {type: multibody.Revolute, parent: ground, child: b, locked: yes, drive: time*1 rad/s}\n"),
            "m.yaml:3:3: j: it is locked and has a drive; choose one");
  EXPECT_EQ(told("  j: {type: multibody.Revolute, parent: ground, child: b, axis: [0, 0, 0]}\n"),
            "m.yaml:3:3: j: the axis is zero; it needs a direction, such as z or [0, 0, 1]");
  EXPECT_EQ(told("  c: {type: multibody.Constraint, zero: 3}\n"),
            "m.yaml:3:3: c: its constraint depends on no position or angle that can move");
  EXPECT_EQ(told("  c: {type: multibody.VelocityConstraint, zero: b.vx*b.vx}\n"),
            "m.yaml:3:3: c: its constraint is not linear in the velocity b.xd");
  EXPECT_EQ(told("  c: {type: multibody.VelocityConstraint, zero: b.x - 1 m}\n"),
            "m.yaml:3:3: c: its constraint depends on no velocity");
}

}  // namespace
}  // namespace coenergy::tests
