#include "coenergy/solve/simulate.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "coenergy/base/error.hpp"
#include "coenergy/solve/test_systems.hpp"

namespace coenergy::solve {
namespace {

using namespace test;

TEST(Simulate, OscillatorFollowsTheCosine) {
  Options options;
  options.t_end = 2, options.step = 1e-3;
  const Result result = simulate(make_oscillator(1, 0, 4, 1, 0), options);
  ASSERT_EQ(result.status, Status::done) << result.text;
  EXPECT_EQ(result.times.size(), 2001u);
  EXPECT_NEAR(result.signal("mass.x").back(), std::cos(4.0), 2e-6);  // (ωh)²/12·ωt with some damping
}

TEST(Simulate, PendulumFollowsTheBenchmarkDigits) {
  for (const char* method : {"generalized-alpha", "rk4", "dopri"}) {
    Options options;
    options.t_end = 1, options.step = 1e-3, options.method = method, options.rtol = 1e-10, options.atol = 1e-10;
    const Result result = simulate(make_pendulum(), options);
    ASSERT_EQ(result.status, Status::done) << method << ": " << result.text;
    const double tolerance = options.method == "generalized-alpha" ? 2e-5 : 1e-9;
    EXPECT_NEAR(result.signal("bob.x").back(), 0.9862917511318753, tolerance) << method;
    EXPECT_NEAR(result.signal("bob.y").back(), -0.1650108531255412, tolerance) << method;
  }
}

}  // namespace
}  // namespace coenergy::solve
