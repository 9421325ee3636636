#include <gtest/gtest.h>

#include <cmath>

#include "coenergy/solve/generalized_alpha.hpp"
#include "coenergy/solve/initialize.hpp"
#include "coenergy/solve/simulate.hpp"
#include "coenergy/solve/test_systems.hpp"

namespace coenergy::solve {
namespace {

using namespace test;

/// Estimated and true error of single steps in the middle of a run. The true one is found by repeating the step with
/// many small ones of Dormand–Prince from the same state; both in the norm of the options.
struct Comparison {
  double estimated = 0, actual = 0;
};

Comparison compare_errors(const System& system, double h) {
  equations::Evaluator evaluator(system);
  Options options;
  options.adaptive = true, options.rtol = options.atol = 1e-6;
  Statistics statistics;
  GeneralizedAlpha method(evaluator, options, statistics);
  equations::Point from = initialize(evaluator, options).point, to = from;
  ErrorNorm norm(system, options);
  method.begin(from);
  Comparison sum;
  for (int k = 0; k < 40; ++k) {
    const StepOutcome outcome = method.step(from, h, to);
    EXPECT_TRUE(outcome.good);
    if (k >= 10) {
      // Runge–Kutta of order 4 with 50 small steps from the same state
      equations::Point exact = from;
      for (int j = 0; j < 50; ++j) {
        const auto stage = [&](const equations::Point& base, const equations::Point& slope, double c) {
          equations::Point p = base;
          p.t = base.t + c;
          for (std::size_t i = 0; i < p.q.size(); ++i) p.q[i] += c * slope.v[i], p.v[i] += c * slope.a[i];
          for (std::size_t i = 0; i < p.x.size(); ++i) p.x[i] += c * slope.xd[i];
          EXPECT_TRUE(restart(evaluator, p).converged);
          return p;
        };
        const double d = h / 50;
        const equations::Point k1 = exact, k2 = stage(exact, k1, d / 2), k3 = stage(exact, k2, d / 2),
                               k4 = stage(exact, k3, d);
        for (std::size_t i = 0; i < exact.q.size(); ++i) {
          exact.q[i] += d / 6 * (k1.v[i] + 2 * k2.v[i] + 2 * k3.v[i] + k4.v[i]);
          exact.v[i] += d / 6 * (k1.a[i] + 2 * k2.a[i] + 2 * k3.a[i] + k4.a[i]);
        }
        for (std::size_t i = 0; i < exact.x.size(); ++i)
          exact.x[i] += d / 6 * (k1.xd[i] + 2 * k2.xd[i] + 2 * k3.xd[i] + k4.xd[i]);
        exact.t += d;
        EXPECT_TRUE(restart(evaluator, exact).converged);
      }
      norm.clear();
      for (int i = 0; i < system.nv(); ++i) {
        norm.add_position(i, to.q[i] - exact.q[i], std::max(std::abs(from.q[i]), std::abs(to.q[i])));
        norm.add_velocity(i, to.v[i] - exact.v[i], std::max(std::abs(from.v[i]), std::abs(to.v[i])));
      }
      for (int i = 0; i < system.nx(); ++i)
        norm.add_state(i, to.x[i] - exact.x[i], std::max(std::abs(from.x[i]), std::abs(to.x[i])));
      sum.estimated += outcome.error, sum.actual += norm.value();
    }
    method.accept(from, to);
    std::swap(from, to);
  }
  return sum;
}

TEST(ErrorEstimate, OfGeneralizedAlphaIsTheTrueErrorOfAStep) {
  // a leading term with h/period ≈ 1/100 and differences for derivatives: right within a few per cent
  for (const auto& [system, h] : {std::pair(make_oscillator(1, 0.4, 9, 1, 0), 0.01), std::pair(make_arm(), 0.005),
                                  std::pair(make_rlc(0.4, 1, 1.0 / 9, 1), 0.01)}) {
    const Comparison errors = compare_errors(system, h);
    EXPECT_NEAR(errors.estimated / errors.actual, 1, 0.1);
  }
}

TEST(ErrorEstimate, KeepsTheGlobalErrorProportionalToTheTwoThirdsPowerOfTheTolerance) {
  for (const char* method : {"generalized-alpha", "hht"}) {
    double error[2];
    for (int k = 0; k < 2; ++k) {
      Options options;
      options.method = method, options.adaptive = true, options.t_end = 5,
      options.rtol = options.atol = k == 0 ? 1e-5 : 1e-8;
      const Result result = simulate(make_pendulum(), options);
      ASSERT_EQ(result.status, Status::done) << result.text;
      error[k] = std::abs(result.signal("bob.x").back() + 0.9423054350437573);
    }
    EXPECT_NEAR(std::log10(error[0] / error[1]), 2, 0.3) << method;
  }
}

}  // namespace
}  // namespace coenergy::solve
