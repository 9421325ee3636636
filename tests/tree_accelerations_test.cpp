// Accelerations of trees of bodies without their mass matrix, against Newton's iteration with it.
#include "coenergy/solve/tree_accelerations.hpp"

#include <gtest/gtest.h>

#include "coenergy/solve/newton.hpp"
#include "tests/inline_model.hpp"
#include "tests/random_mechanism.hpp"

namespace coenergy::tests {
namespace {

using equations::Point;
using solve::Newton;
using solve::Statistics;
using solve::TreeAccelerations;

/// Both ways from the start of a model; the second one must serve.
void compare(const std::string& text) {
  const equations::System s = compile_model(io::parse_model("formulation: relative\n" + text, "tree.yaml"));
  ASSERT_TRUE(TreeAccelerations::serves(s)) << text;
  equations::Evaluator evaluator(s);
  Statistics statistics;
  Point by_newton = s.start(), by_tree = s.start();
  Newton newton(evaluator, {.tolerance = 1e-12, .max_iterations = 20, .line_search = true}, statistics);
  ASSERT_TRUE(newton.solve({.level = equations::Level::acceleration}, by_newton).converged) << text;
  ASSERT_TRUE(TreeAccelerations(evaluator, 1e-12, statistics).solve(by_tree)) << text;
  // 1e-9 as between formulations: round-off times the condition of the mass matrix
  double scale = 1;
  for (const double a : by_newton.a) scale = std::max(scale, std::abs(a));
  for (std::size_t i = 0; i < by_newton.a.size(); ++i)
    EXPECT_NEAR(by_newton.a[i], by_tree.a[i], 1e-9 * scale) << s.unknown(static_cast<int>(i)).name << "\n" << text;
  for (std::size_t i = 0; i < by_newton.xd.size(); ++i) EXPECT_NEAR(by_newton.xd[i], by_tree.xd[i], 1e-9 * scale);
  for (std::size_t i = 0; i < by_newton.y.size(); ++i) EXPECT_NEAR(by_newton.y[i], by_tree.y[i], 1e-9 * scale);
}

TEST(TreeAccelerations, AreThoseOfNewtonsIterationForRandomTrees) {
  for (unsigned seed = 1; seed <= 40; ++seed) compare(RandomMechanism(seed).tree(2 + static_cast<int>(seed % 8)));
}

const std::string arm = R"(components:
  gravity: {type: multibody.Gravity, g: [0, -9.81, 0]}
  shoulder: {type: multibody.Revolute, parent: ground, child: upper, q0: 0.3, qd0: 1}
  upper: {type: multibody.Body, mass: 2, com: [0.5, 0, 0], inertia: [0, 0, 0.2]}
  elbow: {type: multibody.Revolute, parent: upper, child: lower, parent_at: [1, 0, 0], q0: -0.5, qd0: 2}
  lower: {type: multibody.Body, mass: 1, com: [0.4, 0, 0], inertia: [0, 0, 0.1]}
)";

TEST(TreeAccelerations, KnowRotorsMotorsAndShaftsOfTheirOwn) {
  compare(arm + "  rotor: {type: mechanical.Inertia, shaft: elbow.shaft, J: 0.3 kg.m2}\n");
  compare(arm +
          "  rotor: {type: mechanical.Inertia, shaft: shaft, J: 0.3 kg.m2, w0: 3 rad/s}\n"
          "  spring: {type: mechanical.RotationalSpring, a: shaft, b: elbow.shaft, k: 5 N.m/rad}\n");
  compare(arm +
          "  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 12 V}\n"
          "  motor: {type: converters.DcMachine, p: a, n: gnd, shaft: elbow.shaft, k: 0.5, R: 1.2 ohm, L: 2 mH}\n");
}

TEST(TreeAccelerations, LeaveConstrainedSystemsToNewton) {
  EXPECT_FALSE(TreeAccelerations::serves(compile_model(
      io::parse_model(arm + "  held: {type: multibody.Revolute, parent: ground, child: more, locked: yes}\n"
                            "  more: {type: multibody.Body, mass: 1, inertia: [1, 1, 1]}\n",
                      "tree.yaml"))));
}

}  // namespace
}  // namespace coenergy::tests
