#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/random_mechanism.hpp"

/// Force and torque that a joint exerts on its child, from two derivations: in relative coordinates what the bodies
/// beyond the joint need, in absolute coordinates the multipliers of the joint's constraints.
namespace coenergy::tests {
namespace {

std::string with_reactions(std::string text) {
  for (std::size_t at = text.find("parent: "); at != std::string::npos; at = text.find("parent: ", at + 20))
    text.insert(at, "reaction: yes, ");
  return text;
}

struct State {
  equations::System system;
  std::vector<double> signals;
  double operator[](const std::string& name) const { return signals[system.find_signal(name)]; }
};

/// All signals at the start.
State start_of(const std::string& text, const std::string& formulation) {
  model::Model model = io::parse_model(text, "m.yaml");
  model.formulation = formulation;
  equations::Evaluator evaluator(compile_model(model));
  const solve::Start start = solve::initialize(evaluator);
  EXPECT_TRUE(start.good) << start.text;
  State state{evaluator.system(), std::vector<double>(evaluator.system().signals().size())};
  evaluator.signals(start.point, state.signals);
  return state;
}

void compare(const std::string& text) {
  const State relative = start_of(text, "relative"), absolute = start_of(text, "absolute");
  double scale = 1;
  std::vector<std::string> names;
  for (const equations::SignalInfo& s : absolute.system.signals()) {
    const std::size_t dot = s.name.rfind('.');
    if (dot + 3 != s.name.size() || (s.name[dot + 1] != 'f' && s.name[dot + 1] != 't')) continue;
    if (absolute.system.find_signal(s.name.substr(0, dot) + ".tz") < 0) continue;
    names.push_back(s.name);
    scale = std::max(scale, std::abs(absolute[s.name]));
  }
  ASSERT_GE(names.size(), 6u);
  for (const std::string& name : names) {
    ASSERT_GE(relative.system.find_signal(name), 0) << name;
    EXPECT_NEAR(relative[name], absolute[name], 1e-9 * scale) << name;
  }
}

TEST(Reactions, OfRandomTreesAreTheMultipliersOfAbsoluteCoordinates) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    compare(with_reactions(RandomMechanism(seed).tree(2 + static_cast<int>(seed % 4))));
  }
}

TEST(Reactions, OfRandomLoopsAreTheMultipliersOfAbsoluteCoordinates) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    compare(with_reactions(RandomMechanism(seed).closed(3 + static_cast<int>(seed % 3))));
  }
}

// A planar linkage: the out-of-plane rows are dropped in one formulation and redundant in the other
TEST(Reactions, OfAPlanarLoopAtItsBedplateBalanceWeightAndInertia) {
  const std::string text = R"(
components:
  g: {type: multibody.Gravity, g: [0, -10, 0]}
  crank:   {type: multibody.Body, mass: 1, com: [0.25, 0, 0], inertia: [0, 0, 0.02]}
  coupler: {type: multibody.Body, mass: 1.8, com: [0.45, 0, 0], inertia: [0, 0, 0.1]}
  rocker:  {type: multibody.Body, mass: 1.4, com: [0.35, 0, 0], inertia: [0, 0, 0.05]}
  hinge:  {type: multibody.Revolute, parent: ground, child: crank, q0: 60 deg, qd0: 2, damping: 0.3}
  elbow:  {type: multibody.Revolute, parent: crank, parent_at: [0.5, 0, 0], child: coupler, guess: -45 deg}
  pivot:  {type: multibody.Revolute, parent: rocker, child_at: [1, 0, 0], child: ground, guess: -80 deg}
  joint:  {type: multibody.Revolute, parent: coupler, parent_at: [0.9, 0, 0], child: rocker, child_at: [0.7, 0, 0], guess: 60 deg}
  crank_com:   {type: multibody.Sensor, body: crank, at: [0.25, 0, 0]}
  coupler_com: {type: multibody.Sensor, body: coupler, at: [0.45, 0, 0]}
  rocker_com:  {type: multibody.Sensor, body: rocker, at: [0.35, 0, 0]}
)";
  const State s = start_of(with_reactions(text), "relative");
  for (const char axis : {'x', 'y'}) {
    const std::string c(1, axis);
    // the pivot's child is the ground: what it bears is what the rocker presses on it
    const double bedplate = s["hinge.f" + c] - s["pivot.f" + c];
    const double needed = 1 * s["crank_com.a" + c] + 1.8 * s["coupler_com.a" + c] + 1.4 * s["rocker_com.a" + c] +
                          (axis == 'y' ? 10 * (1 + 1.8 + 1.4) : 0);
    EXPECT_NEAR(bedplate, needed, 1e-10) << axis;
  }
  EXPECT_GT(std::abs(s["hinge.fx"]), 0.1);
  compare(with_reactions(text));
}

// A chain thrown without gravity: momentum and energy stay, and both formulations show the same
TEST(Reactions, MomentumAndEnergyOfAFreeChainStay) {
  const std::string text = R"(
energy: true
components:
  a: {type: multibody.Body, mass: 2, com: [0.1, 0.2, 0.3], inertia: [0.3, 0.2, 0.25], angular_velocity: [1, 2, 3], velocity: [0.1, 0.2, 0.3]}
  b: {type: multibody.Body, mass: 1, com: [0.3, 0, 0], inertia: [0.01, 0.02, 0.02]}
  c: {type: multibody.Body, mass: 1.5, com: [0, 0.2, 0], inertia: [0.03, 0.02, 0.02]}
  hinge: {type: multibody.Revolute, parent: a, parent_at: [0.2, 0, 0], child: b, axis: y, qd0: 4}
  slide: {type: multibody.Prismatic, parent: b, parent_at: [0.5, 0, 0], child: c, axis: [1, 1, 0], qd0: -2}
)";
  const char* const names[] = {"momentum.px", "momentum.py", "momentum.pz",   "momentum.lx",
                               "momentum.ly", "momentum.lz", "energy.kinetic"};
  solve::Options options;
  options.t_end = 2, options.method = "dopri", options.rtol = options.atol = 1e-11;
  const solve::Result result = run_model(io::parse_model(text, "m.yaml"), options);
  for (const char* name : names) {
    const std::vector<double> values = result.signal(name);
    EXPECT_GT(std::abs(values.front()), 0.01) << name;
    // 1e-11 a step, about a thousand steps
    for (const double v : values) EXPECT_NEAR(v, values.front(), 1e-8) << name;
  }
  const State relative = start_of(text, "relative"), absolute = start_of(text, "absolute");
  for (const char* name : names) EXPECT_NEAR(relative[name], absolute[name], 1e-12) << name;
}

}  // namespace
}  // namespace coenergy::tests
