// examples/robot_arm and examples/stick_slip: machines that rub.
#include <algorithm>
#include <cmath>

#include "tests/example_run.hpp"

namespace coenergy::tests {
namespace {

/// Largest error of the energy account over the largest energy that went in.
double energy_error(const solve::Result& r) {
  const auto stored = r.signal("energy.stored"), supplied = r.signal("energy.supplied"),
             dissipated = r.signal("energy.dissipated");
  double throughput = 0, drift = 0;
  for (std::size_t i = 0; i < stored.size(); ++i) {
    throughput = std::max(throughput, std::abs(supplied[i]));
    drift = std::max(drift, std::abs(stored[i] - stored.front() - supplied[i] + dissipated[i]));
  }
  EXPECT_GT(throughput, 1);
  return drift / throughput;
}

TEST(RobotArmExample, ReachesItsTargetAndComesBack) {
  const solve::Result r = run_model(read_example("robot_arm", "robot_arm"));
  const double deg = M_PI / 180, target[] = {90 * deg, 30 * deg, -60 * deg, 120 * deg, 45 * deg, 180 * deg};
  for (int k = 0; k < 6; ++k) {
    const std::string q = "axis" + std::to_string(k + 1) + ".q";
    // a PD controller lags behind, and gravity and friction hold it off
    EXPECT_NEAR(value_at(r, q, 1.5), target[k], 0.05) << q;
    EXPECT_NEAR(r.signal(q).back(), 0, 0.05) << q;
  }
  // the account is as good as the integration, 1e-6
  EXPECT_LT(energy_error(r), 1e-4);
}

TEST(RobotArmExample, IsTheSameInAbsoluteCoordinates) {
  const Settings shorter{{"simulate.t_end", "0.4 s"}, {"simulate.rtol", "1e-8"}, {"simulate.atol", "1e-10"}};
  Settings absolute = shorter;
  absolute.emplace_back("formulation", "absolute");
  const solve::Result r = run_model(read_example("robot_arm", "robot_arm", shorter)),
                      s = run_model(read_example("robot_arm", "robot_arm", absolute));
  for (int k = 1; k <= 6; ++k) {
    const std::string q = "axis" + std::to_string(k) + ".q";
    EXPECT_NEAR(r.signal(q).back(), s.signal(q).back(), 1e-6) << q;
  }
}

TEST(StickSlipExample, AllLawsSlipAtTheBreakAwayLevel) {
  const solve::Result r = run_model(read_example("stick_slip", "stick_slip"));
  EXPECT_LT(energy_error(r), 1e-6);
  for (const char* law : {"stick", "lugre", "tanh"}) {
    const auto f = r.signal(std::string(law) + ".f");
    double most = 0;
    for (double x : f) most = std::max(most, std::abs(x));
    // bristles reach a little more while they still bend
    EXPECT_NEAR(most, 4, law == std::string("lugre") ? 0.1 : 0.02) << law;
    // it slips several times: the block's velocity changes its sign
    const auto v = r.signal(std::string(law) + "_block.v");
    int slips = 0;
    for (std::size_t i = 1; i < v.size(); ++i) slips += v[i - 1] > 0 && v[i] <= 0;
    EXPECT_GE(slips, 4) << law;
  }
}

}  // namespace
}  // namespace coenergy::tests
