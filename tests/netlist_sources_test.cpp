// Sources of netlists against their formulas in the manual of ngspice (§4.1), with the values that stand for missing
// ones: the step and the end of .tran.
#include <cmath>
#include <functional>
#include <numbers>

#include "coenergy/io/spice.hpp"
#include "tests/inline_model.hpp"

namespace coenergy::tests {
namespace {

constexpr double two_pi = 2 * std::numbers::pi;

struct Wave {
  std::string text;
  std::function<double(double)> value;  ///< of the time in ms
  double at_rest;
};

double rise(double t, double delay, double tau) { return t < delay ? 0 : 1 - std::exp(-(t - delay) / tau); }

double trapezoid(double t, double rise, double width, double fall) {
  if (t < 0) return 0;
  if (t < rise) return t / rise;
  if (t < rise + width) return 1;
  return t < rise + width + fall ? 1 - (t - rise - width) / fall : 0;
}

/// With .tran 10u 2m: a step of 0.01 ms, an end of 2 ms.
const std::vector<Wave>& waves() {
  static const double degree = std::numbers::pi / 180;
  static const std::vector<Wave> all = {
      {"SIN(1 2 1k 0.3m 200 30)",
       [](double t) {
         if (t < 0.3) return 1 + 2 * std::sin(30 * degree);
         return 1 + 2 * std::exp(-0.2 * (t - 0.3)) * std::sin(two_pi * (t - 0.3) + 30 * degree);
       },
       1 + 2 * std::sin(30 * degree)},
      {"SIN(1 2)", [](double t) { return 1 + 2 * std::sin(two_pi * t / 2); }, 1},
      {"SIN 0.5 1 2k 0 0 -60", [](double t) { return 0.5 + std::sin(two_pi * 2 * t - 60 * degree); },
       0.5 - std::sin(60 * degree)},
      {"DC 0.3 SIN(0.5 1 2k)", [](double t) { return 0.5 + std::sin(two_pi * 2 * t); }, 0.3},
      {"EXP(1 4)", [](double t) { return 1 + 3 * (rise(t, 0, 0.01) - rise(t, 0.01, 0.01)); }, 1},
      {"EXP(1 4 0.2m)", [](double t) { return 1 + 3 * (rise(t, 0.2, 0.01) - rise(t, 0.21, 0.01)); }, 1},
      {"EXP(1 4 0.2m 0.1m 0.6m)", [](double t) { return 1 + 3 * (rise(t, 0.2, 0.1) - rise(t, 0.6, 0.01)); }, 1},
      {"EXP(-1 4 0.2m 0.1m 0.6m 0.3m)", [](double t) { return -1 + 5 * (rise(t, 0.2, 0.1) - rise(t, 0.6, 0.3)); }, -1},
      // far behind the end of the run: exp(20 s/10 us) overflows in the part that is not taken
      {"EXP(2 7 0.5m 0.2m 20)", [](double t) { return 2 + 5 * rise(t, 0.5, 0.2); }, 2},
      {"PULSE(0.5 3 0.4m)", [](double t) { return 0.5 + 2.5 * trapezoid(t - 0.4, 0.01, 2, 0.01); }, 0.5},
      {"PULSE(-1 3 0.1m 0.05m 0.1m 0.2m 0.5m)",
       [](double t) { return -1 + 4 * trapezoid(t < 0.1 ? -1 : std::fmod(t - 0.1, 0.5), 0.05, 0.2, 0.1); }, -1},
      {"PULSE(-1 3 0.1m 0 0 0.2m 0.5m)",
       [](double t) { return -1 + 4 * trapezoid(t < 0.1 ? -1 : std::fmod(t - 0.1, 0.5), 0.01, 0.2, 0.01); }, -1},
      {"SFFM(0.5 2 3k 4 700)",
       [](double t) { return 0.5 + 2 * std::sin(two_pi * 3 * t + 4 * std::sin(two_pi * 0.7 * t)); }, 0.5},
      {"PWL(-1m 2 1m 4 1.5m -1)", [](double t) { return t < 1     ? 3 + t
                                                        : t < 1.5 ? 4 - 10 * (t - 1)
                                                                  : -1; }, 3},
      {"PWL(0 1 0.1m 2 0.3m -1 0.5m 1) r=0.1m td=0.05m",
       [](double t) {
         double s = t - 0.05;
         while (s > 0.5) s -= 0.4;
         if (s < 0) return 1.0;
         if (s < 0.1) return 1 + s / 0.1;
         return s < 0.3 ? 2 - 15 * (s - 0.1) : -1 + 10 * (s - 0.3);
       },
       1},
      {"7", [](double) { return 7.0; }, 7},
  };
  return all;
}

TEST(NetlistSources, VoltagesAndCurrentsFollowTheirFunctions) {
  std::string text = "sources\n";
  for (std::size_t k = 0; k < waves().size(); ++k) {
    const std::string n = std::to_string(k);
    text += "V" + n + " v" + n + " 0 " + waves()[k].text + "\nR" + n + " v" + n + " 0 1\n";
    text += "I" + n + " 0 i" + n + " " + waves()[k].text + "\nRI" + n + " i" + n + " 0 1\n";
  }
  const io::Netlist netlist = io::parse_netlist(text + ".tran 10u 2m uic\n.end\n", "m.cir");
  solve::Options options = io::read_simulation_options(netlist.model);
  options.record_events = false;
  // between nodes of a run a cubic is taken: h⁴/384 of the fourth derivative, 3e-9 V for 3 V and a time constant of 10
  // us
  options.max_step = 0.25e-6;
  const solve::Result r = run_model(netlist.model, options);
  ASSERT_EQ(r.times.size(), 201u);
  for (std::size_t k = 0; k < waves().size(); ++k) {
    EXPECT_EQ(netlist.sources[2 * k].component, "V" + std::to_string(k));
    EXPECT_NEAR(netlist.sources[2 * k].dc, waves()[k].at_rest, 1e-14) << waves()[k].text;
    const auto v = r.signal("v" + std::to_string(k) + ".v"), i = r.signal("i" + std::to_string(k) + ".v");
    for (std::size_t row = 0; row < r.times.size(); ++row) {
      // a row at a jump has the value behind it
      const double t = 1e3 * r.times[row], behind = waves()[k].value(t + 1e-10);
      const double expected = std::abs(v[row] - behind) < 1e-8 ? behind : waves()[k].value(t);
      EXPECT_NEAR(v[row], expected, 1e-8) << waves()[k].text << " at " << t << " ms";
      EXPECT_NEAR(i[row], expected, 1e-8) << waves()[k].text << " at " << t << " ms";
    }
  }
}

TEST(NetlistSources, AnAcValueHasAMagnitudeOfOneAndNoPhaseUnlessGiven) {
  const io::Netlist netlist = io::parse_netlist(
      "ac\nV1 a 0 AC\nV2 b 0 DC 2 AC 3\nV3 c 0 AC 3 -45 SIN(0 1 1k)\nI4 0 d 5\nR1 a b 1\nR2 c d 1\nR3 b d 1\n.ac lin 1 "
      "1 1\n.end\n",
      "m.cir");
  const std::pair<double, double> expected[] = {{1, 0}, {3, 0}, {3, -45}, {0, 0}};
  ASSERT_EQ(netlist.sources.size(), 4u);
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(netlist.sources[k].magnitude, expected[k].first) << k;
    EXPECT_EQ(netlist.sources[k].phase, expected[k].second) << k;
  }
  EXPECT_EQ(netlist.sources[1].dc, 2);
  EXPECT_FALSE(netlist.sources[3].is_voltage);
}

}  // namespace
}  // namespace coenergy::tests
