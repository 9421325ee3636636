#include "coenergy/solve/simulate.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <new>

#include "coenergy/base/error.hpp"
#include "coenergy/solve/test_systems.hpp"

namespace {
std::atomic<long> allocations{0};
}

[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* p = std::malloc(size > 0 ? size : 1)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace coenergy::solve {
namespace {

using namespace test;

TEST(Simulate, OscillatorFollowsTheCosine) {
  Options options;
  options.method = "generalized-alpha", options.t_end = 2, options.step = 1e-3;
  const Result result = simulate(make_oscillator(1, 0, 4, 1, 0), options);
  ASSERT_EQ(result.status, Status::done) << result.text;
  EXPECT_EQ(result.text, "reached t = 2 s");
  EXPECT_EQ(result.times.size(), 2001u);
  EXPECT_EQ(result.units[1], "m/s");
  EXPECT_NEAR(result.signal("mass.x").back(), std::cos(4.0), 2e-6);  // (ωh)²/12·ωt with some damping
  EXPECT_EQ(result.statistics.steps, 2000);
}

TEST(Simulate, PendulumFollowsTheBenchmarkDigits) {
  for (const char* method : {"generalized-alpha", "rk4", "dopri"}) {
    Options options;
    options.t_end = 1, options.step = 1e-3, options.method = method;
    if (is_adaptive(options)) options.rtol = options.atol = 1e-10;
    const Result result = simulate(make_pendulum(), options);
    ASSERT_EQ(result.status, Status::done) << method << ": " << result.text;
    const double tolerance = options.method == "generalized-alpha" ? 2e-5 : 1e-9;
    EXPECT_NEAR(result.signal("bob.x").back(), 0.9862917511318753, tolerance) << method;
    EXPECT_NEAR(result.signal("bob.y").back(), -0.1650108531255412, tolerance) << method;
  }
}

TEST(Simulate, ForwardEulerGainsEnergyAndRungeKuttaDoesNot) {
  Options options;
  options.t_end = 10, options.step = 2e-3, options.method = "euler";
  const auto energy = simulate(make_pendulum(), options).signal("energy");
  EXPECT_GT(energy.back() - energy.front(), 0.1);
  options.method = "rk4";
  const auto better = simulate(make_pendulum(), options).signal("energy");
  EXPECT_NEAR(better.back(), better.front(), 1e-6);
}

TEST(Simulate, RedundantConstraintsDoNotChangeTheMotion) {
  for (const char* method : {"generalized-alpha", "radau", "esdirk", "dopri", "dop853"}) {
    Options options;
    options.t_end = 1, options.step = 1e-3, options.method = method;
    const Result once = simulate(make_pendulum(-1, 0, 0, 0, false), options);
    const Result twice = simulate(make_pendulum(-1, 0, 0, 0, true), options);
    ASSERT_EQ(twice.status, Status::done) << twice.text;
    EXPECT_EQ(twice.notes.size(), 1u);
    EXPECT_NEAR(once.signal("bob.x").back(), twice.signal("bob.x").back(), 1e-6) << method;
    EXPECT_NEAR(once.signal("rod.force").back(), twice.signal("rod.force").back() + twice.signal("copy.force").back(),
                1e-4)
        << method;
  }
}

TEST(Simulate, ChosenSignalsAreRecordedInTheirOrder) {
  Options options;
  options.signals = {"mass.v", "mass.x"}, options.output_step = 0.25;
  const Result result = simulate(make_oscillator(1, 0, 4, 1, 0), options);
  EXPECT_EQ(result.names, options.signals);
  ASSERT_EQ(result.times, (std::vector<double>{0, 0.25, 0.5, 0.75, 1}));
  EXPECT_NEAR(result.row(2)[1], std::cos(1.0), 1e-5);
  options.signals = {"mass.q"};
  EXPECT_THROW(simulate(make_oscillator(1, 0, 4, 1, 0), options), Error);
}

TEST(Simulate, AFewSignalsHaveTheValuesTheyHaveAmongAll) {
  // few enough for a program of their own; the four-bar has all kinds of variables
  for (const char* method : {"radau", "esdirk", "dopri", "dop853"})
    for (const std::vector<std::string>& few : {std::vector<std::string>{"theta", "lambda3"}, {"x"}, {"thetad"}}) {
      Options options;
      options.method = method, options.t_end = 0.5, options.output_step = 0.003;
      const Result all = simulate(make_four_bar({.digital = true}), options);
      options.signals = few;
      const Result some = simulate(make_four_bar({.digital = true}), options);
      ASSERT_EQ(some.times, all.times);
      for (const std::string& name : few) EXPECT_EQ(some.signal(name), all.signal(name)) << method << " " << name;
    }
}

TEST(Simulate, OutputBetweenNodesHasTheAccuracyOfTheMethod) {
  for (const char* method : {"generalized-alpha", "rk4", "dopri", "radau"}) {
    Options options;
    options.method = method, options.t_end = 2, options.output_step = 0.0137;
    if (has_own_step(method))
      options.rtol = options.atol = 1e-8;
    else
      options.step = 0.005;
    const Result result = simulate(make_oscillator(1, 0, 4, 1, 0), options);
    const auto x = result.signal("mass.x"), a = result.signal("mass.a");
    // radau's collocation polynomial is of order 3 between nodes
    const double tolerance = options.method == "generalized-alpha" ? 1e-4 : 1e-6;
    for (std::size_t i = 0; i < x.size(); ++i) {
      EXPECT_NEAR(x[i], std::cos(2 * result.times[i]), tolerance) << method << " " << result.times[i];
      EXPECT_NEAR(a[i], -4 * x[i], 1e-10) << method;  // completed by the restart solve
    }
  }
}

TEST(Simulate, HooksSeeRowsAndProgressAndMayStopTheRun) {
  Options options;
  options.method = "generalized-alpha", options.step = 0.01;
  long rows = 0;
  Hooks hooks;
  hooks.keep_rows = false;
  hooks.row = [&](double, std::span<const double> values) { rows += values.size() == 3 ? 1 : 0; };
  hooks.progress = [](const Progress& p) { return p.fraction < 0.495; };
  const Result result = simulate(make_oscillator(1, 0, 4, 1, 0), options, hooks);
  EXPECT_EQ(result.status, Status::stopped);
  EXPECT_EQ(result.text, "stopped at t = 0.5 s");
  EXPECT_EQ(rows, 51);
  EXPECT_TRUE(result.times.empty());
}

TEST(Simulate, ASolutionThatEndsIsReportedWithTimeStepAndRow) {
  // ẋ = −1/(2x): x = √(1 − t) ends at t = 1
  Builder b;
  const int i = b.add_state({"tank.level", "m"}, 1);
  const auto x = b.variables().state(i);
  b.add_state_row(i, x.xd + 1 / (2 * x.x));
  b.set_row_name(x.x, "tank.level volume balance");
  b.add_signal("x", "m", x.x);
  Options options;
  options.method = "generalized-alpha", options.t_end = 2, options.step = 0.01;
  const Result result = simulate(b.build(), options);
  EXPECT_EQ(result.status, Status::failed);
  EXPECT_EQ(result.text.find("Newton did not converge at t = "), 0u) << result.text;
  EXPECT_NE(result.text.find("; largest residual: tank.level volume balance, "), std::string::npos) << result.text;
  EXPECT_NEAR(result.times.back(), 1, 2e-3);
  // the last row before the end is there
  EXPECT_LT(result.signal("x").back(), 0.05);
}

TEST(Simulate, StepsDoNotAllocate) {
  for (const char* method : {"generalized-alpha", "backward-euler", "radau", "esdirk", "rk4", "dopri", "trapez"}) {
    const System system = make_pendulum();
    const auto count = [&](double t_end) {
      Options options;
      options.method = method, options.t_end = t_end, options.step = 1e-3;
      Hooks hooks;
      hooks.keep_rows = false;
      equations::Evaluator evaluator(system);
      const long before = allocations;
      EXPECT_EQ(simulate(evaluator, options, hooks).status, Status::done) << method;
      return allocations - before;
    };
    count(0.01);  // makes the programs that the method needs
    EXPECT_EQ(count(0.2), count(0.4)) << method;
  }
}

}  // namespace
}  // namespace coenergy::solve
