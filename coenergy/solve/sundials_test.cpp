#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "coenergy/solve/simulate.hpp"
#include "coenergy/solve/test_systems.hpp"

namespace coenergy::solve {
namespace {

using namespace test;

/// Each test runs for both methods; without SUNDIALS it is skipped.
class Sundials : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const auto& names = method_names();
    if (std::find(names.begin(), names.end(), GetParam()) == names.end()) GTEST_SKIP() << "built without SUNDIALS";
    options.method = GetParam();
    options.rtol = options.atol = 1e-9;
  }
  Options options;
};

TEST_P(Sundials, PendulumFollowsTheBenchmarkDigits) {
  options.t_end = 5;
  const Result result = simulate(make_pendulum(), options);
  ASSERT_EQ(result.status, Status::done) << result.text;
  // error control per step: some hundred tolerances after two periods
  EXPECT_NEAR(result.signal("bob.x").back(), -0.9423054350437573, 5e-6);
  EXPECT_NEAR(result.signal("bob.y").back(), -0.3347543384140006, 5e-6);
}

TEST_P(Sundials, StiffVanDerPolOscillatorTakesFewSteps) {
  options.t_end = 2000, options.rtol = options.atol = 1e-8;
  const Result result = simulate(make_van_der_pol(1000), options);
  ASSERT_EQ(result.status, Status::done) << result.text;
  EXPECT_NEAR(result.signal("y1").back(), 1.706167732170469, 1e-4);
  EXPECT_LT(result.statistics.steps, 6000);
}

TEST_P(Sundials, SymmetricTopPrecesses) {
  options.t_end = 3;
  const Result result = simulate(make_free_body({1, 1, 2}, {0.5, 0, 3}), options);
  ASSERT_EQ(result.status, Status::done) << result.text;
  EXPECT_NEAR(result.signal("wx").back(), 0.5 * std::cos(9), 1e-6);
  EXPECT_NEAR(result.signal("Lz").back(), 6, 1e-6);
}

TEST_P(Sundials, DigitalFourBarFollowsDormandPrince) {
  options.t_end = 0.5, options.output_step = 0.1, options.record_events = false;
  const auto theta = simulate(make_four_bar({.digital = true}), options).signal("theta");
  options.method = "dopri";
  const auto reference = simulate(make_four_bar({.digital = true}), options).signal("theta");
  ASSERT_EQ(theta.size(), reference.size());
  for (std::size_t i = 0; i < theta.size(); ++i) EXPECT_NEAR(theta[i], reference[i], 1e-6);
}

TEST_P(Sundials, EventsAreLocated) {
  options.t_end = 5;
  const Result result = simulate(make_saturated_integrator(-1, 0.5), options);
  ASSERT_EQ(result.status, Status::done) << result.text;
  EXPECT_NEAR(result.signal("x").back(), 0.5 - (1 + std::cos(5.0)), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Methods, Sundials, testing::Values("ida", "cvode"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace coenergy::solve
