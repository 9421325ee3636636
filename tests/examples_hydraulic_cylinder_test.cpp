// examples/06_hydraulic_cylinder: natural frequency, steady velocity and pressures in closed form.
#include <cmath>
#include <numbers>

#include "coenergy/analyze/linearize.hpp"
#include "coenergy/analyze/modes.hpp"
#include "coenergy/solve/initialize.hpp"
#include "tests/example_run.hpp"

namespace coenergy::tests {
namespace {

constexpr double ps = 100e5, F = 8e3, A = 20e-4, beta = 1.4e9, m = 500, volume = A * 1.0 + 2 * 50e-6;
const double natural = std::sqrt(4 * beta * A * A / (volume * m));

TEST(HydraulicCylinderExample, IsAnOscillatorWhileTheValveIsClosed) {
  equations::Evaluator evaluator(compile_model(read_example("06_hydraulic_cylinder", "hydraulic_cylinder")));
  const solve::Start start = solve::initialize(evaluator);
  const auto modes = analyze::compute_modes(evaluator.system(), analyze::linearize(evaluator, start.point)).modes;
  double found = 0;
  for (const auto& mode : modes) found = std::max(found, std::abs(mode.eigenvalue.imag()));
  EXPECT_NEAR(found, natural, 1e-6 * natural);  // at mid-stroke the formula is exact
}

TEST(HydraulicCylinderExample, SwingsWithTheNaturalFrequency) {
  model::Model model =
      read_example("06_hydraulic_cylinder", "hydraulic_cylinder", {{"mass.v0", "0.01 m/s"}, {"open_at", "10 s"}});
  const solve::Result result = run_model(model);
  // time between the first and the last upward zero crossing of the velocity, by interpolation between rows
  const std::vector<double> v = result.signal("mass.v");
  std::vector<double> crossings;
  for (std::size_t i = 1; i < v.size(); ++i)
    if (v[i - 1] < 0 && v[i] >= 0)
      crossings.push_back(result.times[i - 1] - v[i - 1] * (result.times[i] - result.times[i - 1]) / (v[i] - v[i - 1]));
  ASSERT_GT(crossings.size(), 5u);
  const double period = (crossings.back() - crossings.front()) / static_cast<double>(crossings.size() - 1);
  // the amplitude of 0.07 mm changes the volumes by 1e-4; rows of 0.5 ms place a crossing to 1e-5 s
  EXPECT_NEAR(2 * std::numbers::pi / period, natural, 1e-3 * natural);
}

TEST(HydraulicCylinderExample, ReachesSteadyVelocityAndPressures) {
  const solve::Result result = run_model(read_example("06_hydraulic_cylinder", "hydraulic_cylinder"));
  const double K = 0.7 * 15e-6 * std::sqrt(2 / 870.0), velocity = K / A * std::sqrt((ps - F / A) / 2);
  const double t = 0.6;
  // laminar transition of 1 kPa is nothing here; what remains is the growth of chamber volumes, p/beta of the flow
  EXPECT_NEAR(value_at(result, "mass.v", t), velocity, 2e-3 * velocity);
  EXPECT_NEAR(value_at(result, "chamber_a.p", t), (ps + F / A) / 2, 2e-3 * ps);
  EXPECT_NEAR(value_at(result, "chamber_b.p", t), (ps - F / A) / 2, 2e-3 * ps);
  EXPECT_NEAR(value_at(result, "valve.q_a", t), A * velocity, 2e-3 * A * velocity);
}

}  // namespace
}  // namespace coenergy::tests
