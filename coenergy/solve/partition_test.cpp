#include "coenergy/solve/partition.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "coenergy/base/error.hpp"
#include "coenergy/solve/simulate.hpp"
#include "coenergy/solve/test_systems.hpp"

namespace coenergy::solve {
namespace {

using namespace test;

Result run(const System& system, const std::string& coordinates, const std::string& method = "dopri", double step = 0) {
  Options options;
  options.method = method, options.coordinates = coordinates, options.t_end = 5, options.step = step;
  options.output_step = 0.05, options.newton_tolerance = 1e-11;
  if (is_adaptive(options)) options.rtol = options.atol = 1e-11;
  Result result = simulate(system, options);
  EXPECT_EQ(result.status, Status::done) << result.text;
  return result;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  EXPECT_EQ(a.size(), b.size());
  double largest = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

TEST(Partition, TheCoordinateThatMovesMostBecomesDependentAndRedundantRowsAreFound) {
  math::Matrix j(3, 4);
  const double rows[3][4] = {{1, 0, 4, 0}, {0, 1, 0, -3}, {2, 3, 8, -9}};  // the last: 2 · first + 3 · second
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 4; ++k) j(i, k) = rows[i][k];
  const std::vector<double> weights(4, 1.0);
  const Partition p = choose_partition(j, weights);
  EXPECT_EQ(p.independent, (std::vector<int>{0, 1}));
  EXPECT_EQ(p.dependent.size(), 2u);
  EXPECT_EQ(p.redundant.size(), 1u);
  // those the user keeps
  const Partition kept = choose_partition(j, std::vector<double>{1, 1, 0, 0});
  EXPECT_EQ(kept.independent, (std::vector<int>{2, 3}));
}

// x and y of a bob on a rod: neither can be independent all the way
TEST(Partition, APendulumInCartesianCoordinatesChangesItsIndependentCoordinate) {
  const System pendulum = make_pendulum();
  const Result all = run(pendulum, "all"), minimal = run(pendulum, "minimal");
  // two integrations, each to 1e-11 a step over 5 s and some 400 steps
  EXPECT_LT(largest_difference(all.signal("bob.x"), minimal.signal("bob.x")), 1e-8);
  EXPECT_LT(largest_difference(all.signal("rod.force"), minimal.signal("rod.force")), 1e-6);
  // it swings five times through the lowest point, each time from y to x and back
  EXPECT_GE(minimal.statistics.partitions, 8);
  EXPECT_LE(minimal.statistics.partitions, 12);
  EXPECT_EQ(all.statistics.partitions, 0);
  const auto x = minimal.signal("bob.x"), y = minimal.signal("bob.y");
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i] * x[i] + y[i] * y[i], 1, 1e-14) << i;
}

TEST(Partition, FixedStepsKeepTheirOrder) {
  const System pendulum = make_pendulum();
  const std::vector<double> exact = run(pendulum, "all").signal("bob.x");
  for (const auto& [method, order] : {std::pair("rk4", 4), std::pair("trapez", 2), std::pair("euler", 1)}) {
    const double h = method == std::string("rk4") ? 0.0025 : 0.001;
    const double coarse = largest_difference(run(pendulum, "minimal", method, h).signal("bob.x"), exact),
                 fine = largest_difference(run(pendulum, "minimal", method, h / 2).signal("bob.x"), exact);
    EXPECT_NEAR(std::log2(coarse / fine), order, 0.2) << method << " " << coarse << " " << fine;
  }
}

TEST(Partition, RedundantConstraintsDropOut) {
  const Result once = run(make_pendulum(), "minimal"), twice = run(make_pendulum(-1, 0, 0, 0, true), "minimal");
  EXPECT_LT(largest_difference(once.signal("bob.y"), twice.signal("bob.y")), 1e-9);
}

// Brüls 2005, four-bar mechanism: the solution in minimal coordinates
TEST(Partition, TheFourBarWithControlHasTheTabulatedMotion) {
  Options options;
  options.method = "dopri", options.coordinates = "minimal", options.t_end = 2, options.output_step = 0.5;
  options.rtol = options.atol = options.newton_tolerance = 1e-12, options.max_step = 2e-3;
  options.record_events = false;
  const Result result = simulate(make_four_bar({}), options);
  ASSERT_EQ(result.status, Status::done) << result.text;
  const double expected[] = {1.054595879, 1.397214991, 1.378171031, 1.365139510};
  for (int k = 1; k <= 4; ++k) EXPECT_NEAR(result.signal("theta")[k], expected[k - 1], 1e-9);
}

TEST(Partition, NonHolonomicConstraintsAreRefused) {
  Builder b;
  const int x = b.add_coordinate({"x", "m"}, 0, 0), l = b.add_multiplier({"lambda", "N"});
  b.add_balance(x, b.variables().coordinate(x).a);
  b.set_velocity_constraint(l, b.variables().coordinate(x).v);
  b.set_row_name(b.variables().multiplier(l), "skate");
  Options options;
  options.method = "rk4", options.coordinates = "minimal", options.step = 0.01;
  try {
    simulate(b.build(), options);
    FAIL() << "not refused";
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(),
                 "skate: a model with non-holonomic constraints has no minimal coordinates: its positions and rates "
                 "differ in number");
  }
}

}  // namespace
}  // namespace coenergy::solve
