#include "coenergy/solve/initialize.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "coenergy/base/error.hpp"
#include "coenergy/solve/test_systems.hpp"

namespace coenergy::solve {
namespace {

using namespace test;

std::string error_of(const System& system) {
  equations::Evaluator evaluator(system);
  try {
    initialize(evaluator);
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

TEST(Initialize, PendulumAtRestGetsTheTextbookAccelerationsAndForce) {
  // 45° below the horizontal: ẍ, ÿ and the rod force from ẍ² + …: a = −g sin45 along the tangent
  const double s = std::sqrt(0.5);
  equations::Evaluator evaluator(make_pendulum(s, -s));
  const Start start = initialize(evaluator);
  ASSERT_TRUE(start.good) << start.text;
  EXPECT_NEAR(start.point.a[0], -9.81 / 2, 1e-12);
  EXPECT_NEAR(start.point.a[1], -9.81 / 2, 1e-12);
  EXPECT_NEAR(start.point.lambda[0], 9.81 * s, 1e-12);
  EXPECT_TRUE(start.redundancy.always.empty());
}

TEST(Initialize, AssemblesPositionsAndProjectsVelocities) {
  equations::Evaluator evaluator(make_pendulum(0.9, -0.9, 1, 0));
  const Start start = initialize(evaluator);
  ASSERT_TRUE(start.good);
  const auto& [t, q, v, a, lambda, x, xd, y, d] = start.point;
  // nearest point of the circle, and the tangential part of the velocity
  EXPECT_NEAR(q[0], std::sqrt(0.5), 1e-12);
  EXPECT_NEAR(q[1], -std::sqrt(0.5), 1e-12);
  EXPECT_NEAR(v[0], 0.5, 1e-12);
  EXPECT_NEAR(v[1], 0.5, 1e-12);
  // Φ̈ = 0
  EXPECT_NEAR(q[0] * a[0] + q[1] * a[1] + v[0] * v[0] + v[1] * v[1], 0, 1e-12);
}

TEST(Initialize, KeepsGivenValuesAndMovesTheOthers) {
  equations::Evaluator evaluator(make_four_bar({}));  // theta is given; node 4 to nine digits only
  const Start start = initialize(evaluator);
  ASSERT_TRUE(start.good) << start.text;
  EXPECT_EQ(start.point.q[4], std::numbers::pi / 3);
  EXPECT_NEAR(start.point.q[2], 1.112248631, 1e-9);
  std::vector<double> r(evaluator.system().n());
  evaluator.residual(start.point, equations::Level::position, r);
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(r[5 + k], 0, 1e-15);
}

TEST(Initialize, RefusesGivenPositionsThatContradictEachOtherByName) {
  EXPECT_EQ(error_of(make_pendulum(0.9, -0.9, 0, 0, false, true)),
            "given start positions of bob.x, bob.y contradict constraint rod length (violated by 0.31); leave at least "
            "one of "
            "them free, or choose values that fit");
}

TEST(Initialize, RefusesGivenVelocitiesThatContradictEachOtherByName) {
  EXPECT_EQ(
      error_of(make_pendulum(1, 0, 0.5, 0.5, false, true)),
      "given start velocities of bob.x contradict constraint rod length (violated by 0.5); leave at least one of them "
      "free, or choose values that fit");
}

TEST(Initialize, NamesRedundantConstraintsAndSharesTheirForce) {
  equations::Evaluator evaluator(make_pendulum(0, -1, 0, 0, true));
  const Start start = initialize(evaluator);
  ASSERT_TRUE(start.good) << start.text;
  ASSERT_EQ(start.redundancy.always, std::vector<int>{1});
  ASSERT_EQ(start.notes.size(), 1u);
  EXPECT_EQ(start.notes[0],
            "constraint copy length follows from the others (redundant); its multiplier is not unique and the smallest "
            "one is "
            "taken");
  EXPECT_NEAR(start.point.lambda[0], 9.81 / 2, 1e-6);  // round-off divided by the damping 1e-8
  EXPECT_NEAR(start.point.lambda[1], 9.81 / 2, 1e-6);
  EXPECT_NEAR(start.point.lambda[0] + start.point.lambda[1], 9.81, 1e-10);
}

TEST(Initialize, NamesTheUnknownThatTheEquationsDoNotDetermine) {
  // an algebraic loop y = y + 1 (Brüls 2005, eq. 4.17)
  Builder b;
  const int i = b.add_algebraic({"loop.y", ""});
  const Expr y = b.variables().algebraic(i);
  b.add_algebraic_row(i, y - (y + 1));
  b.set_row_name(y, "loop sum");
  EXPECT_TRUE(
      error_of(b.build()).starts_with("the equations do not determine loop.y (row loop sum): nothing fixes it"));
}

TEST(Restart, OfALinearSystemTakesOneIteration) {
  equations::Evaluator evaluator(make_rlc(2, 1, 1, 5));
  equations::Point p = initialize(evaluator).point;
  p.x = {0.3, -0.2};
  const NewtonReport report = restart(evaluator, p);
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(report.iterations, 1);
  EXPECT_NEAR(p.y[0], 5 - 2 * 0.3, 1e-14);
  EXPECT_NEAR(p.xd[0], p.y[0] + 0.2, 1e-14);
}

TEST(Restart, SolvesAStiffDiodeEquation) {
  // (5 − y)/100 = 1e-14 (exp(y/0.0258) − 1) from y = 0: plain Newton overshoots to exp(5/0.0258)
  Builder b;
  const int i = b.add_algebraic({"diode.v", "V"});
  const Expr y = b.variables().algebraic(i);
  b.add_algebraic_row(i, (5 - y) / 100 - 1e-14 * (exp(y / 0.0258) - 1));
  equations::Evaluator evaluator(b.build());
  const Start start = initialize(evaluator);
  ASSERT_TRUE(start.good) << start.text;
  const double v = start.point.y[0];
  EXPECT_NEAR((5 - v) / 100, 1e-14 * (std::exp(v / 0.0258) - 1), 1e-12);
}

}  // namespace
}  // namespace coenergy::solve
