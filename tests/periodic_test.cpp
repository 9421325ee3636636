// Periodic states of everything that carries over: samples, delays, phases of sources and clocks, bodies and impacts.
#include "coenergy/analyze/harmonics.hpp"

#include <cmath>
#include <numbers>

#include "tests/inline_model.hpp"

namespace coenergy::tests {
namespace {

analyze::Periodic find(const std::string& text, double period, bool free = false) {
  equations::Evaluator evaluator(compile_model(io::parse_model(text, "m.yaml")));
  solve::Options options;
  options.rtol = 1e-10, options.atol = 1e-12;
  return analyze::find_periodic(evaluator, options, {.period = period, .free = free});
}

double value_of(const analyze::Periodic& p, const std::string& name) {
  for (std::size_t k = 0; k < p.names.size(); ++k)
    if (p.names[k] == name) return p.values[k];
  ADD_FAILURE() << "no " << name;
  return 0;
}

/// The end of a run that is long enough for what decays.
double settled(const std::string& text, double time, const std::string& signal) {
  solve::Options options;
  options.t_end = options.output_step = time;
  options.rtol = 1e-10, options.atol = 1e-12;
  return run_model(io::parse_model(text, "m.yaml"), options).signal(signal).back();
}

TEST(PeriodicStates, ASampledLoopHasThePolesOfItsDifferenceEquation) {
  // lag a = e^(-T/tau), y = -kp e - ki x, x by T e: (z - a)(z - 1) + (1 - a)(kp (z - 1) + ki T z) = 0, over 8 samples
  const std::string text = R"(
components:
  r: {type: blocks.Sine, frequency: 12.5 Hz, offset: 0.7}
  c: {type: blocks.SampledPid, reference: r.y, measure: g.y, kp: 0.6, ki: 4, sample: 10 ms}
  g: {type: blocks.TransferFunction, u: c.y, den: [0.06, 1]}
)";
  const auto found = find(text, 0.08);
  ASSERT_TRUE(found.good) << found.text;
  const double T = 0.01, a = std::exp(-T / 0.06), kp = 0.6, ki = 4;
  const double b = (1 - a) * (kp + ki * T) - a - 1, c = a - (1 - a) * kp;
  const std::complex<double> root = std::sqrt(std::complex<double>(b * b - 4 * c));
  std::vector<double> expected{std::abs(std::pow((-b + root) / 2.0, 8)), std::abs(std::pow((-b - root) / 2.0, 8))};
  std::sort(expected.rbegin(), expected.rend());
  ASSERT_EQ(found.multipliers.size(), 3u);  // the output that is held starts nothing
  EXPECT_NEAR(std::abs(found.multipliers[0]), expected[0], 1e-8);
  EXPECT_NEAR(std::abs(found.multipliers[1]), expected[1], 1e-8);
  EXPECT_NEAR(std::abs(found.multipliers[2]), 0, 1e-8);
  EXPECT_NEAR(value_of(found, "g.x1"), settled(text, 8, "g.x1"), 1e-8);
  EXPECT_NEAR(found.smallest, 0.08, 1e-12);
}

TEST(PeriodicStates, DelaysAreAmongTheStates) {
  const std::string text = R"(
components:
  r: {type: blocks.Sine, frequency: 20 Hz}
  z: {type: blocks.ZeroOrderHold, u: r.y - 0.4*g.y, sample: 10 ms, delay: 2}
  g: {type: blocks.TransferFunction, u: z.y, den: [0.03, 1]}
)";
  const auto found = find(text, 0.05);
  ASSERT_TRUE(found.good) << found.text;
  EXPECT_EQ(found.names, (std::vector<std::string>{"g.x1", "z.y", "z.stored1", "z.stored2"}));
  EXPECT_NEAR(value_of(found, "g.x1"), settled(text, 2, "g.x1"), 1e-8);
  EXPECT_NEAR(value_of(found, "z.stored1"), settled(text, 2, "z.stored1"), 1e-8);
  // (z - a) z^2 + 0.4 (1 - a) = 0: its product of roots, over 5 samples
  const double a = std::exp(-0.01 / 0.03);
  double product = 1;
  for (std::size_t k = 0; k < 3; ++k) product *= std::abs(found.multipliers[k]);
  EXPECT_NEAR(product, std::pow(0.4 * (1 - a), 5), 1e-8);
}

const std::string buck = R"(
components:
  pwm: {type: electrical.Pwm, duty: 0.35, period: 8 us, delay: 3 us}
  U1: {type: electrical.VoltageSource, p: a, n: gnd, v: 20 V}
  S1: {type: electrical.IdealSwitch, p: a, n: sw, control: pwm.y, R_on: 10 mohm}
  D1: {type: electrical.IdealDiode, p: gnd, n: sw, R_on: 10 mohm}
  L1: {type: electrical.Inductor, p: sw, n: out, L: 80 uH}
  C1: {type: electrical.Capacitor, p: out, n: gnd, C: 60 uF}
  R1: {type: electrical.Resistor, p: out, n: gnd, R: 4 ohm}
)";

TEST(PeriodicStates, AConverterHasThePeriodOfItsModulatorAndNoOther) {
  const auto found = find(buck, 8e-6);
  ASSERT_TRUE(found.good) << found.text;
  EXPECT_NEAR(found.smallest, 8e-6, 1e-15);
  EXPECT_NEAR(value_of(found, "C1.v"), 7, 0.2);
  // both switches are the same resistor: the circuit is linear but for its source, det M = exp(trace A T)
  const double trace = -(10e-3) / 80e-6 - 1 / (4 * 60e-6);
  EXPECT_NEAR(std::abs(found.multipliers[0] * found.multipliers[1]), std::exp(trace * 8e-6), 1e-7);
  const auto three = find(buck, 24e-6);
  ASSERT_TRUE(three.good) << three.text;
  EXPECT_NEAR(three.smallest, 8e-6, 1e-15);
  ASSERT_EQ(three.notes.size(), 1u);
  EXPECT_NE(three.notes[0].find("everything repeats after 8e-06 s already"), std::string::npos) << three.notes[0];
  const auto wrong = find(buck, 5e-6);
  EXPECT_FALSE(wrong.good);
  EXPECT_NE(wrong.text.find("the excitation does not repeat after 5e-06 s"), std::string::npos) << wrong.text;
}

TEST(PeriodicStates, AnImpactOscillatorLosesWhatItsImpactAndDamperTake) {
  // one impact in each period: the product of the multipliers is e² exp(−d T/m)
  const std::string text = R"(
components:
  m: {type: mechanical.Mass, m: 0.8 kg, s0: 0.02 m}
  k: {type: mechanical.TranslationalSpringDamper, a: ground, b: m, k: 200 N/m, d: 0.9 N.s/m}
  F: {type: mechanical.Force, flange: m, f: 6 N*cos(25 1/s*time)}
  st: {type: mechanical.TranslationalStop, a: ground, b: m, lower: -0.005 m, stop_restitution: 0.7}
)";
  const double period = 2 * std::numbers::pi / 25;
  const auto found = find(text, period);
  ASSERT_TRUE(found.good) << found.text;
  ASSERT_EQ(found.multipliers.size(), 2u);
  EXPECT_NEAR(std::abs(found.multipliers[0] * found.multipliers[1]), 0.49 * std::exp(-0.9 / 0.8 * period), 1e-6);
}

TEST(PeriodicStates, TheAngleOfAFreeShaftCountsOn) {
  // J w' = M cos(wt) - d w + M0: w has a mean, the angle does not come back
  const std::string text = R"(
components:
  w: {type: mechanical.Inertia, J: 0.3 kg.m2}
  d: {type: mechanical.RotationalDamper, a: w.shaft, b: ground, d: 0.2 N.m.s/rad}
  t: {type: mechanical.Torque, flange: w.shaft, tau: 2 N.m + 1 N.m*cos(5 1/s*time)}
)";
  const double period = 2 * std::numbers::pi / 5;
  const auto found = find(text, period);
  ASSERT_TRUE(found.good) << found.text;
  // the phasor 1/(0.2 + 1.5 j) about 10 rad/s, at a whole number of periods
  EXPECT_NEAR(value_of(found, "w.shaft.phid"), 10 + 0.2 / (0.04 + 2.25), 1e-7);
  EXPECT_EQ(found.counting, std::vector<std::string>{"w.shaft.phi"});
  ASSERT_EQ(found.multipliers.size(), 1u);
  EXPECT_NEAR(found.multipliers[0].real(), std::exp(-0.2 / 0.3 * period), 1e-8);
}

TEST(PeriodicStates, AClockThatIsNoPartOfThePeriodIsNamed) {
  try {
    find(R"(
components:
  r: {type: blocks.Sine, frequency: 10 Hz}
  z: {type: blocks.ZeroOrderHold, u: r.y, sample: 3 ms}
  g: {type: blocks.TransferFunction, u: z.y, den: [0.03, 1]}
)",
         0.1);
    FAIL() << "not refused";
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(),
                 "periodic: the excitation does not repeat after 0.1 s: z.y is sampled every 0.003 s, which is no part "
                 "of it");
  }
}

TEST(Harmonics, AreThoseOfASquareWaveAndOfWhatAFilterLeavesOfIt) {
  const model::Model model = io::parse_model(R"(
components:
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: "sin(2*pi*50 Hz*time) > 0 ? 3 V : -1 V"}
  R: {type: electrical.Resistor, p: a, n: b, R: 2 ohm}
  L: {type: electrical.Inductor, p: b, n: gnd, L: 10 mH}
)",
                                             "m.yaml");
  equations::Evaluator evaluator(compile_model(model));
  solve::Options options;
  options.rtol = 1e-10, options.atol = 1e-12;
  const analyze::Periodic periodic = analyze::find_periodic(evaluator, options, {.period = 0.02});
  const auto found = analyze::find_harmonics(evaluator, options, periodic, {"U.v", "L.i"}, 5);
  ASSERT_EQ(found.size(), 2u);
  // 1 V and a square wave of 2 V: 4/π 2/n of odd n, distortion √(π²/8 − 1)
  EXPECT_NEAR(found[0].mean, 1, 1e-9);
  EXPECT_NEAR(found[0].rms, std::sqrt(5.0), 1e-9);
  EXPECT_NEAR(found[0].thd, std::sqrt(std::numbers::pi * std::numbers::pi / 8 - 1), 1e-8);
  for (int n = 1; n <= 5; ++n) {
    const double u = n % 2 == 1 ? 8 / (std::numbers::pi * n) : 0, x = 2 * std::numbers::pi * 50 * n * 0.01;
    EXPECT_NEAR(found[0].amplitude[static_cast<std::size_t>(n - 1)], u, 1e-8) << n;
    EXPECT_NEAR(found[1].amplitude[static_cast<std::size_t>(n - 1)], u / std::hypot(2, x), 1e-6)
        << n;  // a polygon of 4,096
  }
  EXPECT_NEAR(found[1].phase[0] - found[0].phase[0], -std::atan2(std::numbers::pi, 2.0), 1e-6);
}

}  // namespace
}  // namespace coenergy::tests
