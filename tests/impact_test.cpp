// Rigid stops with a coefficient of restitution against closed forms and hand solutions.
#include <fmt/format.h>

#include <cmath>

#include "tests/inline_model.hpp"

namespace coenergy::tests {
namespace {

constexpr double g = 9.81;

double last(const solve::Result& r, const std::string& signal) { return r.signal(signal).back(); }

/// Height and velocity of a ball dropped from h at t, with Newton's restitution e.
std::pair<double, double> bouncing_ball(double h, double e, double t) {
  double start = -std::sqrt(2 * h / g), v = std::sqrt(2 * g * h);  // as if thrown up before
  while (v > 1e-5 && t > start + 2 * v / g) start += 2 * v / g, v *= e;
  const double s = t - start;
  return v > 1e-5 ? std::pair(v * s - g * s * s / 2, v - g * s) : std::pair(0.0, 0.0);
}

TEST(Impact, ABallBouncesAndComesToRestAtTheFiniteTimeOfItsInfinitelyManyBounces) {
  for (const char* formulation : {"relative", "absolute"}) {
    const double e = 0.7, h = 1;
    const solve::Result r = run_text(std::string("energy: yes\nformulation: ") + formulation + R"y(
components:
  gravity: {type: multibody.Gravity}
  ball: {type: multibody.Body, mass: 2}
  fall: {type: multibody.Prismatic, parent: ground, child: ball, q0: 1, lower: 0, stop_restitution: 0.7}
)y",
                                     3, 0.05);
    ASSERT_EQ(r.status, solve::Status::done) << r.text;
    const double end = std::sqrt(2 * h / g) * (1 + e) / (1 - e);
    EXPECT_GT(end, 2.5);
    for (double t = 0.05; t < 3; t += 0.05) {
      const auto [z, v] = bouncing_ball(h, e, t);
      // impacts add up the errors of their instants, each some 1e-9
      EXPECT_NEAR(value_at(r, "ball.z", t), z, 1e-6) << t;
      if (std::abs(t - end) > 0.05) {
        EXPECT_NEAR(value_at(r, "fall.qd", t), v, 1e-5) << t;
      }
    }
    // at rest: exactly on the stop, which carries the weight; all energy is lost
    EXPECT_NEAR(last(r, "ball.z"), 0, 1e-9);
    EXPECT_NEAR(last(r, "fall.qd"), 0, 1e-12);
    EXPECT_EQ(last(r, "fall.lower_stop_closed"), 1);
    EXPECT_NEAR(last(r, "fall.lower_stop_force"), 2 * g, 1e-9);
    EXPECT_NEAR(last(r, "energy.dissipated"), 2 * g * h, 1e-6);
    const auto& stored = r.signal("energy.stored");
    const auto& lost = r.signal("energy.dissipated");
    for (std::size_t k = 0; k < stored.size(); ++k) EXPECT_NEAR(stored[k] + lost[k], stored[0], 1e-7);
  }
}

TEST(Impact, EveryMethodWithErrorControlFollowsTheBounces) {
  const model::Model ball = io::parse_model(R"y(
components:
  gravity: {type: multibody.Gravity}
  ball: {type: multibody.Body, mass: 2}
  fall: {type: multibody.Prismatic, parent: ground, child: ball, q0: 1, lower: 0, stop_restitution: 0.7}
)y",
                                            "ball.yaml");
  int methods = 0;
  for (const std::string& method : solve::method_names()) {
    solve::Options options;
    options.method = method, options.t_end = 2, options.output_step = 0.05;
    options.rtol = options.atol = 1e-8;
    if (!solve::is_adaptive(options)) continue;
    ++methods;
    const solve::Result r = run_model(ball, options);
    ASSERT_EQ(r.status, solve::Status::done) << method << ": " << r.text;
    EXPECT_GE(r.statistics.events, 4) << method;
    for (double t = 0.05; t < 2; t += 0.05)
      // the errors of the instants, each some 1e-8 by a velocity of some m/s, add up
      EXPECT_NEAR(value_at(r, "ball.z", t), bouncing_ball(1, 0.7, t).first, 1e-5) << method << " " << t;
  }
  EXPECT_GE(methods, 4);
}

TEST(Impact, ARestingBodyLeavesItsStopWhenTheForceTurns) {
  // m a = F(t) − m g from the instant where F = 10 N/s t exceeds the weight
  const solve::Result r = run_text(R"y(
components:
  m: {type: mechanical.Mass, m: 1, s0: 0}
  lift: {type: mechanical.Force, flange: m, f: "10 N/s*time - 9.81 N"}
  floor: {type: mechanical.TranslationalStop, a: ground, b: m, lower: 0, stop_restitution: 0.5}
  crane: {type: mechanical.Force, flange: m, f: -5 N}
)y",
                                   1.5, 0.1);
  const double s = 1.5 - (g + 5) / 10;
  EXPECT_NEAR(last(r, "m.v"), 5 * s * s, 1e-7);
  EXPECT_NEAR(last(r, "m.s"), 10 * s * s * s / 6, 1e-7);
  EXPECT_EQ(value_at(r, "floor.lower_stop_closed", 1), 1);
  EXPECT_NEAR(value_at(r, "floor.lower_stop_force", 1), g + 5 - 10, 1e-6);
}

TEST(Impact, TwoMassesOfAChainCollideWithTheirMomentum) {
  // stop between the masses: v1' = (m1 v1 + m2 v2 + m2 e (v2 − v1))/(m1 + m2), likewise v2'
  const double m1 = 2, m2 = 3, e = 0.6, v1 = 1, v2 = -0.5;
  for (const char* formulation : {"relative", "absolute"}) {
    const solve::Result r = run_text(std::string("formulation: ") + formulation + R"y(
components:
  one: {type: multibody.Body, mass: 2}
  two: {type: multibody.Body, mass: 3}
  first: {type: multibody.Prismatic, parent: ground, child: one, axis: x, qd0: 1}
  second: {type: multibody.Prismatic, parent: one, child: two, axis: x, q0: 0.3, qd0: -1.5, lower: 0.1, stop_restitution: 0.6}
)y",
                                     0.3, 0.3);
    const double mean = (m1 * v1 + m2 * v2) / (m1 + m2);
    EXPECT_NEAR(last(r, "one.vx"), mean + m2 * e * (v2 - v1) / (m1 + m2), 1e-8) << formulation;
    EXPECT_NEAR(last(r, "two.vx"), mean - m1 * e * (v2 - v1) / (m1 + m2), 1e-8) << formulation;
  }
}

TEST(Impact, AStopInTheShoulderThrowsTheForearmByTheCoupledMassMatrix) {
  // two point masses on links l1, l2, bent by q2; the impulse acts on q1 alone, so that row 2 of M Δq̇ is zero
  const double l1 = 0.8, l2 = 0.5, mb = 3, e = 0.4, q2 = 0.9, w1 = 2, w2 = -1;
  const double b = mb * (l2 * l2 + l1 * l2 * std::cos(q2)), c = mb * l2 * l2;
  for (const char* formulation : {"relative", "absolute"}) {
    // no gravity, and started just before the stop: the rates have no time to change
    const solve::Result r = run_text(std::string("formulation: ") + formulation + R"y(
components:
  upper: {type: multibody.Body, mass: 2, com: [0.8, 0, 0]}
  fore: {type: multibody.Body, mass: 3, com: [0.5, 0, 0]}
  shoulder: {type: multibody.Revolute, parent: ground, child: upper, q0: -1e-9, qd0: 2, upper: 0, stop_restitution: 0.4}
  elbow: {type: multibody.Revolute, parent: upper, child: fore, parent_at: [0.8, 0, 0], q0: 0.9, qd0: -1}
)y",
                                     1e-8, 1e-8);
    EXPECT_NEAR(last(r, "shoulder.qd"), -e * w1, 1e-6) << formulation;
    EXPECT_NEAR(last(r, "elbow.qd"), w2 + b / c * (1 + e) * w1, 1e-6) << formulation;
  }
}

TEST(Impact, ALoopConservesItsEnergyWhereRestitutionIsOne) {
  // four-bar linkage, cut and closed by constraints; absolute coordinates have redundant ones
  const std::string text = R"y(
energy: yes
components:
  crank: {type: multibody.Body, mass: 1, com: [0.1, 0, 0], inertia: [0.01, 0.01, 0.01]}
  coupler: {type: multibody.Body, mass: 2, com: [0.25, 0, 0], inertia: [0.02, 0.02, 0.02]}
  rocker: {type: multibody.Body, mass: 1.5, com: [0.2, 0, 0], inertia: [0.02, 0.02, 0.02]}
  a: {type: multibody.Revolute, parent: ground, child: crank, q0: 60 deg, qd0: 3}
  b: {type: multibody.Revolute, parent: crank, child: coupler, parent_at: [0.2, 0, 0], guess: -50 deg}
  c: {type: multibody.Revolute, parent: coupler, child: rocker, parent_at: [0.5, 0, 0], guess: -100 deg}
  d: {type: multibody.Revolute, parent: ground, child: rocker, parent_at: [0.45, 0, 0], child_at: [0.4, 0, 0], guess: -90 deg,
      stop_restitution: 1, LIMIT}
)y";
  auto run = [&](const std::string& formulation, const std::string& limit) {
    std::string t = "formulation: " + formulation + text;
    t.replace(t.find("LIMIT"), 5, limit);
    return run_text(t, 0.3, 0.05);
  };
  const solve::Result free = run("relative", "upper: 10");
  const double start = free.signal("d.q").front(), travel = last(free, "d.q") - start;
  ASSERT_GT(std::abs(travel), 0.1);
  const double stop = start + 0.5 * travel;
  const std::string limit = (travel > 0 ? "upper: " : "lower: ") + std::to_string(stop);
  const solve::Result r = run("relative", limit), s = run("absolute", limit);
  EXPECT_LT(last(r, "d.qd") * travel, 0);
  for (const solve::Result* x : {&r, &s})
    EXPECT_NEAR(last(*x, "energy.stored"), x->signal("energy.stored").front(), 1e-7);
  for (const char* signal : {"a.q", "a.qd", "d.q", "d.qd", "rocker.wz"})
    EXPECT_NEAR(last(r, signal), last(s, signal), 1e-6) << signal;
}

TEST(Impact, ACradleOfTouchingBallsPassesTheVelocityOn) {
  const solve::Result r = run_text(R"y(
components:
  a: {type: mechanical.Mass, m: 1, s0: -0.1, v0: 1}
  b: {type: mechanical.Mass, m: 1, s0: 0}
  c: {type: mechanical.Mass, m: 1, s0: 0}
  d: {type: mechanical.Mass, m: 1, s0: 0}
  ab: {type: mechanical.TranslationalStop, a: a, b: b, lower: 0, stop_restitution: 1}
  bc: {type: mechanical.TranslationalStop, a: b, b: c, lower: 0, stop_restitution: 1}
  cd: {type: mechanical.TranslationalStop, a: c, b: d, lower: 0, stop_restitution: 1}
)y",
                                   0.3, 0.3);
  ASSERT_EQ(r.status, solve::Status::done) << r.text;
  for (const char* resting : {"a.v", "b.v", "c.v"}) EXPECT_NEAR(last(r, resting), 0, 1e-9) << resting;
  EXPECT_NEAR(last(r, "d.v"), 1, 1e-9);
}

TEST(Impact, AStuckBodyIsKnockedLooseAndStopsByFriction) {
  // e = 0: both move on together; friction decides only afterwards
  const solve::Result r = run_text(R"y(
components:
  ram: {type: mechanical.Mass, m: 1, s0: -0.2, v0: 3}
  box: {type: mechanical.Mass, m: 2}
  rub: {type: mechanical.TranslationalFriction, a: ground, b: box, coulomb: 6 N, law: stick}
  hit: {type: mechanical.TranslationalStop, a: ram, b: box, lower: 0, stop_restitution: 0}
)y",
                                   2, 0.01);
  ASSERT_EQ(r.status, solve::Status::done) << r.text;
  // together v = 1 m/s, then 3 kg slowed by 6 N for 0.5 s over 0.25 m
  const double hit = 0.2 / 3;
  EXPECT_NEAR(value_at(r, "box.v", 0.3), 1 - 2 * (0.3 - hit), 1e-7);
  EXPECT_NEAR(last(r, "box.s"), 0.25, 1e-7);
  EXPECT_NEAR(last(r, "box.v"), 0, 1e-9);
  EXPECT_NEAR(last(r, "ram.v"), 0, 1e-9);
}

TEST(Impact, AStopAndStickingFrictionShareWhatBothHold) {
  // the arm falls on its stop and sticks there: the load of 1 N.m·g is held by both, in equal parts
  const solve::Result r = run_text(R"y(
components:
  gravity: {type: multibody.Gravity}
  arm: {type: multibody.Body, mass: 2, com: [0.5, 0, 0], inertia: [0, 0.1, 0.1]}
  hinge: {type: multibody.Revolute, parent: ground, child: arm, axis: y, upper: 1, stop_restitution: 0.5, friction: {law: stick, coulomb: 2}}
)y",
                                   5, 0.1);
  ASSERT_EQ(r.status, solve::Status::done) << r.text;
  EXPECT_NEAR(last(r, "hinge.q"), 1, 1e-9);
  EXPECT_NEAR(last(r, "hinge.qd"), 0, 1e-9);
  EXPECT_NEAR(last(r, "hinge.upper_stop_force") + last(r, "hinge.friction_force"), g * std::cos(1.0), 1e-6);
  EXPECT_LE(std::abs(last(r, "hinge.friction_force")), 2 + 1e-9);
}

// only one ball of a cradle moves at a time, the outer ones in turn: the sum of the angles is that of one pendulum
TEST(Impact, ACradleKeepsItsLawWhateverTheToleranceAndTheMethod) {
  const auto cradle = [](int balls) {
    std::string text = "energy: yes\ncomponents:\n  gravity: {type: multibody.Gravity, g: [0, -9.81, 0]}\n";
    for (int k = 0; k < balls; ++k) {
      const std::string n = std::to_string(k);
      text += "  b" + n + ": {type: multibody.Body, mass: 0.4, com: [0, -0.7, 0]}\n  j" + n +
              ": {type: multibody.Revolute, parent: ground, child: b" + n + ", parent_at: [" + std::to_string(0.1 * k) +
              ", 0, 0], shaft: s" + n + (k == 0 ? ", q0: -0.6" : "") + "}\n";
      if (k > 0)
        text += "  c" + n + ": {type: mechanical.RotationalStop, a: s" + std::to_string(k - 1) + ", b: s" + n +
                ", lower: 0, stop_restitution: 1}\n";
    }
    return io::parse_model(text, "m.yaml");
  };
  for (double rtol : {1e-6, 1e-9})
    for (const char* method : {"radau", "esdirk", "dopri"}) {
      solve::Options options;
      options.t_end = 10, options.output_step = 0.05, options.method = method;
      options.rtol = rtol, options.atol = 0.01 * rtol;
      options.record_events = false;
      const solve::Result one = run_model(cradle(1), options), four = run_model(cradle(4), options);
      ASSERT_EQ(four.status, solve::Status::done) << four.text;
      ASSERT_EQ(one.times.size(), four.times.size());
      const double tolerance = 3e3 * rtol;  // a thousand steps, and a time of impact that shifts what follows
      const std::vector<double> alone = one.signal("j0.q");
      for (std::size_t i = 0; i < one.times.size(); ++i) {
        double sum = 0;
        for (const char* q : {"j0.q", "j1.q", "j2.q", "j3.q"}) sum += four.signal(q)[i];
        EXPECT_NEAR(sum, alone[i], tolerance) << method << rtol << one.times[i];
        EXPECT_NEAR(four.signal("j1.q")[i], 0, tolerance) << method << rtol << one.times[i];
        EXPECT_NEAR(four.signal("j2.q")[i], 0, tolerance) << method << rtol << one.times[i];
      }
      EXPECT_NEAR(last(four, "energy.dissipated"), 0, tolerance) << method << rtol;
    }
}

TEST(Impact, WhatIsSymmetricStaysSymmetric) {
  for (const char* method : {"radau", "generalized-alpha", "dopri"}) {
    solve::Options options;
    options.t_end = 2, options.method = method;
    const solve::Result r = run_model(io::parse_model(R"y(
components:
  left: {type: mechanical.Mass, m: 1 kg, s0: -1 m, v0: 1 m/s}
  middle: {type: mechanical.Mass, m: 3 kg}
  right: {type: mechanical.Mass, m: 1 kg, s0: 1 m, v0: -1 m/s}
  a: {type: mechanical.TranslationalStop, a: left, b: middle, lower: 0, stop_restitution: 0.6}
  b: {type: mechanical.TranslationalStop, a: middle, b: right, lower: 0, stop_restitution: 0.6}
)y",
                                                      "m.yaml"),
                                      options);
    ASSERT_EQ(r.status, solve::Status::done) << r.text;
    EXPECT_NEAR(last(r, "left.v"), -0.6, 1e-9) << method;
    EXPECT_NEAR(last(r, "middle.v"), 0, 1e-9) << method;
    EXPECT_NEAR(last(r, "right.v"), 0.6, 1e-9) << method;
  }
}

// a body on a floor (both without restitution) is hit from above: the floor holds it at once; with restitution each in
// turn
TEST(Impact, OfABodyThatRestsIsPassedOnToWhatItRestsOn) {
  const auto run = [](double e) {
    return run_text(fmt::format(R"y(
components:
  top: {{type: mechanical.Mass, m: 1 kg, s0: 1 m, v0: -2 m/s}}
  low: {{type: mechanical.Mass, m: 1 kg}}
  a: {{type: mechanical.TranslationalStop, a: low, b: top, lower: 0, stop_restitution: {0}}}
  b: {{type: mechanical.TranslationalStop, a: ground, b: low, lower: 0, stop_restitution: {0}}}
)y",
                                e),
                    0.7);
  };
  const solve::Result plastic = run(0), elastic = run(1), half = run(0.5);
  EXPECT_NEAR(last(plastic, "top.v"), 0, 1e-9);
  EXPECT_NEAR(last(plastic, "low.v"), 0, 1e-9);
  EXPECT_NEAR(last(elastic, "top.v"), 2, 1e-9);
  EXPECT_NEAR(last(elastic, "low.v"), 0, 1e-9);
  // 2 → (0.5, 1.5); floor: 1.5 → −0.75; −0.75 against 0.5: sum −0.25, difference 0.5 · 1.25
  EXPECT_NEAR(last(half, "top.v"), 0.125 + 0.3125, 1e-9);
  EXPECT_NEAR(last(half, "low.v"), 0.125 - 0.3125 < 0 ? 0.5 * (0.3125 - 0.125) : 0, 1e-9);
}

TEST(Impact, AStartBeyondAStopIsRefused) {
  for (const char* v0 : {"0", "0.5", "-0.5"}) {
    try {
      run_text(std::string(R"y(
components:
  m: {type: mechanical.Mass, m: 1 kg, s0: 0.2 m, v0: )y") +
                   v0 + R"y(}
  s: {type: mechanical.TranslationalStop, a: ground, b: m, upper: -0.3 m, stop_restitution: 0.5}
)y",
               1);
      ADD_FAILURE() << "not refused";
    } catch (const Error& e) {
      EXPECT_STREQ(e.what(), "s.upper_stop: the start lies 0.5 beyond this rigid stop; start within the range");
    }
  }
}

TEST(Impact, TheUserIsToldWhatAStopNeeds) {
  EXPECT_EQ(
      error_of("components:\n  b: {type: multibody.Body, mass: 1}\n"
               "  j: {type: multibody.Prismatic, parent: ground, child: b, q0: 2, upper: 1, stop_restitution: 0}\n"),
      "m.yaml:3:3: j: q0 = 2 lies beyond the rigid stop at 1; start within the range");
  EXPECT_EQ(error_of("components:\n  m: {type: mechanical.Mass, m: 1}\n  s: {type: mechanical.TranslationalStop, a: "
                     "ground, b: m}\n"),
            "m.yaml:3:3: s: it needs lower, upper or both");
  EXPECT_EQ(
      error_of("components:\n  m: {type: mechanical.Mass, m: 1}\n"
               "  s: {type: mechanical.TranslationalStop, a: ground, b: m, lower: 0}\n"),
      "m.yaml:3:3: s: a range with lower or upper needs either stop_stiffness (elastic) or stop_restitution (rigid)");
}

}  // namespace
}  // namespace coenergy::tests
