#include <gtest/gtest.h>

#include <cmath>

#include "tests/published_models.hpp"

// Long runs of multibody systems: drift of energy, many windows, a whole bogie.

namespace coenergy::tests {
namespace {

TEST(Long, TenBodiesKeepTheirEnergyForAHundredSeconds) {
  const model::Model tree = io::parse_model(ten_bodies(), "tree.yaml");
  solve::Options options;
  options.method = "dop853", options.t_end = 100, options.output_step = 0.1;
  options.rtol = options.atol = 1e-10;
  const solve::Result r = run_model(tree, options);
  EXPECT_LT(energy_drift(r), 1e-7);
  // of the methods of order 5 one loses 3e-9 J/s, the other shows polynomials of order 3 between its steps: 2e-9 of the
  // 140 J that move
  EXPECT_LT(energy_drift(run_tight(tree, 100, 1e-10, 0.1)), 5e-7);
  const auto x = r.signal("b9.vx");
  EXPECT_GT(*std::max_element(x.begin(), x.end()), 1) << "it moves";
}

TEST(Long, FortyFourBarsKeepTheirBranchAndEnergy) {
  for (int windows : {5, 10, 20, 40}) {
    const solve::Result r = run_tight(io::parse_model(four_bars(windows), "bars.yaml"), 10, 1e-10, 0.01);
    const double stored = std::abs(r.signal("energy.stored").front());
    EXPECT_LT(energy_drift(r), 1e-5 * stored) << windows;
    // the branch: all upright bars stay parallel, through every passage of the singular position
    const auto first = r.signal("p0.q"), last = r.signal("p" + std::to_string(windows) + ".q");
    int passages = 0;
    for (std::size_t i = 0; i < first.size(); ++i) {
      // next to the singular position an error e of the closure turns a bar by √e
      EXPECT_NEAR(std::remainder(first[i] - last[i], 2 * M_PI), 0, 1e-4) << windows << " " << r.times[i];
      if (i > 0 && std::cos(first[i - 1]) * std::cos(first[i]) < 0) ++passages;
    }
    EXPECT_GE(passages, 6) << windows;
  }
}

TEST(Long, ABogieSettlesAfterTwoCentimetresAndCarriesItsCar) {
  const solve::Result r = run_model(read_example("bogie", "bogie"));
  const double g = 9.81, car = 12200, bolster = 400, bogie = 2 * 700 + 2 * (400 + 2 * 300) + 2 * (350 + 80);
  const auto mean_of_last_second = [&](const std::string& signal) {
    const auto values = r.signal(signal);
    double sum = 0;
    int count = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (r.times[i] >= 7) sum += values[i], ++count;
    return sum / count;
  };
  // half the car and the bolster on the cushions; the other half on the rear spring. The couple of the traction rods
  // and small vibrations remain: 1 %
  const double front = (car / 2 + bolster) * g, rear = car / 2 * g;
  EXPECT_NEAR(-mean_of_last_second("right_cushion.f") - mean_of_last_second("left_cushion.f"), front, 0.01 * front);
  EXPECT_NEAR(8e5 * (rear / 8e5 - mean_of_last_second("j54.q")), rear, 0.01 * rear);
  double rails = 0;
  for (const char* wheel : {"front_right", "front_left", "rear_right", "rear_left"})
    rails += mean_of_last_second(std::string(wheel) + "_rail.normal");
  EXPECT_NEAR(rails, front + bogie * g, 0.01 * front);

  // "stabilises well after 6 s": below 5 % of the offset
  for (const char* axle : {"front_axle.y", "rear_axle.y"}) {
    const auto y = r.signal(axle);
    EXPECT_NEAR(y.front(), 0.02, 1e-12);
    bool swings = false;
    for (std::size_t i = 0; i < y.size(); ++i) {
      swings = swings || y[i] < -0.005;
      if (r.times[i] < 6) continue;
      EXPECT_LT(std::abs(y[i]), 0.05 * 0.02) << axle << " " << r.times[i];
    }
    EXPECT_TRUE(swings) << axle;
  }
  // nothing drives it: creep takes little of its speed
  EXPECT_NEAR(r.signal("front_axle.vx").back(), 10, 0.02);
  // the reducer turns with the wheels
  EXPECT_NEAR(mean_of_last_second("j49.qd"), -97.0 / 16 * mean_of_last_second("j30.qd"), 0.01 * 97.0 / 16 * 10 / 0.43);
}

}  // namespace
}  // namespace coenergy::tests
