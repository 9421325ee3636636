// Switches, ideal diodes and modulators against their laws: resistances, switching points and instants.
#include <cmath>
#include <numbers>

#include "coenergy/io/spice.hpp"
#include "tests/inline_model.hpp"

namespace coenergy::tests {
namespace {

/// Rows every millisecond; a switch that is a millisecond late or early shows.
solve::Result run_fine(const std::string& text, double t_end, double t_start = 0) {
  solve::Options options{.t_start = t_start, .t_end = t_end, .method = "radau", .output_step = 1e-3};
  options.rtol = options.atol = 1e-9;
  options.record_events = false;
  return run_model(io::parse_model(text, "m.yaml"), options);
}

TEST(SwitchingElements, AnIdealDiodeConductsFromItsForwardVoltageOn) {
  // 10 V/s from −5 V over 2 ohm: it conducts from 0.7 V on, at 0.57 s
  const auto r = run_fine(R"(
components:
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 10 V/s*time - 5 V}
  R: {type: electrical.Resistor, p: a, n: b, R: 2 ohm}
  D: {type: electrical.IdealDiode, p: b, n: gnd, V_f: 0.7 V, R_on: 0.5 ohm, G_off: 0.1 S}
)",
                          1);
  EXPECT_EQ(value_at(r, "D.conducting", 0.569), 0);
  EXPECT_EQ(value_at(r, "D.conducting", 0.571), 1);
  // blocking: i = G (v − V_f), u = v + R i; conducting: u = V_f + (R + R_on) i; algebraic, so to round-off
  EXPECT_NEAR(value_at(r, "D.i", 0.1), 0.1 * (-4 - 0.7) / (1 + 2 * 0.1), 1e-12);
  EXPECT_NEAR(value_at(r, "D.i", 1), (5 - 0.7) / 2.5, 1e-12);
  EXPECT_NEAR(value_at(r, "D.v", 1), 0.7 + 0.5 * (5 - 0.7) / 2.5, 1e-12);
}

TEST(SwitchingElements, AnIdealSwitchClosesAtHalfItsControl) {
  const auto r = run_fine(R"(
components:
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 6 V}
  R: {type: electrical.Resistor, p: a, n: b, R: 2 ohm}
  S: {type: electrical.IdealSwitch, p: b, n: gnd, control: time/(1 s), R_on: 1 ohm, G_off: 0.25 S}
)",
                          1);
  EXPECT_NEAR(value_at(r, "S.i", 0.499), 6 / (2 + 4.0), 1e-12);
  EXPECT_NEAR(value_at(r, "S.i", 0.501), 6 / (2 + 1.0), 1e-12);
}

TEST(SwitchingElements, ASwitchWithHysteresisClosesAboveAndOpensBelowItsThreshold) {
  // sin 2πt: closes above 0.2 + 0.3 at t = 1/12, opens below 0.2 − 0.3 at 1/2 + asin(0.1)/(2π) = 0.51594 s
  const auto r = run_fine(R"(
components:
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 6 V}
  S: {type: electrical.Switch, p: a, n: gnd, control: sin(2*pi*time/(1 s)), threshold: 0.2, hysteresis: 0.3, R_on: 3 ohm, R_off: 500 ohm}
)",
                          1);
  const double opens = 0.5 + std::asin(0.1) / (2 * std::numbers::pi);
  for (double t : {0.001, 0.083, 0.084, 0.45, 0.515, 0.516, 0.9})
    EXPECT_EQ(value_at(r, "S.R", t), t > 1.0 / 12 && t < opens ? 3 : 500) << t;
}

TEST(SwitchingElements, AClosedSwitchStaysClosedWithinItsHysteresis) {
  for (int initial : {0, 1}) {
    const auto r = run_fine(
        "components:\n  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 6 V}\n"
        "  S: {type: electrical.Switch, p: a, n: gnd, control: 0.4, hysteresis: 0.2, R_on: 3 ohm, "
        "R_off: 500 ohm, initial: " +
            std::to_string(initial) + "}\n",
        0.002);
    EXPECT_EQ(value_at(r, "S.R", 0.002), initial == 1 ? 3 : 500);
  }
}

/// Closes at 0.1 s, opens at 0.5 s, closes again at 0.7 s, before it is open; it takes 0.2 s to close and 0.4 s to
/// open.
std::string ramped_switch(const std::string& ramp) {
  return R"(
components:
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 6 V}
  S:
    type: electrical.Switch
    p: a
    n: gnd
    control: if(time < 0.1 s, 0, if(time < 0.5 s, 1, if(time < 0.7 s, 0, 1)))
    rise: 0.2 s
    fall: 0.4 s
    R_on: 2 ohm
    R_off: 50 ohm
    ramp: )" +
         ramp + "\n";
}

double closed_fraction(double t) {
  if (t < 0.1) return 0;
  if (t < 0.3) return (t - 0.1) / 0.2;
  if (t < 0.5) return 1;
  if (t < 0.7) return 1 - (t - 0.5) / 0.4;
  // half open, the rest takes a whole rise
  if (t < 0.9) return 0.5 + 0.5 * (t - 0.7) / 0.2;
  return 1;
}

TEST(SwitchingElements, ARampStartsFromWhereTheLastOneHadCome) {
  for (const std::string ramp : {"resistance", "logarithmic"}) {
    const auto r = run_fine(ramped_switch(ramp), 1);
    for (double t : {0.05, 0.12, 0.25, 0.4, 0.55, 0.68, 0.75, 0.85, 0.95}) {
      const double f = closed_fraction(t);
      const double R = ramp == "resistance" ? 2 * f + 50 * (1 - f) : 50 * std::pow(2.0 / 50, f);
      // an instant is found to some 1e-14 s, of which a ramp makes a part of 1e-13
      EXPECT_NEAR(value_at(r, "S.R", t), R, 1e-11 * R) << ramp << " at " << t;
      EXPECT_NEAR(value_at(r, "S.i", t), 6 / R, 1e-11 * 6 / R) << ramp << " at " << t;
    }
  }
}

TEST(SwitchingElements, ASmoothSwitchFollowsItsCubicInTheLogarithm) {
  const auto r = run_fine(R"(
components:
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 6 V}
  S: {type: electrical.SmoothSwitch, p: a, n: gnd, control: time/(1 s), threshold: 0.6, width: 0.3, R_on: 2 ohm, R_off: 50 ohm}
)",
                          1);
  for (double t : {0.1, 0.299, 0.35, 0.5, 0.6, 0.8, 0.901, 1.0}) {
    const double x = std::clamp((t - 0.3) / 0.6, 0.0, 1.0), R = 50 * std::pow(2.0 / 50, x * x * (3 - 2 * x));
    EXPECT_NEAR(value_at(r, "S.R", t), R, 1e-12 * R) << t;
  }
}

TEST(SwitchingElements, AModulatorSamplesItsDutyAtTheStartOfEveryPeriod) {
  // periods of 1 s from 0.5 s on: duties 0.2 + 0.3 t of their starts, off at 0.5 + 0.35, 1.5 + 0.65, 2.5 + 0.95 s
  const auto r = run_fine(R"(
components:
  P: {type: electrical.Pwm, duty: 0.2 + 0.3*time/(1 s), period: 1 s, delay: 0.5 s, low: -2, high: 3}
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 1 V*P.y}
  R: {type: electrical.Resistor, p: a, n: gnd, R: 1 ohm}
)",
                          3.5);
  const std::pair<double, double> highs[] = {{0.5, 0.85}, {1.5, 2.15}, {2.5, 3.45}};
  for (int k = 0; k <= 3500; ++k) {
    const double t = 1e-3 * k;
    bool high = false, near_edge = false;
    for (const auto& [from, to] : highs) {
      high = high || (t > from && t < to);
      near_edge = near_edge || std::abs(t - from) < 5e-4 || std::abs(t - to) < 5e-4;
    }
    if (near_edge) continue;
    ASSERT_EQ(value_at(r, "P.y", t), high ? 3 : -2) << t;
  }
}

TEST(SwitchingElements, AModulatorKeepsItsDutyBetweenZeroAndOne) {
  // 1.4 fills the first period and no more, −0.3 leaves the third one empty
  const auto r = run_fine(R"model(
components:
  P: {type: electrical.Pwm, duty: "if(time < 0.5 s, 1.4, if(time < 1.5 s, 0.25, -0.3))", period: 1 s}
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 1 V*P.y}
  R: {type: electrical.Resistor, p: a, n: gnd, R: 1 ohm}
)model",
                          3);
  for (double t : {0.5, 0.999, 1.001, 1.249}) EXPECT_EQ(value_at(r, "P.y", t), 1) << t;
  for (double t : {1.251, 1.3, 1.5, 1.999, 2.001, 2.5, 2.999}) EXPECT_EQ(value_at(r, "P.y", t), 0) << t;
}

TEST(SwitchingElements, AModulatorThatStartsLateIsInThePeriodOfItsTime) {
  const auto r = run_fine(R"(
components:
  P: {type: electrical.Pwm, duty: 0.3, period: 1 s, delay: 0.6 s}
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 1 V*P.y}
  R: {type: electrical.Resistor, p: a, n: gnd, R: 1 ohm}
)",
                          203, 200.2);
  // periods begin at 200.6 s, 201.6 s, …
  for (double t : {200.61, 200.89, 201.61, 202.89}) EXPECT_EQ(value_at(r, "P.y", t), 1) << t;
  for (double t : {200.3, 200.59, 200.91, 201.59, 202.95}) EXPECT_EQ(value_at(r, "P.y", t), 0) << t;
}

TEST(SwitchingElements, ARowOfLargeRatesDoesNotHideADiodeThatHasNotConverged) {
  // stages that are solved too coarsely make the error estimate ask for short steps: five for each event instead of one
  io::Netlist netlist = io::read_netlist(COENERGY_SOURCE_DIR "/tests/netlists/buck.cir");
  solve::Options options{.t_end = 400e-6, .method = "esdirk", .output_step = 1e-5};
  options.max_step = 40e-6, options.rtol = 1e-3, options.atol = 1e-5;
  options.record_events = false;
  const solve::Result r = run_model(netlist.model, options);
  EXPECT_GT(r.statistics.events, 200);
  EXPECT_LT(r.statistics.steps, 2 * r.statistics.events);
}

}  // namespace
}  // namespace coenergy::tests
