// examples/07_everything: a DC servo and a hydraulic cylinder move a flexible arm under sampled control.
#include <algorithm>
#include <cmath>

#include "tests/example_run.hpp"

namespace coenergy::tests {
namespace {

TEST(EverythingExample, KeepsItsEnergyBalance) {
  const solve::Result result = run_model(read_example("07_everything", "everything"));
  const auto stored = result.signal("energy.stored"), supplied = result.signal("energy.supplied"),
             dissipated = result.signal("energy.dissipated");
  const double start = stored.front();
  double throughput = 0, drift = 0;
  for (std::size_t i = 0; i < stored.size(); ++i) {
    throughput = std::max(throughput, supplied[i]);
    drift = std::max(drift, std::abs(stored[i] - start - supplied[i] + dissipated[i]));
  }
  EXPECT_GT(throughput, 100);
  EXPECT_LE(drift, 1e-6 * throughput);
}

TEST(EverythingExample, MovesTowardsItsTargetsAndHoldsItsOutputsBetweenSamples) {
  const solve::Result result =
      run_model(read_example("07_everything", "everything", {{"simulate.output_step", "1 ms"}}));
  EXPECT_NEAR(result.signal("turn.q").back(), 0.5, 0.05);
  EXPECT_GT(result.signal("lift.q").back(), 0.1);
  // the arm sags: the load hangs lower than a rigid arm would hold it
  const double q = result.signal("lift.q").back();
  EXPECT_LT(result.signal("load.z").back(), 1.5 * std::sin(q));
  EXPECT_GT(result.signal("load.z").back(), 1.5 * std::sin(q) - 0.05);
  const auto y = result.signal("pan.y");
  for (std::size_t i = 1; i < y.size(); ++i) {
    const double phase = result.times[i] / 5e-3;
    if (std::abs(phase - std::round(phase)) < 0.1) continue;
    ASSERT_EQ(y[i], y[i - 1]) << result.times[i];
  }
}

}  // namespace
}  // namespace coenergy::tests
