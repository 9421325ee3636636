#include <gtest/gtest.h>

#include <cmath>

#include "coenergy/solve/simulate.hpp"
#include "coenergy/solve/test_systems.hpp"

namespace coenergy::solve {
namespace {

using namespace test;

Options radau(double t_end, double tolerance) {
  Options options;
  options.method = "radau", options.t_end = t_end, options.rtol = options.atol = tolerance;
  return options;
}

TEST(Radau, IsOfOrderFive) {
  double error[2];
  for (int k = 0; k < 2; ++k) {
    Options options;
    options.method = "radau", options.t_end = 2, options.newton_tolerance = 1e-13;
    options.adaptive = false, options.step = 0.1 / (k + 1);
    const Result result = simulate(make_oscillator(1, 0.4, 9, 1, 0), options);
    ASSERT_EQ(result.status, Status::done) << result.text;
    const double w = std::sqrt(9 - 0.04), t = 2;
    error[k] =
        std::abs(result.signal("mass.x").back() - std::exp(-0.2 * t) * (std::cos(w * t) + 0.2 / w * std::sin(w * t)));
  }
  EXPECT_NEAR(std::log2(error[0] / error[1]), 5, 0.3);
}

TEST(Radau, PendulumFollowsTheBenchmarkDigits) {
  const Result result = simulate(make_pendulum(), radau(10, 1e-11));
  ASSERT_EQ(result.status, Status::done) << result.text;
  EXPECT_NEAR(result.signal("bob.x").back(), -0.2750874625761169, 1e-8);
  EXPECT_NEAR(result.signal("bob.y").back(), -0.9614192050991251, 1e-8);
}

// IVP test set: Van der Pol μ = 1000 in the scaled time t/μ; here plain time, y1(2000) of the stiff oscillator
TEST(Radau, StiffVanDerPolOscillatorTakesFewSteps) {
  const Result result = simulate(make_van_der_pol(1000), radau(2000, 1e-7));
  ASSERT_EQ(result.status, Status::done) << result.text;
  EXPECT_NEAR(result.signal("y1").back(), 1.706167732170469, 1e-5);
  EXPECT_LT(result.statistics.steps, 800);
}

TEST(Radau, FourBarFollowsTheTable) {
  Options options = radau(2, 1e-10);
  options.output_step = 0.5;
  const Result result = simulate(make_four_bar({}), options);
  ASSERT_EQ(result.status, Status::done) << result.text;
  const auto theta = result.signal("theta");
  EXPECT_NEAR(theta[1], 1.054595879, 2e-9);
  EXPECT_NEAR(theta[2], 1.397214991, 2e-9);
  EXPECT_NEAR(theta[3], 1.378171031, 2e-9);
  EXPECT_NEAR(theta[4], 1.365139510, 2e-9);
}

TEST(Radau, SpinningBodyKeepsItsAngularMomentum) {
  const Result result = simulate(make_free_body({1, 2, 3}, {0.1, 4, 0.3}), radau(5, 1e-9));
  ASSERT_EQ(result.status, Status::done) << result.text;
  EXPECT_NEAR(result.signal("Lx").back(), 0.1, 1e-6);
  EXPECT_NEAR(result.signal("Ly").back(), 8, 1e-6);
  EXPECT_NEAR(result.signal("Lz").back(), 0.9, 1e-6);
}

}  // namespace
}  // namespace coenergy::solve
