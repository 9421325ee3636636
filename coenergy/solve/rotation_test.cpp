#include <gtest/gtest.h>

#include <cmath>

#include "coenergy/solve/simulate.hpp"
#include "coenergy/solve/test_systems.hpp"

namespace coenergy::solve {
namespace {

using namespace test;

// symmetric top, I = (1, 1, 2): ω_z constant, (ω_x, ω_y) turns with Ω = (I₃ − I₁)/I₁ ω_z in body axes
TEST(FreeBody, SymmetricTopPrecessesAsInClosedForm) {
  for (const char* method : {"generalized-alpha", "rk4", "dopri", "dop853"}) {
    Options options;
    options.method = method, options.t_end = 3, options.step = has_own_step(method) ? 0 : 1e-3;
    if (is_adaptive(options)) options.rtol = options.atol = 1e-10;
    const Result result = simulate(make_free_body({1, 1, 2}, {0.5, 0, 3}), options);
    ASSERT_EQ(result.status, Status::done) << result.text;
    const double tolerance = options.method == "generalized-alpha" ? 1e-5 : 1e-8, phase = 3 * 3;
    EXPECT_NEAR(result.signal("wx").back(), 0.5 * std::cos(phase), tolerance) << method;
    EXPECT_NEAR(result.signal("wy").back(), 0.5 * std::sin(phase), tolerance) << method;
    EXPECT_NEAR(result.signal("wz").back(), 3, tolerance) << method;
    // angular momentum in the world
    EXPECT_NEAR(result.signal("Lx").back(), 0.5, 2 * tolerance) << method;
    EXPECT_NEAR(result.signal("Ly").back(), 0, 2 * tolerance) << method;
    EXPECT_NEAR(result.signal("Lz").back(), 6, 2 * tolerance) << method;
    EXPECT_NEAR(result.signal("energy").back(), (0.25 + 18) / 2, 2 * tolerance) << method;
    double norm = 0;
    for (int i = 0; i < 4; ++i) norm += std::pow(result.signal("p" + std::to_string(i)).back(), 2);
    EXPECT_NEAR(norm, 1, 1e-14) << method;
  }
}

TEST(FreeBody, GeneralizedAlphaIsOfOrderTwoOnRotations) {
  const auto run = [](const char* method, double h) {
    Options options;
    options.method = method, options.t_end = 2, options.step = h;
    if (is_adaptive(options)) options.rtol = options.atol = 1e-12;
    return simulate(make_free_body({1, 2, 3}, {0.1, 2, 0.3}), options);
  };
  const Result exact = run("dopri", 0);
  double error[2];
  for (int k = 0; k < 2; ++k) {
    const Result result = run("generalized-alpha", 0.01 / (k + 1));
    error[k] = 0;
    for (int i = 0; i < 4; ++i) {
      const std::string name = "p" + std::to_string(i);
      error[k] = std::max(error[k], std::abs(result.signal(name).back() - exact.signal(name).back()));
    }
  }
  EXPECT_NEAR(std::log2(error[0] / error[1]), 2, 0.1);
}

}  // namespace
}  // namespace coenergy::solve
