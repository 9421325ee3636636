// Linear and sampled blocks against closed forms and hand-computed tables.
#include <cmath>
#include <complex>
#include <numbers>

#include "tests/inline_model.hpp"

namespace coenergy::tests {
namespace {

using Complex = std::complex<double>;
constexpr double pi = std::numbers::pi;

/// Values of a signal just after the instants 0, T, 2T, … of a sampled block.
void expect_samples(const solve::Result& r, const std::string& signal, double T, const std::vector<double>& expected) {
  for (std::size_t k = 0; k < expected.size(); ++k)
    EXPECT_NEAR(value_at(r, signal, T * (static_cast<double>(k) + 0.5)), expected[k], 1e-9)
        << signal << " after sample " << k;
}

TEST(ControlBlocks, ASampledTransferFunctionFollowsItsDifferenceEquation) {
  // y_k = 0.5 y_{k−1} − 0.06 y_{k−2} + 2 u_{k−1} + u_{k−2}, u = 1, 2, 3, …
  const auto r = run_text(R"yaml(
components:
  u: {type: blocks.ZeroOrderHold, u: 1 + time/(0.1 s), sample: 0.1 s}
  f: {type: blocks.TransferFunction, u: u.y, num: [2, 1], den: [1, -0.5, 0.06], sample: 0.1 s}
)yaml",
                          0.6, 0.05);
  std::vector<double> y;
  const auto at = [](const std::vector<double>& v, int k) { return k < 0 ? 0 : v[static_cast<std::size_t>(k)]; };
  for (int k = 0; k < 6; ++k) {
    const auto u = [](int i) { return i < 0 ? 0.0 : 1.0 + i; };
    y.push_back(0.5 * at(y, k - 1) - 0.06 * at(y, k - 2) + 2 * u(k - 1) + u(k - 2));
  }
  expect_samples(r, "f.y", 0.1, y);
}

TEST(ControlBlocks, ASampledStateSpaceStepsByItsMatrices) {
  const auto r = run_text(R"yaml(
components:
  s: {type: blocks.StateSpace, u: [1], A: [[0.5, 0.2], [0, -0.4]], B: [1, 3], C: [1, 1], D: [2], x0: [4, -1], sample: 0.2 s, offset: 0.1 s}
)yaml",
                          1, 0.05);
  double a = 4, b = -1;
  EXPECT_EQ(value_at(r, "s.y", 0.05), 0);
  for (int k = 0; k < 4; ++k) {
    EXPECT_NEAR(value_at(r, "s.y", 0.2 + 0.2 * k), a + b + 2, 1e-12) << k;
    const double next = 0.5 * a + 0.2 * b + 1;
    b = -0.4 * b + 3, a = next;
  }
}

TEST(ControlBlocks, ZerosAndPolesMakeTheSameAsCoefficients) {
  // 3 (s + 2)/((s + 1)(s² + 2 s + 10))
  const auto r = run_text(R"yaml(
components:
  z: {type: blocks.ZeroPole, u: 1, k: 3, zeros: [-2], poles: [-1, -1], poles_im: [0, 3]}
  t: {type: blocks.TransferFunction, u: 1, num: [3, 6], den: [1, 3, 12, 10]}
)yaml",
                          2);
  for (double t : {0.3, 1.0, 2.0}) EXPECT_NEAR(value_at(r, "z.y", t), value_at(r, "t.y", t), 1e-9);
}

/// Amplitude of a filter's answer to a sine of the frequency f, after it has settled: from the answers to sine and cosine.
double gain_of(const std::string& filter, double f) {
  const std::string text = "components:\n  s: {type: blocks.Filter, u: \"sin(2*pi*" + std::to_string(f) +
                           " Hz*time)\", " + filter + "}\n  c: {type: blocks.Filter, u: \"cos(2*pi*" +
                           std::to_string(f) + " Hz*time)\", " + filter + "}\n";
  const auto r = run_text(text, 12, 1);
  return std::hypot(value_at(r, "s.y", 12), value_at(r, "c.y", 12));
}

TEST(ControlBlocks, FiltersHaveTheirAmplitudes) {
  // Butterworth 1/√(1 + Ωⁿ²), Chebyshev 1/√(1 + ε² T_n²(Ω)), Ω of the prototype
  const auto butterworth = [](double w, int n) { return 1 / std::sqrt(1 + std::pow(w, 2 * n)); };
  EXPECT_NEAR(gain_of("order: 3, corners: [2 Hz]", 2), std::sqrt(0.5), 1e-6);
  EXPECT_NEAR(gain_of("order: 3, corners: [2 Hz]", 3), butterworth(1.5, 3), 1e-6);
  EXPECT_NEAR(gain_of("passes: high, order: 4, corners: [2 Hz]", 1.5), butterworth(2 / 1.5, 4), 1e-6);
  const double band = (2.5 * 2.5 - 2 * 3) / (2.5 * 1), stop = 1 / ((1.8 * 1.8 - 6) / 1.8);
  EXPECT_NEAR(gain_of("passes: band, order: 2, corners: [2 Hz, 3 Hz]", 2.5), butterworth(band, 2), 1e-6);
  EXPECT_NEAR(gain_of("passes: stop, order: 2, corners: [2 Hz, 3 Hz]", 1.8), butterworth(stop, 2), 1e-6);
  const double epsilon2 = std::pow(10, 0.2) - 1, t4 = 8 * std::pow(1.2, 4) - 8 * 1.2 * 1.2 + 1;
  EXPECT_NEAR(gain_of("family: chebyshev, ripple: 2, order: 4, corners: [2 Hz]", 2.4),
              1 / std::sqrt(1 + epsilon2 * t4 * t4), 1e-6);
}

TEST(ControlBlocks, ASampledFilterIsTheContinuousOneThroughTheBilinearMap) {
  // 1/(1 + s/ω): y_k = (y_{k−1} (1 − c) + c' …) with tan(ωT/2) = g: y_k (1 + g) = y_{k−1} (1 − g) + g (u_k + u_{k−1})
  const double g = std::tan(pi * 2 * 0.05);
  const auto r = run_text(
      "components: {f: {type: blocks.Filter, u: \"1 + time/(1 s)\", order: 1, corners: [2 Hz], sample: 50 ms}}", 0.5,
      0.025);
  std::vector<double> y;
  for (int k = 0; k < 8; ++k) {
    const double u = 1 + 0.05 * k, before = k == 0 ? 0 : 1 + 0.05 * (k - 1);
    y.push_back(((k == 0 ? 0 : y.back()) * (1 - g) + g * (u + before)) / (1 + g));
  }
  expect_samples(r, "f.y", 0.05, y);
}

TEST(ControlBlocks, ADerivativeIsExactFilteredOrTheDifferenceOfSamples) {
  const auto r = run_text(R"yaml(
components:
  exact:   {type: blocks.Derivative, u: "3 + sin(2 1/s*time)"}
  lag:     {type: blocks.Derivative, u: "3 + 4 1/s*time", T: 0.2 s}
  sampled: {type: blocks.Derivative, u: "3 + time^2/(1 s^2)", sample: 0.1 s}
)yaml",
                          1, 0.05);
  EXPECT_NEAR(value_at(r, "exact.y", 0.7), 2 * std::cos(1.4), 1e-12);
  EXPECT_EQ(value_at(r, "lag.y", 0), 0);
  EXPECT_NEAR(value_at(r, "lag.y", 0.5), 4 * (1 - std::exp(-2.5)), 1e-7);
  expect_samples(r, "sampled.y", 0.1, {0, 0.1, 0.3, 0.5, 0.7});
}

TEST(ControlBlocks, IntegratorsOfSamplesSumUpByTheirMethods) {
  const auto r = run_text(R"yaml(
components:
  u: {type: blocks.ZeroOrderHold, u: "1 + time/(0.1 s)", sample: 0.1 s}
  f: {type: blocks.SampledIntegrator, u: u.y, k: 10, y0: 5, sample: 0.1 s}
  b: {type: blocks.SampledIntegrator, u: u.y, k: 10, y0: 5, sample: 0.1 s, method: backward, upper: 13}
  t: {type: blocks.SampledIntegrator, u: u.y, k: 10, y0: 5, sample: 0.1 s, method: trapezoidal, reset: "time > 0.25 s ? 1 : 0", y_reset: -1}
)yaml",
                          0.4, 0.05);
  expect_samples(r, "f.y", 0.1, {5, 6, 8, 11});
  expect_samples(r, "b.y", 0.1, {5, 7, 10, 13});
  expect_samples(r, "t.y", 0.1, {5, 6.5, 9, -1});
}

TEST(ControlBlocks, AnIntegratorIsSetByItsTrigger) {
  // ẏ = 2 t, to 0.5 when t passes 0.3 and 0.9
  const auto r = run_text(R"yaml(
components:
  i: {type: blocks.ResettableIntegrator, u: time/(1 s), k: 2, y0: 1, reset: "time < 0.3 s ? 0 : (time < 0.6 s ? 1 : (time < 0.9 s ? 0 : 1))", y_reset: 0.5}
)yaml",
                          1, 0.1);
  EXPECT_NEAR(value_at(r, "i.y", 0.2), 1.04, 1e-9);
  EXPECT_NEAR(value_at(r, "i.y", 0.8), 0.5 + 0.64 - 0.09, 1e-8);
  EXPECT_NEAR(value_at(r, "i.y", 1.0), 0.5 + 1 - 0.81, 1e-8);
}

TEST(ControlBlocks, SetPointWeightsActOnTheReferenceAlone) {
  const auto r = run_text(R"yaml(
components:
  p: {type: blocks.Pid, reference: "5 + 2 1/s*time", measure: "3 + 1 1/s*time", kp: 4, kd: 3, setpoint_weight: 0.6, derivative_weight: 0.5, filter: 10 ms}
  s: {type: blocks.SampledPid, reference: 5, measure: 3, kp: 4, ki: 2, setpoint_weight: 0.6, sample: 0.1 s}
)yaml",
                          0.5, 0.05);
  // after 50 filter times the derivative is there: of 0.5·2 − 1 = 0
  EXPECT_NEAR(value_at(r, "p.y", 0.5), 4 * (0.6 * 6 - 3.5), 1e-9);
  EXPECT_NEAR(value_at(r, "s.y", 0.25), 4 * (0.6 * 5 - 3) + 2 * 2 * 0.2, 1e-12);
}

TEST(ControlBlocks, AUnitDelayIsOneSampleLate) {
  const auto r =
      run_text("components: {d: {type: blocks.UnitDelay, u: \"3 + time/(0.1 s)\", y0: -1, sample: 0.1 s}}", 0.5, 0.05);
  expect_samples(r, "d.y", 0.1, {-1, 3, 4, 5, 6});
}

TEST(ControlBlocks, ProductsMatricesAndExpressionsAreWhatTheySay) {
  const auto r = run_text(R"yaml(
components:
  p: {type: blocks.Product, u: [2, "time/(1 s)", 3], by: [4]}
  m: {type: blocks.MatrixGain, u: ["time/(1 s)", 2], K: [[1, 2], [3, -4], [0, 5]]}
  e: {type: blocks.Expression, value: p.y^2 + m.y2}
)yaml",
                          0.5, 0.5);
  EXPECT_NEAR(value_at(r, "p.y", 0.5), 0.75, 1e-15);
  EXPECT_NEAR(value_at(r, "m.y1", 0.5), 4.5, 1e-15);
  EXPECT_NEAR(value_at(r, "m.y2", 0.5), -6.5, 1e-15);
  EXPECT_NEAR(value_at(r, "m.y3", 0.5), 10, 1e-15);
  EXPECT_NEAR(value_at(r, "e.y", 0.5), 0.5625 - 6.5, 1e-15);
}

TEST(ControlBlocks, TablesInterpolateAsTheyAreTold) {
  const auto r = run_text(R"yaml(
components:
  a: {type: blocks.Table, u: [2.5], x1: [1, 2, 4], values: [10, 20, 60]}
  h: {type: blocks.Table, u: [5], x1: [1, 2, 4], values: [10, 20, 60], outside: hold}
  e: {type: blocks.Table, u: [5], x1: [1, 2, 4], values: [10, 20, 60]}
  n: {type: blocks.Table, u: ["1 + 2 1/s*time"], x1: [1, 2, 4], values: [10, 20, 60], interpolation: nearest}
  p: {type: blocks.Table, u: ["1 + 2 1/s*time"], x1: [1, 2, 4], values: [10, 20, 60], interpolation: previous}
  b: {type: blocks.Table, u: [0.5, 3], x1: [0, 1], x2: [2, 4], values: [1, 2, 3, 6]}
  t: {type: blocks.Table, u: [0.25, 0.5, 0.75], x1: [0, 1], x2: [0, 1], x3: [0, 1], values: [0, 1, 2, 3, 4, 5, 6, 7]}
  c: {type: blocks.Table, u: [1.5], x1: [0, 1, 2, 3], values: [0, 1, 0, 1], interpolation: cubic}
)yaml",
                          1, 0.1);
  EXPECT_NEAR(value_at(r, "a.y", 0), 30, 1e-12);
  EXPECT_NEAR(value_at(r, "h.y", 0), 60, 1e-12);
  EXPECT_NEAR(value_at(r, "e.y", 0), 80, 1e-12);
  for (const auto& [t, nearest, previous] : {std::array{0.2, 10.0, 10.0}, {0.3, 20.0, 10.0}, {0.9, 20.0, 20.0}}) {
    EXPECT_EQ(value_at(r, "n.y", t), nearest);
    EXPECT_EQ(value_at(r, "p.y", t), previous);
  }
  EXPECT_NEAR(value_at(r, "b.y", 0), 3, 1e-12);
  EXPECT_NEAR(value_at(r, "t.y", 0), 4 * 0.25 + 2 * 0.5 + 0.75, 1e-12);
  // odd about the middle
  EXPECT_NEAR(value_at(r, "c.y", 0), 0.5, 1e-12);
  EXPECT_EQ(error_of("components: {t: {type: blocks.Table, u: [1], x1: [1, 3, 2], values: [1, 2, 3]}}"),
            "m.yaml:1:14: t: x1 must increase; 2 follows 3");
  EXPECT_EQ(error_of("components: {t: {type: blocks.Table, u: [1], x1: [1, 2], values: [1, 2, 3]}}"),
            "m.yaml:1:14: t: values has 3 entries; the grid has 2 points");
}

}  // namespace
}  // namespace coenergy::tests
