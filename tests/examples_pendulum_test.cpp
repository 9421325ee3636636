// examples/01_pendulum against the digits of problem A01 of the IFToMM library of benchmarks (a computation with
// 30 digits) and closed forms.
#include <cmath>

#include "tests/example_run.hpp"

namespace coenergy::tests {
namespace {

/// Angle from the downward vertical that belongs to a position; the benchmark starts at x = −1, the example at x = +1.
struct Position {
  double t, x, y;
};
constexpr Position reference[] = {{1, 0.9862917511318753, -0.1650108531255412},
                                  {5, -0.9423054350437573, -0.3347543384140006},
                                  {10, -0.2750874625761169, -0.9614192050991251}};

TEST(PendulumExample, ReachesThePublishedPositionsInBothFormulations) {
  for (const char* formulation : {"relative", "absolute"}) {
    model::Model model = read_example("01_pendulum", "pendulum");
    model.formulation = formulation;
    const solve::Result result = run_model(model);
    for (const Position& p : reference) {
      const double q = value_at(result, "pivot.q", p.t);
      // tolerance 1e-9 per step over some hundred steps
      EXPECT_NEAR(std::sin(q), -p.x, 1e-7) << formulation << " t = " << p.t;
      EXPECT_NEAR(-std::cos(q), p.y, 1e-7) << formulation << " t = " << p.t;
    }
  }
}

TEST(PendulumExample, RelativeAndAbsoluteCoordinatesAgree) {
  model::Model model =
      read_example("01_pendulum", "pendulum", {{"simulate.rtol", "1e-11"}, {"simulate.atol", "1e-11"}});
  model.formulation = "relative";
  const solve::Result relative = run_model(model);
  model.formulation = "absolute";
  const solve::Result absolute = run_model(model);
  const auto a = relative.signal("pivot.q"), b = absolute.signal("pivot.q");
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], 1e-8) << relative.times[i];
}

TEST(PendulumExample, HasThePeriodOfTheEllipticIntegral) {
  const solve::Result result = run_model(read_example("01_pendulum", "pendulum", {{"simulate.output_step", "1 ms"}}));
  const auto q = result.signal("pivot.q"), qd = result.signal("pivot.qd");
  std::vector<double> crossings;
  for (std::size_t i = 1; i < q.size(); ++i)
    if (q[i - 1] > 0 && q[i] <= 0) crossings.push_back(result.times[i] - q[i] / qd[i]);
  ASSERT_GE(crossings.size(), 4u);
  // the linear crossing is exact to the square of 1 ms times the curvature at q = 0, which is zero
  EXPECT_NEAR((crossings.back() - crossings.front()) / (crossings.size() - 1), 2.367841947576237, 1e-6);
}

TEST(PendulumExample, ForwardEulerGainsEnergyAndRungeKuttaDoesNot) {
  auto largest_angle = [](const char* method) {
    model::Model model = read_example("01_pendulum", "pendulum", {{"simulate.output_step", "2 ms"}});
    EXPECT_EQ(io::change_method(model, model::Value(method)), (std::vector<std::string>{"rtol", "atol"}));
    model.set("simulate.step", "2 ms");
    const solve::Result result = run_model(model);
    double largest = 0;
    for (double q : result.signal("pivot.q")) largest = std::max(largest, std::abs(q));
    return largest * 180 / M_PI;
  };
  EXPECT_GT(largest_angle("euler"), 93);
  EXPECT_NEAR(largest_angle("rk4"), 90, 1e-6);
}

}  // namespace
}  // namespace coenergy::tests
