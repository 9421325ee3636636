#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "coenergy/compile/compile.hpp"
#include "coenergy/domains/standard.hpp"
#include "coenergy/io/model_file.hpp"
#include "coenergy/io/simulation_options.hpp"
#include "coenergy/solve/initialize.hpp"
#include "coenergy/solve/simulate.hpp"

// Published mechanisms (sources at each test), written as users write them, in both formulations.

namespace coenergy {
namespace {

struct Simulated {
  compile::Compiled compiled;
  solve::Options options;
  solve::Result result;
  double start_energy = 0, end_energy = 0;

  double end(const std::string& signal) const { return result.signal(signal).back(); }
};

Simulated run(const std::string& text, const std::string& formulation) {
  model::Model model = io::parse_model("formulation: " + formulation + "\n" + text, "test.yaml");
  const solve::Options options = io::read_simulation_options(model);
  Simulated r{compile::compile(model, domains::make_standard_registry()), options, {}};
  equations::Evaluator evaluator(r.compiled.system);
  r.start_energy = evaluator.energy(solve::initialize(evaluator, options).point).stored;
  r.result = solve::simulate(evaluator, options);
  EXPECT_EQ(r.result.status, solve::Status::done) << r.result.text;
  r.end_energy = evaluator.energy(r.result.end).stored;
  return r;
}

const std::string both[] = {"relative", "absolute"};

// ---- planar pendulum, IFToMM A01

TEST(Multibody, PlanarPendulumReachesTheReferenceDigits) {
  const std::string text = R"(
components:
  gravity: {type: multibody.Gravity, g: [0, -9.81, 0]}
  pin: {type: multibody.Revolute, parent: ground, child: rod, axis: z}
  rod: {type: multibody.Body, mass: 1, com: [-1, 0, 0]}
  bob: {type: multibody.Body, mass: 0}
  tip: {type: multibody.Fixed, parent: rod, child: bob, parent_at: [-1, 0, 0]}
simulate: {t_end: 10, method: radau, rtol: 1e-11, atol: 1e-12, output_step: 10}
)";
  const Simulated r = run(text, "relative");
  // 30 digits are known; the run is asked for 1e-11 per step
  EXPECT_NEAR(r.end("bob.x"), -0.2750874625761169, 1e-8);
  EXPECT_NEAR(r.end("bob.y"), -0.9614192050991251, 1e-8);
}

// ---- Andrews' squeezing mechanism

std::string andrews() {
  return R"(
parameters: {xa: -.06934, ya: -.00227, xb: -.03635, yb: .03273, xc: .014, yc: .072, d: .028, da: .0115, e: .02, ea: .01421,
  rr: .007, ra: .00092, ss: .035, sa: .01874, sb: .01043, sc: .018, sd: .02, ta: .02308, tb: .00916, u: .04, ua: .01228,
  ub: .00449, zf: .02, zt: .04, fa: .01421}
components:
  k1: {type: multibody.Body, mass: 0.04325, com: [ra, 0, 0], inertia: [0, 0, 2.194e-6]}
  k2: {type: multibody.Body, mass: 0.00365, com: [-da, 0, 0], inertia: [0, 0, 4.41e-7]}
  k3: {type: multibody.Body, mass: 0.02373, com: [sb, -sa, 0], inertia: [0, 0, 5.255e-6]}
  k4: {type: multibody.Body, mass: 0.00706, com: [0, ea - e, 0], inertia: [0, 0, 5.667e-7]}
  k5: {type: multibody.Body, mass: 0.0705, com: [ta, tb, 0], inertia: [0, 0, 1.169e-5]}
  k6: {type: multibody.Body, mass: 0.00706, com: [zf - fa, 0, 0], inertia: [0, 0, 5.667e-7]}
  k7: {type: multibody.Body, mass: 0.05498, com: [ub, -ua, 0], inertia: [0, 0, 1.912e-5]}
  beta: {type: multibody.Revolute, parent: ground, child: k1, q0: -0.0617138900142764496, torque: 0.033 N.m}
  theta: {type: multibody.Revolute, parent: k1, child: k2, parent_at: [rr, 0, 0]}
  gamma: {type: multibody.Revolute, parent: ground, child: k3, parent_at: [xb, yb, 0], guess: 0.45527981916307}
  delta: {type: multibody.Revolute, parent: ground, child: k5, parent_at: [xa, ya, 0], guess: 0.48736497954384}
  phi: {type: multibody.Revolute, parent: k5, child: k4, parent_at: [zt, 0, 0], guess: 0.22266839016589}
  epsilon: {type: multibody.Revolute, parent: ground, child: k7, parent_at: [xa, ya, 0], guess: 1.2305474445498}
  omega: {type: multibody.Revolute, parent: k7, child: k6, parent_at: [0, -u, 0], guess: -0.22266839016589}
  e3: {type: multibody.Revolute, parent: k2, child: k3, parent_at: [-d, 0, 0], child_at: [0, -ss, 0]}
  e4: {type: multibody.Revolute, parent: k2, child: k4, parent_at: [-d, 0, 0], child_at: [0, -e, 0]}
  e6: {type: multibody.Revolute, parent: k2, child: k6, parent_at: [-d, 0, 0], child_at: [zf, 0, 0]}
  spring: {type: multibody.PointSpringDamper, a: k3, b: ground, a_at: [sd, -sc, 0], b_at: [xc, yc, 0],
    stiffness: 4530, length: 0.07785}
simulate: {t_end: 0.03, method: radau, rtol: 1e-9, atol: 1e-11, output_step: 0.03}
)";
}

TEST(Multibody, AndrewsSqueezerReachesTheReferenceDigitsInBothFormulations) {
  const std::map<std::string, double> reference = {
      {"beta.q", 15.81077119629904},    {"theta.q", -15.75637105984298},   {"gamma.q", 0.04082224013073101},
      {"phi.q", -0.5347301163226948},   {"delta.q", 0.5244099658805304},   {"omega.q", 0.5347301163226948},
      {"epsilon.q", 1.048080741042263}, {"beta.qd", 1139.920302151208},    {"theta.qd", -1424.379294994111},
      {"gamma.qd", 11.03291221937134},  {"phi.qd", 19.29337464421385},     {"delta.qd", 0.5735699284790808},
      {"omega.qd", -19.29337464421385}, {"epsilon.qd", 0.3231791658026955}};
  for (const std::string& formulation : both) {
    const Simulated r = run(andrews(), formulation);
    // two turns of a fast crank at 1e-9 per step: seven digits
    for (const auto& [name, value] : reference)
      EXPECT_NEAR(r.end(name), value, 2e-7 * (1 + std::abs(value))) << name << ", " << formulation;
  }
}

TEST(Multibody, AndrewsSqueezerIsCountedAsOneDegreeOfFreedom) {
  const Simulated r = run(andrews(), "relative");
  EXPECT_EQ(r.compiled.summary.mechanism.coordinates, 7);
  EXPECT_EQ(r.compiled.summary.mechanism.constraints, 6);
  EXPECT_EQ(r.compiled.summary.mechanism.loops, 3);
  EXPECT_EQ(r.compiled.summary.mechanism.dropped.size(), 6u);
}

// ---- chain of four-bar windows, IFToMM A02

std::string make_windows(int n) {
  std::string text = "components:\n  gravity: {type: multibody.Gravity, g: [0, -9.81, 0]}\n";
  auto line = [&](const std::string& name, const std::string& entries) {
    text += "  " + name + ": {" + entries + "}\n";
  };
  for (int k = 0; k <= n; ++k) {
    const std::string i = std::to_string(k);
    line("bar" + i, "type: multibody.Body, mass: 1, com: [0, 0.5, 0], inertia: [1/12, 0, 1/12]");
    line("pin" + i, "type: multibody.Revolute, parent: ground, child: bar" + i + ", parent_at: [" + i + ", 0, 0]" +
                        (k == 0 ? ", qd0: -1" : ""));
  }
  for (int k = 0; k < n; ++k) {
    const std::string i = std::to_string(k), next = std::to_string(k + 1);
    line("top" + i, "type: multibody.Body, mass: 1, com: [0.5, 0, 0], inertia: [0, 1/12, 1/12]");
    line("left" + i, "type: multibody.Revolute, parent: bar" + i + ", child: top" + i + ", parent_at: [0, 1, 0]");
    line("right" + i, "type: multibody.Revolute, parent: top" + i + ", child: bar" + next +
                          ", parent_at: [1, 0, 0], child_at: [0, 1, 0]");
  }
  return text + "simulate: {t_end: 10, method: radau, rtol: 1e-10, atol: 1e-12, output_step: 10}\n";
}

TEST(Multibody, FourBarWindowsPassTheirSingularPositionsToTheReferenceDigits) {
  // the upper end of the first bar at t = 10, from the exact reduction to one degree of freedom
  const double x[] = {0.4783850577609706, 0.3284581115408154}, y[] = {0.8781501787912093, 0.944518538178601};
  for (int n : {1, 2}) {
    const Simulated r = run(make_windows(n), "relative");
    const double q = r.end("pin0.q");
    EXPECT_NEAR(-std::sin(q), x[n - 1], 1e-5) << n;
    EXPECT_NEAR(std::cos(q), y[n - 1], 1e-5) << n;
    EXPECT_NEAR(r.end_energy / r.start_energy, 1, 1e-7) << n;
  }
}

// ---- Bricard mechanism, IFToMM A04: spatial, one redundant constraint

const char* const bricard = R"(
components:
  gravity: {type: multibody.Gravity, g: [0, -9.81, 0]}
  r1: {type: multibody.Body, mass: 1, com: [0.5, 0, 0], inertia: [1/600, 1.01/12, 1.01/12]}
  r2: {type: multibody.Body, mass: 1, com: [0, -0.5, 0], inertia: [1.01/12, 1/600, 1.01/12]}
  r3: {type: multibody.Body, mass: 1, com: [0, 0, 0.5], inertia: [1.01/12, 1.01/12, 1/600]}
  r4: {type: multibody.Body, mass: 1, com: [-0.5, 0, 0], inertia: [1/600, 1.01/12, 1.01/12]}
  r5: {type: multibody.Body, mass: 1, com: [0, 0.5, 0], inertia: [1.01/12, 1/600, 1.01/12]}
  j1: {type: multibody.Revolute, parent: ground, child: r1, axis: y}
  j2: {type: multibody.Revolute, parent: r1, child: r2, axis: z, parent_at: [1, 0, 0]}
  j3: {type: multibody.Revolute, parent: r2, child: r3, axis: x, parent_at: [0, -1, 0]}
  j4: {type: multibody.Revolute, parent: r3, child: r4, axis: y, parent_at: [0, 0, 1]}
  j5: {type: multibody.Revolute, parent: r4, child: r5, axis: z, parent_at: [-1, 0, 0]}
  j6: {type: multibody.Revolute, parent: r5, child: ground, axis: x, parent_at: [0, 1, 0], child_at: [0, 0, 1]}
simulate: {t_end: 1, method: radau, rtol: 1e-8, atol: 1e-9, output_step: 1}
)";

TEST(Multibody, BricardMechanismMovesAlikeInBothFormulationsAndKeepsItsEnergy) {
  const Simulated a = run(bricard, "relative"), b = run(bricard, "absolute");
  for (const Simulated* r : {&a, &b}) {
    int redundant = 0;
    for (const std::string& note : r->result.notes) redundant += note.find("redundant") != std::string::npos;
    EXPECT_EQ(redundant, 1);
    EXPECT_NEAR(r->end_energy, r->start_energy, 1e-6 * std::abs(r->start_energy));
  }
  // the error of the runs themselves
  for (const char* name : {"j1.q", "j3.q", "j6.q", "r3.x", "r3.y", "r3.z"})
    EXPECT_NEAR(a.end(name), b.end(name), 1e-5) << name;
}

// ---- rotations without singular positions

TEST(Multibody, TumblingBodyKeepsItsEnergyAndTurnsAlikeInBothFormulations) {
  const std::string text = R"(
components:
  box: {type: multibody.Body, mass: 2, com: [0.1, 0, 0], inertia: [0.3, 0.2, 0.1], angles: [0.3, 1.2, -0.4],
    velocity: [1, 0, 0], angular_velocity: [0.01, 5, 0.02]}
simulate: {t_end: 20, method: radau, rtol: 1e-10, atol: 1e-11, output_step: 20}
)";
  std::map<std::string, double> ends;
  for (const std::string& formulation : both) {
    const Simulated r = run(text, formulation);
    EXPECT_NEAR(r.end_energy / r.start_energy, 1, 1e-8) << formulation;
    for (const char* name : {"box.wx", "box.wy", "box.wz", "box.x", "box.vy"}) {
      const auto [place, first] = ends.emplace(name, r.end(name));
      EXPECT_NEAR(r.end(name), place->second, first ? 0 : 1e-6) << name;
    }
  }
  // the middle axis turned over: it did not just spin
  EXPECT_GT(std::abs(ends["box.wx"]) + std::abs(ends["box.wz"]), 1e-2);
}

TEST(Multibody, SphericalPendulumMovesAlikeInBothFormulations) {
  const std::string text = R"(
components:
  gravity: {type: multibody.Gravity}
  ball: {type: multibody.Spherical, parent: ground, child: rod}
  rod: {type: multibody.Body, mass: 1, com: [0.5, 0, 0], inertia: [0.01, 0.09, 0.08], angular_velocity: [1, 0, 2]}
simulate: {t_end: 3, method: radau, rtol: 1e-10, atol: 1e-11, output_step: 3}
)";
  const Simulated a = run(text, "relative"), b = run(text, "absolute");
  EXPECT_EQ(a.compiled.system.nv(), 3);
  for (const char* name : {"rod.p0", "rod.p1", "rod.p2", "rod.p3", "rod.wx", "rod.wz"})
    EXPECT_NEAR(a.end(name), b.end(name), 1e-7) << name;
}

// ---- flexible

TEST(Multibody, SpinningBeamStretchesAsTheClosedFormSays) {
  const std::string text = R"(
components:
  pin: {type: multibody.Revolute, parent: ground, child: arm, axis: z}
  drive: {type: mechanical.RotationalMotion, flange: pin,
    phi: "time < 15 s ? (6/15)*((time/(1 s))^2/2 + (15/2/pi)^2*(cos(2*pi*time/(15 s)) - 1)) : 6*time/(1 s) - 45"}
  arm: {type: flexible.BeamBody, length: 10, EA: 2.8e7, GA: 1e7, GJ: 1.4e4, EI: 1.4e4, mass_per_length: 1.2,
    inertia_per_length: 6e-4, elements: 8}
simulate: {t_end: 20, method: generalized-alpha, step: 5 ms, output_step: 20}
)";
  const Simulated r = run(text, "absolute");
  // Simo & Vu-Quoc: steady extension tan(kL)/k − L = 5.143e-4; a small vibration remains
  EXPECT_NEAR(std::hypot(r.end("arm.tip.x"), r.end("arm.tip.y")) - 10, 5.143174550426e-4, 2e-5);
}

TEST(Multibody, FallingBeamOnAHingeKeepsItsEnergy) {
  const std::string text = R"(
components:
  gravity: {type: multibody.Gravity}
  pin: {type: multibody.Revolute, parent: ground, child: arm, axis: y}
  arm: {type: flexible.BeamBody, length: 1 m, section: {circle: 5 mm}, material: steel, elements: 4}
simulate: {t_end: 0.5, method: radau, rtol: 1e-7, atol: 1e-8, output_step: 0.5}
)";
  const Simulated r = run(text, "auto");
  // of the potential energy that was turned into motion, 0.77 J
  EXPECT_LT(r.end("arm.tip.z"), -0.9);
  EXPECT_NEAR(r.end_energy, r.start_energy, 1e-5);
}

// ---- what users get wrong

std::string refusal(const std::string& line) {
  try {
    const model::Model model = io::parse_model("components:\n" + line, "test.yaml");
    compile::compile(model, domains::make_standard_registry());
  } catch (const Error& e) {
    return e.what();
  }
  return "accepted";
}

TEST(Multibody, MistakesInBodiesAndBeamsAreToldWithTheirPlace) {
  EXPECT_EQ(refusal("  arm: {type: multibody.Body, mass: 1, inertia: [1, -1, 1]}\n"),
            "test.yaml:2:3: arm: inertia Jyy = -1 kg.m2 must be >= 0");
  EXPECT_EQ(refusal("  arm: {type: multibody.Body, mass: 1, shape: {sphere: 0}}\n"),
            "test.yaml:2:3: arm: shape.sphere must have sizes > 0");
  EXPECT_EQ(
      refusal("  arm: {type: flexible.BeamBody, length: 1}\n"),
      "test.yaml:2:3: arm: it needs one of section.rectangle, section.circle, section.tube, EA with GA, GJ, EI, or "
      "stiffness_matrix; "
      "it has none");
  EXPECT_EQ(refusal("  arm: {type: flexible.BeamBody, length: 1, section: {tube: [10 mm, 6 mm]}}\n"),
            "test.yaml:2:3: arm: section.tube: the wall is thicker than half the diameter");
  EXPECT_EQ(refusal("  arm: {type: flexible.BeamBody, length: 1, EA: 1}\n"),
            "test.yaml:2:3: arm: with EA it also needs GA, GJ, EI, mass_per_length and inertia_per_length");
  EXPECT_EQ(refusal("  arm: {type: flexible.BeamBody, length: 1, section: {circle: 1 cm}, elements: 2.5}\n"),
            "test.yaml:2:3: arm: elements must be a whole number");
}

}  // namespace
}  // namespace coenergy
