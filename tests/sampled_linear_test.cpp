// Linear models of systems with samples: against transfer functions, difference equations and runs.
#include "coenergy/analyze/averaged.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "coenergy/analyze/frequency_response.hpp"
#include "coenergy/analyze/modes.hpp"
#include "coenergy/solve/initialize.hpp"
#include "tests/inline_model.hpp"
#include "tests/program.hpp"

namespace coenergy::tests {
namespace {

using Complex = std::complex<double>;

analyze::SampledModel make(const std::string& text, const std::vector<std::string>& inputs,
                           const std::vector<std::string>& outputs) {
  equations::Evaluator evaluator(compile_model(io::parse_model(text, "m.yaml")));
  const equations::Point start = solve::initialize(evaluator).point;
  EXPECT_TRUE(analyze::has_samples(evaluator.system()));
  return analyze::linearize_sampled(evaluator, start, analyze::linearize(evaluator, start, inputs, outputs));
}

TEST(SampledModels, AHoldAndALagAreTheirTransferFunction) {
  const double T = 0.02, tau = 0.13;
  const auto m = make(R"(
components:
  u: {type: blocks.Constant, value: 1}
  z: {type: blocks.ZeroOrderHold, u: u.y, sample: 20 ms}
  g: {type: blocks.TransferFunction, u: z.y, den: [0.13, 1]}
)",
                      {"u.value"}, {"g.y", "z.y"});
  for (const double f : {0.1, 3.0, 24.0, 49.0, 80.0}) {
    const Complex s(0, 2 * std::numbers::pi * f), hold = (1.0 - std::exp(-s * T)) / (s * T);
    const auto h = analyze::compute_sampled_response(m, s.imag());
    EXPECT_LT(std::abs(h[0] - hold / (1.0 + s * tau)), 1e-12) << f;
    EXPECT_LT(std::abs(h[1] - hold), 1e-12) << f;
    // what appears one sampling frequency above: the hold at that frequency
    const Complex above = s + Complex(0, 2 * std::numbers::pi / T);
    const auto alias = analyze::compute_sampled_response(m, s.imag(), 1);
    EXPECT_LT(std::abs(alias[0] - (1.0 - std::exp(-s * T)) / (above * T) / (1.0 + above * tau)), 1e-12) << f;
  }
}

TEST(SampledModels, ALoopWithADelayHasThePolesOfItsDifferenceEquation) {
  // z^2 (z - a)(z - 1) + (1 - a)(kp (z - 1) + ki T z) = 0
  const auto m = make(R"(
components:
  c: {type: blocks.SampledPid, reference: 1, measure: g.y, kp: 0.3, ki: 2, sample: 15 ms}
  z: {type: blocks.ZeroOrderHold, u: c.y, sample: 15 ms, delay: 2}
  g: {type: blocks.TransferFunction, u: z.y, den: [0.08, 1]}
)",
                      {}, {"g.y"});
  EXPECT_NEAR(m.period, 0.015, 1e-15);
  const double T = 0.015, a = std::exp(-T / 0.08), kp = 0.3, ki = 2;
  int poles = 0;
  for (const analyze::SampledMode& mode : analyze::compute_sampled_modes(m)) {
    if (std::abs(mode.z) < 1e-6) continue;
    poles += mode.z.imag() > 0 ? 2 : 1;
    const Complex z = mode.z;
    EXPECT_LT(std::abs(z * z * (z - a) * (z - 1.0) + (1 - a) * (kp * (z - 1.0) + ki * T * z)), 1e-10) << z;
    EXPECT_LT(std::abs(std::exp(mode.s * T) - z), 1e-12);
  }
  EXPECT_EQ(poles, 4);
}

TEST(SampledModels, TwoRatesHaveTheProductOfTheirSteps) {
  // a fast loop every 4 ms inside a slow one every 12 ms; both read the lag as it is before the instant
  const auto m = make(R"(
components:
  slow: {type: blocks.ZeroOrderHold, u: 0.5 - 0.7*g.y, sample: 12 ms}
  fast: {type: blocks.ZeroOrderHold, u: 2*(slow.y - g.y), sample: 4 ms}
  g: {type: blocks.TransferFunction, u: fast.y, den: [0.05, 1]}
)",
                      {}, {"g.y"});
  EXPECT_NEAR(m.period, 0.012, 1e-15);
  ASSERT_EQ(m.ticks.size(), 3u);
  // (g, slow) just behind a common instant, where fast = 2 (slow - g)
  const double a = std::exp(-0.004 / 0.05);
  // three times: g' = a g + (1 - a) 2 (slow - g); then slow' = -0.7 g'
  const double p = a - 2 * (1 - a), q = 2 * (1 - a);
  const double G = p * p * p, S = q * (1 + p + p * p);
  // [g'; slow'] = [G S; -0.7 G, -0.7 S] [g; slow]: one pole G - 0.7 S, others zero
  const auto modes = analyze::compute_sampled_modes(m);
  EXPECT_NEAR(modes[0].z.real(), G - 0.7 * S, 1e-12);
  for (std::size_t k = 1; k < modes.size(); ++k) EXPECT_LT(std::abs(modes[k].z), 1e-7);
}

TEST(SampledModels, AClosedLoopAnswersASineAsItsRunDoes) {
  // the part of a long run with the frequency of the input, by its Fourier integral over whole common periods
  const std::string text = R"(
parameters: {A: 1}
components:
  r: {type: blocks.Sine, frequency: 12.5 Hz, amplitude: A}
  c: {type: blocks.SampledPid, reference: r.y, measure: g.y, kp: 1.7, ki: 9, sample: 10 ms}
  g: {type: blocks.TransferFunction, u: c.y, den: [0.002, 0.06, 1]}
)";
  std::string linear = text;
  linear.replace(linear.find("r.y"), 3, "u.value");
  linear += "  u: {type: blocks.Constant, value: 0}\n";
  const auto h = analyze::compute_sampled_response(make(linear, {"u.value"}, {"g.y"}), 2 * std::numbers::pi * 12.5)[0];
  // 2.4 s, then ten periods of 80 ms; the trapezoidal rule over a whole number of periods of a smooth signal
  const solve::Result run = run_text(text, 3.2, 1e-4);
  const std::vector<double> y = run.signal("g.y");
  Complex sum = 0;
  double last = -1;
  for (std::size_t k = 0; k < y.size(); ++k) {
    const double t = run.times[k];
    if (t < 2.4 - 1e-9 || t > 3.2 - 1e-9 || t - last < 1e-9) continue;
    last = t;
    sum += 1e-4 * y[k] * std::exp(Complex(0, -2 * std::numbers::pi * 12.5 * t));
  }
  // sin = Im e^(jwt): the integral over 0.8 s is 0.8 H/(2j)
  EXPECT_LT(std::abs(sum / 0.8 * Complex(0, 2) - h), 1e-5 * std::abs(h));
}

/// A PI loop that is n samples late, about a lag: the closed answer and its slowest poles, exact and averaged.
struct Compared {
  double response, pole;  ///< differences, relative
};
Compared compare_averaged(double T) {
  char text[600];
  std::snprintf(text, sizeof text, R"(
components:
  u: {type: blocks.Constant, value: 1}
  c: {type: blocks.SampledPid, reference: u.y, measure: g.y, kp: 0.8, ki: 5, sample: %.17g}
  z: {type: blocks.ZeroOrderHold, u: c.y, sample: %.17g, delay: 2}
  g: {type: blocks.TransferFunction, u: z.y, den: [0.3, 1]}
)",
                T, T);
  const auto m = make(text, {"u.value"}, {"g.y"});
  const analyze::StateSpace averaged = analyze::average(m);
  const double omega = 3;
  const Complex exact = analyze::compute_sampled_response(m, omega)[0],
                found = analyze::compute_frequency_response(averaged, omega)[0];
  const Complex pole = analyze::compute_modes(averaged).modes[0].eigenvalue;
  Complex nearest = 1e9;
  for (const analyze::SampledMode& mode : analyze::compute_sampled_modes(m))
    if (std::isfinite(std::abs(mode.s)) && std::abs(mode.s - pole) < std::abs(nearest - pole)) nearest = mode.s;
  return {std::abs(found - exact) / std::abs(exact), std::abs(nearest - pole) / std::abs(pole)};
}

TEST(AveragedModels, AreThoseOfTheSamplesUpToTheSquareOfTheirPeriod) {
  const Compared coarse = compare_averaged(0.02), fine = compare_averaged(0.01);
  EXPECT_LT(coarse.response, 5e-3);
  EXPECT_LT(coarse.pole, 5e-3);
  EXPECT_GT(coarse.response, 1e-7);
  // of second order: a quarter, and less where the delays' third order rules
  EXPECT_LT(fine.response, 0.27 * coarse.response);
  EXPECT_LT(fine.pole, 0.27 * coarse.pole);
}

TEST(AveragedModels, HoldsAreLagsOfHalfTheirPeriodAndSumsAreIntegrators) {
  const double T = 0.02, tau = 0.13;
  const auto hold = analyze::average(make(R"(
components:
  u: {type: blocks.Constant, value: 1}
  z: {type: blocks.ZeroOrderHold, u: u.y, sample: 20 ms}
  g: {type: blocks.TransferFunction, u: z.y, den: [0.13, 1]}
)",
                                          {"u.value"}, {"g.y"}));
  for (const double omega : {0.5, 20.0, 300.0}) {
    const Complex s(0, omega);
    EXPECT_LT(
        std::abs(analyze::compute_frequency_response(hold, omega)[0] - 1.0 / (1.0 + s * T / 2.0) / (1.0 + s * tau)),
        1e-12);
  }
  // y = -kp e - ki ∫ e, late by half a period: two rates, the slow one seen by the fast one as it is held
  const auto two = analyze::average(make(R"(
components:
  u: {type: blocks.Constant, value: 1}
  slow: {type: blocks.ZeroOrderHold, u: u.y, sample: 12 ms}
  fast: {type: blocks.ZeroOrderHold, u: 3*slow.y, sample: 4 ms}
  g: {type: blocks.TransferFunction, u: fast.y, den: [0.05, 1]}
)",
                                         {"u.value"}, {"g.y"}));
  const Complex s(0, 7);
  EXPECT_LT(std::abs(analyze::compute_frequency_response(two, 7)[0] -
                     3.0 / (1.0 + 0.006 * s) / (1.0 + 0.002 * s) / (1.0 + 0.05 * s)),
            1e-12);
}

TEST(AveragedModels, NeedSamplesAndSayWhatTheyAre) {
  const Folder folder;
  const std::string sampled = folder.write("z.yaml", R"(
components:
  u: {type: blocks.Constant, value: 1}
  z: {type: blocks.ZeroOrderHold, u: u.y, sample: 20 ms}
  g: {type: blocks.TransferFunction, u: z.y, den: [0.13, 1]}
)");
  const Outcome modes = run_program({"modes", sampled, "--averaged"});
  EXPECT_EQ(modes.status, 0) << modes.message;
  EXPECT_NE(modes.output.find("averaged: samples as continuous laws with the delays of their holds"),
            std::string::npos);
  EXPECT_NE(modes.output.find("-100"), std::string::npos) << modes.output;
  EXPECT_EQ(run_program({"bode", sampled, "--averaged", "--input", "u.value", "--output", "g.y"}).status, 0);
  const std::string none =
      folder.write("g.yaml", "components:\n  g: {type: blocks.TransferFunction, u: 1, den: [0.13, 1]}\n");
  const Outcome refused = run_program({"modes", none, "--averaged"});
  EXPECT_EQ(refused.status, 2);
  // a note about the operating point stands before it
  EXPECT_TRUE(
      refused.message.ends_with("--averaged: the model has no samples; its linear model is continuous as it is\n"))
      << refused.message;
}

TEST(SampledModels, TheVerbsSayThatTheModelIsSampled) {
  const Folder folder;
  const std::string file = folder.write("zoh.yaml", R"(
components:
  u: {type: blocks.Constant, value: 1}
  z: {type: blocks.ZeroOrderHold, u: u.y, sample: 20 ms}
  g: {type: blocks.TransferFunction, u: z.y, den: [0.13, 1]}
)");
  const auto run = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin() + 1, file);
    const Outcome outcome = run_program(arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.all();
    return outcome;
  };
  const auto modes = nlohmann::json::parse(run({"modes", "--json"}).output);
  EXPECT_NEAR(modes["sampled"]["period"].get<double>(), 0.02, 1e-15);
  EXPECT_NEAR(modes["modes"][0]["real"].get<double>(), -1 / 0.13, 1e-9);
  EXPECT_EQ(modes["operating_point"]["kind"], "start");
  const auto linear =
      nlohmann::json::parse(run({"linearize", "--input", "u.value", "--output", "g.y", "--json"}).output);
  const double a = std::exp(-0.02 / 0.13);
  EXPECT_NEAR(linear["A"][0][0].get<double>(), a, 1e-12);
  EXPECT_EQ(linear["states"], (std::vector<std::string>{"g.x1", "z.y"}));
  const std::string text =
      run({"bode", "--input", "u.value", "--output", "g.y", "--from", "0.1", "--to", "0.1", "--points", "1"}).output;
  EXPECT_NE(text.find("sampled with the common period 0.02 s"), std::string::npos) << text;
}

}  // namespace
}  // namespace coenergy::tests
