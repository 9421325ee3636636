// Blocks against closed forms.
#include <cmath>
#include <numbers>

#include "tests/inline_model.hpp"

namespace coenergy::tests {
namespace {

TEST(Blocks, AStepThroughALagIsAnExponentialFromItsInstant) {
  const auto r = run_text(R"(
components:
  step: {type: blocks.Step, height: 2, offset: 0.5, start: 0.13 s}
  lag:  {type: blocks.TransferFunction, u: step.y - 0.5, num: [1], den: [0.2, 1]}
)",
                          0.5);
  EXPECT_EQ(value_at(r, "step.y", 0.1), 0.5);
  EXPECT_EQ(value_at(r, "step.y", 0.2), 2.5);
  // tolerance of the run is 1e-9 per step
  EXPECT_NEAR(value_at(r, "lag.y", 0.1), 0, 1e-12);
  EXPECT_NEAR(value_at(r, "lag.y", 0.4), 2 * (1 - std::exp(-(0.4 - 0.13) / 0.2)), 1e-7);
}

TEST(Blocks, AStepBeforeTheStartIsOnAtTheStart) {
  const auto r =
      run_text("components: {step: {type: blocks.Step, start: -1 s}, i: {type: blocks.Integrator, u: step.y}}", 0.2);
  EXPECT_NEAR(value_at(r, "i.y", 0.2), 0.2, 1e-9);
}

TEST(Blocks, ARampIntegratesToAParabola) {
  const auto r = run_text(R"(
components:
  ramp: {type: blocks.Ramp, height: 3, duration: 0.4 s, start: 0.1 s}
  sum:  {type: blocks.Sum, u: [ramp.y, -1]}
  gain: {type: blocks.Gain, u: sum.y, k: 2}
  area: {type: blocks.Integrator, u: gain.y, y0: 0.25}
)",
                          1);
  EXPECT_NEAR(value_at(r, "ramp.y", 0.3), 1.5, 1e-9);
  EXPECT_NEAR(value_at(r, "area.y", 0.3), 0.25 + 2 * (3 / 0.4 * 0.04 / 2 - 0.3), 1e-8);
  EXPECT_NEAR(value_at(r, "area.y", 1.0), 0.25 + 2 * (3 * 0.4 / 2 + 3 * 0.5 - 1), 1e-8);
}

TEST(Blocks, ASineHasItsFrequencyAndPhase) {
  const auto r =
      run_text("components: {s: {type: blocks.Sine, amplitude: 3, frequency: 2 Hz, phase: 30 deg, offset: 1}}", 0.2);
  EXPECT_NEAR(value_at(r, "s.y", 0), 2.5, 1e-12);
  EXPECT_NEAR(value_at(r, "s.y", 0.2), 1 + 3 * std::sin(0.8 * std::numbers::pi + std::numbers::pi / 6), 1e-12);
}

TEST(Blocks, ALimitedIntegratorStopsAndStartsAgain) {
  const auto r = run_text("components: {i: {type: blocks.Integrator, u: cos(1 1/s*time), lower: -0.7, upper: 0.5}}", 5);
  // it follows sin t to 0.5, waits for cos t < 0, goes down from there to −0.7, waits for cos t > 0
  EXPECT_NEAR(value_at(r, "i.y", 0.4), std::sin(0.4), 1e-6);
  EXPECT_NEAR(value_at(r, "i.y", 1.5), 0.5, 1e-6);
  EXPECT_NEAR(value_at(r, "i.y", 2.5), 0.5 + std::sin(2.5) - 1, 1e-6);
  EXPECT_NEAR(value_at(r, "i.y", 4.5), -0.7, 1e-6);
  EXPECT_NEAR(value_at(r, "i.y", 5.0), -0.7 + std::sin(5.0) + 1, 1e-6);
}

TEST(Blocks, StateSpaceAndTransferFunctionAgree) {
  // (2 s² + 3 s + 4)/(s² + 0.5 s + 6), and its first state as a second output
  const auto r = run_text(R"(
components:
  u:  {type: blocks.Sine, frequency: 0.7 Hz}
  tf: {type: blocks.TransferFunction, u: u.y, num: [4, 6, 8], den: [2, 1, 12]}
  ss: {type: blocks.StateSpace, u: [u.y], A: [[0, 1], [-6, -0.5]], B: [0, 1], C: [[-8, 2], [1, 0]], D: [2, 0]}
)",
                          3);
  for (double t : {0.5, 1.5, 3.0}) {
    EXPECT_NEAR(value_at(r, "tf.y", t), value_at(r, "ss.y1", t), 1e-12);
    EXPECT_NEAR(value_at(r, "tf.x1", t), value_at(r, "ss.y2", t), 1e-12);
  }
  EXPECT_GT(std::abs(value_at(r, "tf.y", 3.0)), 0.1);
}

TEST(Blocks, SaturationHoldsItsInputWithinTheLimits) {
  const auto r = run_text("components: {s: {type: blocks.Saturation, u: 3 1/s*time - 1, lower: -0.5, upper: 1}}", 1);
  EXPECT_EQ(value_at(r, "s.y", 0.1), -0.5);
  EXPECT_NEAR(value_at(r, "s.y", 0.5), 0.5, 1e-12);
  EXPECT_EQ(value_at(r, "s.y", 1.0), 1);
}

TEST(Blocks, APidActsOnErrorItsIntegralAndTheFilteredRate) {
  const auto r = run_text(R"(
components:
  pid:  {type: blocks.Pid, reference: 2, measure: 3 1/s*time, kp: 5, ki: 7, kd: 0.4, filter: 0.1 s}
  rate: {type: blocks.Pid, reference: 2, measure: 3 1/s*time, rate: 3, kp: 5, ki: 7, kd: 0.4, limit: 8}
)",
                          1);
  auto integral = [](double t) { return 1.5 * t * t - 2 * t; };
  for (double t : {0.3, 1.0}) {
    const double proportional = -5 * (3 * t - 2) - 7 * integral(t);
    EXPECT_NEAR(value_at(r, "pid.x", t), integral(t), 1e-8);
    EXPECT_NEAR(value_at(r, "pid.y", t), proportional - 0.4 * 3 * (1 - std::exp(-t / 0.1)), 1e-6);
    EXPECT_NEAR(value_at(r, "rate.y", t), std::clamp(proportional - 0.4 * 3, -8.0, 8.0), 1e-7);
  }
}

TEST(Blocks, TrackingKeepsTheIntegratorOfALimitedPidNearItsLimit) {
  const auto r = run_text(R"(
components:
  free:   {type: blocks.Pid, reference: 10, measure: 0*time, kp: 1, ki: 2, limit: 4}
  tracks: {type: blocks.Pid, reference: 10, measure: 0*time, kp: 1, ki: 2, limit: 4, tracking: 0.1 s}
)",
                          5);
  EXPECT_NEAR(value_at(r, "free.x", 5), -50, 1e-6);
  // at rest the error 10 and the excess v − y = ki·tracking·10 balance: 10 − 2 x − 4 = 2
  EXPECT_NEAR(value_at(r, "tracks.x", 5), 2, 1e-6);
}

TEST(Blocks, ASampledPidFollowsItsDifferenceEquations) {
  // measure t, reference 0, T = 0.1: x_k = T Σ_{j ≤ k} t_j (x_0 = 0), difference 1 from the second sample on
  const auto r = run_text(R"(
components:
  i: {type: blocks.SampledPid, reference: 0, measure: 1 1/s*time, kp: 0, ki: 1, sample: 0.1 s}
  d: {type: blocks.SampledPid, reference: 0.5, measure: 1 1/s*time, kp: 2, kd: 3, sample: 0.1 s}
  w: {type: blocks.SampledPid, reference: 1, measure: 0*time, kp: 1, ki: 10, limit: 4, sample: 0.1 s}
  n: {type: blocks.SampledPid, reference: 1, measure: 0*time, kp: 1, ki: 10, limit: 4, sample: 0.1 s, anti_windup: none}
)",
                          1);
  EXPECT_NEAR(value_at(r, "i.y", 0.05), 0, 1e-12);
  EXPECT_NEAR(value_at(r, "i.y", 0.15), -0.1 * 0.1, 1e-12);
  EXPECT_NEAR(value_at(r, "i.y", 0.35), -0.1 * (0.1 + 0.2 + 0.3), 1e-12);
  EXPECT_NEAR(value_at(r, "d.y", 0.05), -2 * (0 - 0.5), 1e-12);
  EXPECT_NEAR(value_at(r, "d.y", 0.25), -2 * (0.2 - 0.5) - 3, 1e-9);
  // 1 + 10·0.1·k reaches the limit 4 at k = 3; the clamped sum goes no further
  EXPECT_NEAR(value_at(r, "w.y", 0.25), 3, 1e-12);
  EXPECT_NEAR(value_at(r, "w.y", 0.95), 4, 1e-12);
  EXPECT_NEAR(value_at(r, "w.x", 0.95), -0.3, 1e-12);
  EXPECT_NEAR(value_at(r, "n.x", 0.95), -0.9, 1e-12);
}

TEST(Blocks, AHoldSamplesAndDelays) {
  const auto r = run_text(R"(
components:
  hold: {type: blocks.ZeroOrderHold, u: 1 1/s*time, sample: 0.1 s}
  late: {type: blocks.ZeroOrderHold, u: 1 1/s*time, sample: 0.1 s, delay: 2}
)",
                          1);
  EXPECT_NEAR(value_at(r, "hold.y", 0.35), 0.3, 1e-9);
  EXPECT_EQ(value_at(r, "late.y", 0.15), 0);
  EXPECT_NEAR(value_at(r, "late.y", 0.35), 0.1, 1e-9);
}

TEST(Blocks, AnAlgebraicLoopIsSolvedWithEverythingElse) {
  // y = 2 (3 − y) has the solution 2
  const auto r =
      run_text("components: {e: {type: blocks.Sum, u: [3, -g.y]}, g: {type: blocks.Gain, u: e.y, k: 2}}", 0.1);
  EXPECT_NEAR(value_at(r, "g.y", 0.1), 2, 1e-12);
}

TEST(Blocks, RefuseWhatTheyCannotDo) {
  EXPECT_EQ(error_of("components: {b: {type: blocks.TransferFunction, u: time, num: [1, 0], den: [3]}}"),
            "m.yaml:1:14: b: num has a higher degree (1) than den (0); the block would differentiate its input");
  EXPECT_EQ(error_of("components: {b: {type: blocks.TransferFunction, u: time, den: [0, 1]}}"),
            "m.yaml:1:14: b: the first coefficient of den must not be 0");
  EXPECT_EQ(error_of("components: {b: {type: blocks.StateSpace, u: [time], A: [1, 2], B: [1], C: [1]}}"),
            "m.yaml:1:14: b: A has 2 entries, which is no square");
  EXPECT_EQ(error_of("components: {b: {type: blocks.StateSpace, u: [time], A: [1], B: [1, 2], C: [1]}}"),
            "m.yaml:1:14: b: B has 2 entries; it needs 1 x 1");
  EXPECT_EQ(error_of("components: {b: {type: blocks.Saturation, u: time, lower: 2, upper: 1}}"),
            "m.yaml:1:14: b: lower is greater than upper");
  EXPECT_EQ(error_of("components: {b: {type: blocks.ZeroOrderHold, u: time, sample: 1 s, delay: 1.5}}"),
            "m.yaml:1:14: b: delay must be a whole number of periods");
  EXPECT_EQ(error_of("components: {b: {type: blocks.SampledPid, reference: 0, measure: time, kp: 1, sample: 0 s}}"),
            "m.yaml:1:87: b.sample = 0 s must be > 0");
}

TEST(Blocks, AFirstSampleIsTakenFromTheComparisonsOfTheStart) {
  for (const char* start : {"given", "steady"}) {
    solve::Options options{.t_end = 1.5, .method = "radau", .output_step = 0.1};
    options.start = start;
    const auto r = run_model(io::parse_model(R"model(
components:
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 3 V}
  R: {type: electrical.Resistor, p: a, n: gnd, R: 1 ohm}
  H: {type: blocks.ZeroOrderHold, u: "if(time < 0.5 s and R.v > 2 V, 1, if(time < 1.2 s, 2, 4))", sample: 1 s}
)model",
                                             "m.yaml"),
                             options);
    EXPECT_EQ(value_at(r, "H.y", 0.1), 1) << start;
    EXPECT_EQ(value_at(r, "H.y", 0.9), 1) << start;
    EXPECT_EQ(value_at(r, "H.y", 1.1), 2) << start;
  }
}

}  // namespace
}  // namespace coenergy::tests
