// Linear models of what rolls, and by inputs that are items of lists.
#include <cmath>
#include <nlohmann/json.hpp>

#include "coenergy/analyze/linearize.hpp"
#include "coenergy/analyze/modes.hpp"
#include "coenergy/solve/initialize.hpp"
#include "tests/inline_model.hpp"
#include "tests/program.hpp"

namespace coenergy::tests {
namespace {

// ---- non-holonomic constraints

/// A disk on a plane, its centre by slides and its attitude by three hinges: heading, lean, spin. Upright, it rolls along x.
std::string rolling_disk(double spin) {
  char text[1400];
  std::snprintf(text, sizeof text, R"y(components:
  gravity: {type: multibody.Gravity, g: [0, 0, -9.81]}
  x: {type: multibody.Prismatic, parent: ground, child: cx, axis: x, qd0: %.17g}
  y: {type: multibody.Prismatic, parent: cx, child: cy, axis: y}
  z: {type: multibody.Prismatic, parent: cy, child: cz, axis: z}
  heading: {type: multibody.Revolute, parent: cz, child: fork, axis: z}
  lean: {type: multibody.Revolute, parent: fork, child: hub, axis: x}
  spin: {type: multibody.Revolute, parent: hub, child: disk, axis: y, qd0: %.17g}
  cx: {type: multibody.Body, mass: 0}
  cy: {type: multibody.Body, mass: 0}
  cz: {type: multibody.Body, mass: 0}
  fork: {type: multibody.Body, mass: 0}
  hub: {type: multibody.Body, mass: 0}
  disk: {type: multibody.Body, mass: 1.7, inertia: [0.034425, 0.06885, 0.034425]}
  roll: {type: multibody.RollingDisk, body: disk, radius: 0.2846, height: -0.2846}
)y",
                0.2846 * spin, spin);
  return text;
}

TEST(NonHolonomic, ARollingDiskSwingsAboveItsCriticalSpeedAndFallsBelow) {
  // lean θ: A (A + m r²) λ² = A m g r − (C + m r²) C Ω² with A about a diameter, C about the axis (Routh 1905)
  const double m = 1.7, r = 0.2846, A = 0.034425, C = 0.06885, g = 9.81;
  const double critical = std::sqrt(A * m * g * r / ((C + m * r * r) * C));
  for (const double spin : {0.6 * critical, 1.5 * critical, 4 * critical}) {
    equations::Evaluator evaluator(compile_model(io::parse_model(rolling_disk(spin), "m.yaml")));
    const solve::Start start = solve::initialize(evaluator);
    ASSERT_TRUE(start.good) << start.text;
    const analyze::Linearization linear = analyze::linearize_states(evaluator, start.point);
    // five positions on the plane, and three ways to turn
    EXPECT_EQ(linear.coordinates.size(), 5u);
    EXPECT_EQ(linear.rates, 3);
    EXPECT_EQ(linear.model.states.size(), 8u);
    const double square = (A * m * g * r - (C + m * r * r) * C * spin * spin) / (A * (A + m * r * r));
    const std::complex<double> expected = std::sqrt(std::complex<double>(square));
    // all others count on: x, y, heading and spin, with their constant rates
    int found = 0, others = 0;
    for (const analyze::Mode& mode : analyze::compute_modes(evaluator.system(), linear).modes) {
      const std::complex<double> value = mode.eigenvalue;
      const bool fits = std::min(std::abs(value - expected), std::abs(value + expected)) < 1e-7 * std::abs(expected);
      found += fits ? (value.imag() > 0 ? 2 : 1) : 0;
      if (fits) continue;
      // a root of three of round-off, since zero is a triple one
      EXPECT_LT(std::abs(value), 1e-3 * std::abs(expected)) << value;
      others += value.imag() > 0 ? 2 : 1;
    }
    EXPECT_EQ(found, 2) << spin;
    EXPECT_EQ(others, 6) << spin;
  }
}

TEST(NonHolonomic, ItsLinearModelPredictsTheRunBesideIt) {
  // a push on the lean rate; the linear run over a quarter of a second
  const double spin = 9;
  equations::Evaluator evaluator(compile_model(io::parse_model(rolling_disk(spin), "m.yaml")));
  const analyze::StateSpace model =
      analyze::linearize(evaluator, solve::initialize(evaluator).point, {}, {"heading.q", "y.q"}).model;
  const auto at = [&](const std::string& name) {
    return std::find(model.states.begin(), model.states.end(), name) - model.states.begin();
  };
  ASSERT_LT(at("lean.qd"), 8);
  // e^{A t} by its series over small steps
  constexpr int steps = 1000;
  constexpr double t = 0.25, h = t / steps;
  std::vector<double> x(8);
  constexpr double push = 1e-4;
  x[at("lean.qd")] = push;
  for (int k = 0; k < steps; ++k) {
    std::vector<double> term = x;
    for (int order = 1; order < 8; ++order) {
      std::vector<double> next(8);
      for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j) next[i] += h / order * model.a(i, j) * term[j];
      term = next;
      for (int i = 0; i < 8; ++i) x[i] += term[i];
    }
  }
  std::string pushed = rolling_disk(spin);
  const std::string lean = "child: hub, axis: x";
  pushed.replace(pushed.find(lean), lean.size(), lean + ", qd0: 1e-4");
  const solve::Result run = run_text(pushed, t, t);
  for (int k = 0; k < 2; ++k) {
    double expected = 0;
    for (int j = 0; j < 8; ++j) expected += model.c(k, j) * x[j];
    EXPECT_GT(std::abs(expected), 1e-8);
    // the motion itself is nonlinear by the square of the push
    EXPECT_NEAR(run.signal(model.outputs[k]).back(), expected, 2e-3 * std::abs(expected) + 1e-9) << model.outputs[k];
  }
}

TEST(NonHolonomic, WhatKnowsNoneIsRefusedByName) {
  const Folder folder;
  const std::string file = folder.write("disk.yaml", rolling_disk(9));
  EXPECT_EQ(run_program({"modes", file}).status, 0);
  const Outcome periodic = run_program({"periodic", file, "--period", "1"});
  EXPECT_EQ(periodic.status, 1);
  EXPECT_NE(periodic.message.find("a periodic state knows no non-holonomic constraints, such as rolling"),
            std::string::npos)
      << periodic.message;
}

// ---- ball joints

const std::string ball = R"y(components:
  gravity: {type: multibody.Gravity, g: [0, 0, -9.81]}
  hip: {type: multibody.Spherical, parent: ground, child: leg, parent_at: [0, 0, 1]}
  leg: {type: multibody.Body, mass: 1.4 kg, com: [0, 0, -0.3], inertia: [0.09, 0.08, 0.02]}
)y";

TEST(BallJoints, SmallTurnsAreStatesOfTheirOwnName) {
  // hip.wx is a rate wherever it is recorded; ω² = m g l/(J + m l²) about x and y, and a free turn about z
  equations::Evaluator evaluator(compile_model(io::parse_model(ball, "m.yaml")));
  const analyze::Linearization linear =
      analyze::linearize(evaluator, solve::initialize(evaluator).point, {}, {"hip.wx"});
  EXPECT_EQ(linear.model.states,
            (std::vector<std::string>{"hip.turn_x", "hip.turn_y", "hip.turn_z", "hip.wx", "hip.wy", "hip.wz"}));
  EXPECT_EQ(linear.model.state_units[0], "rad");
  EXPECT_EQ(linear.model.state_units[3], "rad/s");
  EXPECT_EQ(linear.model.c(0, 3), 1);
  EXPECT_NEAR(linear.model.a(3, 0), -1.4 * 9.81 * 0.3 / (0.09 + 1.4 * 0.09), 1e-12);
  EXPECT_NEAR(linear.model.a(4, 1), -1.4 * 9.81 * 0.3 / (0.08 + 1.4 * 0.09), 1e-12);
  EXPECT_EQ(linear.model.a(5, 2), 0);
}

TEST(BallJoints, ConventionsOfAnglesAndAxesAreDescribed) {
  for (const auto& [type, part] : {std::pair("multibody.Sensor", "first turn, about x: R = Rz(yaw) Ry(pitch) Rx(roll)"),
                                   std::pair("multibody.Sensor", "in the axes of the world or of `from`"),
                                   std::pair("multibody.Revolute", "angles about its x, then y, then z: R = Rz Ry Rx"),
                                   std::pair("multibody.Gravity", "acceleration, world axes"),
                                   std::pair("multibody.Body", "angular velocity, body axes")}) {
    const std::string text = run_program({"describe", type}).output;
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }
  // and mean what they say: yaw 0.3 after pitch 0.2 after roll 0.1
  const solve::Result r = run_text(R"y(components:
  b: {type: multibody.Body, mass: 1 kg, inertia: [1, 1, 1], angles: [0.1, 0.2, 0.3]}
  s: {type: multibody.Sensor, body: b, at: [1, 0, 0]}
)y",
                                   0.1, 0.1);
  EXPECT_NEAR(r.signal("s.roll").front(), 0.1, 1e-12);
  EXPECT_NEAR(r.signal("s.yaw").front(), 0.3, 1e-12);
  // R e_x = Rz Ry e_x
  EXPECT_NEAR(r.signal("s.x").front(), std::cos(0.3) * std::cos(0.2), 1e-12);
  EXPECT_NEAR(r.signal("s.z").front(), -std::sin(0.2), 1e-12);
}

TEST(BallJoints, KinematicsTellTheirAttitude) {
  // the tip at (0, 0, 0.5) is to reach (0, -0.5, 1): a quarter turn about x backwards
  const Folder folder;
  const std::string file = folder.write("ball.yaml", ball);
  const Outcome o = run_program({"kinematics", file, "--point", "leg:0,0,-0.5", "--target", "0,-0.5,1", "--json"});
  ASSERT_EQ(o.status, 0) << o.message;
  const nlohmann::json j = nlohmann::json::parse(o.output);
  double norm = 0;
  std::vector<double> p;
  for (const char* name : {"hip.p0", "hip.p1", "hip.p2", "hip.p3"}) {
    ASSERT_TRUE(j["joints"].contains(name)) << o.output;
    p.push_back(j["joints"][name].get<double>());
    norm += p.back() * p.back();
  }
  EXPECT_NEAR(norm, 1, 1e-12);
  // R (0, 0, −0.5) with the third column of R of p, whatever the turn about the leg itself
  EXPECT_NEAR(-0.5 * 2 * (p[1] * p[3] + p[0] * p[2]), 0, 1e-8);
  EXPECT_NEAR(-0.5 * 2 * (p[2] * p[3] - p[0] * p[1]), -0.5, 1e-8);
  const Outcome text = run_program({"kinematics", file, "--point", "leg:0,0,-0.5", "--target", "0,-0.5,1"});
  EXPECT_NE(text.output.find("hip.p3"), std::string::npos) << text.output;
}

// ---- items of lists

const std::string pushed = R"y(components:
  slide: {type: multibody.Prismatic, parent: ground, child: cart, axis: y}
  cart: {type: multibody.Body, mass: 2.5 kg, com: [0, 0.1, 0]}
  spring: {type: mechanical.TranslationalSpringDamper, a: ground, b: slide.shaft, k: 80 N/m, d: 3 N.s/m}
  push: {type: multibody.Force, body: cart, force: [0 N, 1 N, 0 N]}
simulate: {t_end: 0.3 s, method: radau, rtol: 1e-10, atol: 1e-12, output_step: 0.3 s}
)y";

TEST(ListItems, AForceIsAnInputOfTheLinearModel) {
  // y/F = 1/(m s² + d s + k) along the slide, nothing across it
  const Folder folder;
  const std::string file = folder.write("m.yaml", pushed);
  for (const std::string item : {"push.force[1]", "push.force[2]"}) {
    const Outcome o = run_program({"bode", file, "--input", item, "--output", "slide.q", "--from", "0.2", "--to", "5",
                                   "--points", "4", "--json"});
    ASSERT_EQ(o.status, 0) << o.message;
    for (const auto& row : nlohmann::json::parse(o.output)["rows"]) {
      const std::complex<double> s(0, 2 * M_PI * row["frequency"].get<double>());
      const std::complex<double> expected = item == "push.force[1]" ? 1.0 / (2.5 * s * s + 3.0 * s + 80.0) : 0.0;
      const std::complex<double> found(row["real"].get<double>(), row["imaginary"].get<double>());
      EXPECT_LT(std::abs(found - expected), 1e-12) << item;
    }
  }
}

TEST(ListItems, AreParametersOfSensitivitiesEvenIfTheyAreZeroOrOne) {
  const Folder folder;
  const std::string file = folder.write("m.yaml", pushed);
  // at rest y = F/k, with the weight across
  const Outcome rest = run_program({"sensitivity", file, "--op", "--parameter", "push.force[1]", "--parameter",
                                    "push.force[0]", "--signal", "slide.q", "--json"});
  ASSERT_EQ(rest.status, 0) << rest.message;
  const auto of_rest = nlohmann::json::parse(rest.output)["signals"]["slide.q"];
  EXPECT_NEAR(of_rest["derivatives"]["push.force[1]"].get<double>(), 1 / 80.0, 1e-14);
  EXPECT_EQ(of_rest["derivatives"]["push.force[0]"].get<double>(), 0);
  EXPECT_EQ(of_rest["derivative_units"]["push.force[1]"], "m/N");
  // along the run q(t) is proportional to the force
  const Outcome run =
      run_program({"sensitivity", file, "--parameter", "push.force[1]", "--signal", "slide.q", "--json"});
  ASSERT_EQ(run.status, 0) << run.message;
  const auto of_run = nlohmann::json::parse(run.output)["signals"]["slide.q"];
  EXPECT_NEAR(of_run["derivatives"]["push.force[1]"].get<double>(), of_run["value"].get<double>(), 1e-10);
  // what follows a signal is no number
  std::string bound = pushed;
  bound.replace(bound.find("1 N,"), 3, "\"1 N/m*slide.q\"");
  const Outcome refused = run_program(
      {"sensitivity", folder.write("b.yaml", bound), "--parameter", "push.force[1]", "--signal", "slide.q"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.message.find("--parameter push.force[1]: it is no number"), std::string::npos) << refused.message;
  const Outcome none = run_program({"sensitivity", file, "--parameter", "push.force[5]", "--signal", "slide.q"});
  EXPECT_EQ(none.status, 2);
  EXPECT_NE(none.message.find("push.force[5]"), std::string::npos) << none.message;
}

}  // namespace
}  // namespace coenergy::tests
