// Blocks with memory and events against hand-computed tables.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "tests/inline_model.hpp"

namespace coenergy::tests {
namespace {

constexpr double pi = std::numbers::pi;

/// Functions of time alone give no method a reason to make short steps: they are kept short.
solve::Result run_in_short_steps(const std::string& text, double t_end, double output_step) {
  const solve::Options options{
      .t_end = t_end, .method = "radau", .max_step = 0.02, .output_step = output_step, .rtol = 1e-9, .atol = 1e-9};
  return run_model(io::parse_model(text, "m.yaml"), options);
}

void expect_values(const solve::Result& r, const std::string& signal,
                   const std::vector<std::pair<double, double>>& table, double tolerance = 1e-9) {
  for (const auto& [t, value] : table) EXPECT_NEAR(value_at(r, signal, t), value, tolerance) << signal << " at " << t;
}

TEST(SwitchingBlocks, SwitchesSelectorsAndLogicAreLocated) {
  // u = sin 2πt: above 0.5 for 1/12 < t < 5/12; integrals show whether the instants are exact
  const auto r = run_in_short_steps(R"yaml(
components:
  s: {type: blocks.Switch, control: "sin(2*pi*time/(1 s))", on: 3, off: -1}
  i: {type: blocks.Integrator, u: s.y}
  k: {type: blocks.Selector, index: "1 + 2 1/s*time", u: [10, 20, 30]}
  a: {type: blocks.Logic, u: ["time/(1 s) + 0.3", "1 - time/(1 s)"], operation: and}
  x: {type: blocks.Logic, u: ["time/(1 s) + 0.3", "1 - time/(1 s)", 1], operation: xor}
  n: {type: blocks.Logic, u: ["time/(1 s)"], operation: not}
  o: {type: blocks.Logic, u: ["time/(1 s) + 0.3", 0], operation: nor}
)yaml",
                                    1, 0.1);
  EXPECT_NEAR(value_at(r, "i.y", 1), 3.0 / 3 - 2.0 / 3, 1e-9);
  expect_values(r, "s.closed", {{0, 0}, {0.2, 1}, {0.6, 0}});
  expect_values(r, "k.y", {{0, 10}, {0.2, 10}, {0.3, 20}, {0.7, 20}, {0.8, 30}, {1, 30}});
  expect_values(r, "a.y", {{0.1, 0}, {0.3, 1}, {0.4, 1}, {0.6, 0}});
  expect_values(r, "x.y", {{0.1, 0}, {0.3, 1}, {0.6, 0}});
  expect_values(r, "n.y", {{0.4, 1}, {0.6, 0}});
  expect_values(r, "o.y", {{0.1, 1}, {0.3, 0}});
}

TEST(SwitchingBlocks, ComparatorsAndRelaysHaveHysteresis) {
  // u = 2 sin 2πt against 0 with h = 2, and a relay that is on above 1.5 and off below −0.5
  const auto r = run_in_short_steps(R"yaml(
components:
  c: {type: blocks.Comparator, a: "2*sin(2*pi*time/(1 s))", hysteresis: 2}
  p: {type: blocks.Comparator, a: "2*sin(2*pi*time/(1 s))", b: 1}
  y: {type: blocks.Relay, u: "2*sin(2*pi*time/(1 s))", on: 1.5, off: -0.5, high: 7, low: -7}
  ic: {type: blocks.Integrator, u: c.y}
  iy: {type: blocks.Integrator, u: y.y}
)yaml",
                                    1, 0.05);
  // on at sin = 1/2, off at sin = −1/2: 1/12 to 7/12
  EXPECT_NEAR(value_at(r, "ic.y", 1), 0.5, 1e-9);
  expect_values(r, "p.y", {{0.05, 0}, {0.1, 1}, {0.4, 1}, {0.45, 0}});
  const double on = std::asin(0.75) / (2 * pi), off = 0.5 + std::asin(0.25) / (2 * pi);
  EXPECT_NEAR(value_at(r, "iy.y", 1), 7 * (2 * (off - on) - 1), 1e-8);
}

TEST(SwitchingBlocks, LatchesCountersAndTriggeredHoldsRememberWhatWas) {
  const auto r = run_in_short_steps(R"yaml(
components:
  u: {type: blocks.Sine, frequency: 2 Hz}
  l: {type: blocks.Latch, set: "time > 0.15 s ? 1 : 0", reset: "time > 0.55 s ? 1 : 0"}
  s: {type: blocks.Latch, set: "time > 0.15 s ? 1 : 0", reset: "time > 0.55 s ? 1 : 0", priority: set}
  h: {type: blocks.SampleOnTrigger, u: "time/(1 s)", trigger: u.y, y0: -3}
  n: {type: blocks.Counter, trigger: u.y, y0: 4}
  w: {type: blocks.Counter, trigger: u.y, limit: 2, reset: "time > 1.1 s ? 1 : 0"}
)yaml",
                                    1.5, 0.1);
  expect_values(r, "l.y", {{0.1, 0}, {0.2, 1}, {0.5, 1}, {0.6, 0}});
  expect_values(r, "l.not", {{0.1, 1}, {0.2, 0}});
  expect_values(r, "s.y", {{0.1, 0}, {0.6, 1}});
  // sin 4πt rises above 1/2 at 1/24 + k/2
  expect_values(r, "h.y", {{0, -3}, {0.1, 1.0 / 24}, {0.5, 1.0 / 24}, {0.6, 13.0 / 24}, {1.1, 25.0 / 24}}, 1e-9);
  expect_values(r, "n.y", {{0, 4}, {0.1, 5}, {0.6, 6}, {1.1, 7}});
  expect_values(r, "w.y", {{0.1, 1}, {0.6, 0}, {1.0, 0}, {1.2, 0}});
}

TEST(SwitchingBlocks, ARateLimiterMeetsItsInputAgain) {
  // u = sin t with |ẏ| ≤ 0.6: held back while cos t > 0.6 …
  const auto r = run_in_short_steps(R"yaml(
components:
  c: {type: blocks.RateLimiter, u: "sin(1 1/s*time)", rising: 0.6, falling: 2}
  j: {type: blocks.RateLimiter, u: "time < 1 s ? 1 : 4", rising: 2, falling: 1}
  s: {type: blocks.RateLimiter, u: "time < 0.95 s ? 1 : 4", rising: 2, falling: 1, sample: 0.5 s}
)yaml",
                                    4, 0.1);
  // … from 0 on: y = 0.6 t until it meets sin t at t*, sin t* = 0.6 t*
  double meets = 1.7;
  for (int k = 0; k < 50; ++k) meets -= (std::sin(meets) - 0.6 * meets) / (std::cos(meets) - 0.6);
  expect_values(r, "c.y", {{0.5, 0.3}, {1.0, 0.6}, {std::floor(meets * 10) / 10, 0.6 * std::floor(meets * 10) / 10}},
                1e-7);
  expect_values(r, "c.y", {{2.0, std::sin(2.0)}, {3.5, std::sin(3.5)}}, 1e-12);
  expect_values(r, "j.y", {{0.5, 1}, {1.5, 2}, {2.0, 3}, {2.4, 3.8}, {2.6, 4}, {4, 4}}, 1e-8);
  expect_values(r, "j.limited", {{0.5, 0}, {1.5, 1}, {3, 0}});
  expect_values(r, "s.y", {{0.7, 1}, {1.2, 2}, {1.7, 3}, {2.2, 4}, {3.2, 4}});
}

TEST(SwitchingBlocks, DeadZonesSaturationsAndQuantisersHaveTheirCorners) {
  const auto r = run_in_short_steps(R"yaml(
components:
  d: {type: blocks.DeadZone, u: "10 1/s*time - 5", lower: -2, upper: 1}
  s: {type: blocks.Saturation, u: "10 1/s*time - 5", lower: "-1 - time/(1 s)", upper: "3*time/(1 s)"}
  q: {type: blocks.Quantiser, u: "10 1/s*time - 5", step: 2}
  i: {type: blocks.Integrator, u: q.y}
  z: {type: blocks.Quantiser, u: "10 1/s*time - 5", step: 2, sample: 0.2 s}
)yaml",
                                    1, 0.05);
  expect_values(r, "d.y", {{0, -3}, {0.2, -1}, {0.45, 0}, {0.8, 2}});
  expect_values(r, "s.y", {{0.1, -1.1}, {0.5, 0}, {0.9, 2.7}});
  // levels change at u = −3, −1, 1, 3, 5: −4 for t < 0.2, …
  expect_values(r, "q.y", {{0.1, -4}, {0.25, -2}, {0.5, 0}, {0.65, 2}, {0.9, 4}});
  EXPECT_NEAR(value_at(r, "i.y", 1), 0.2 * (-4 - 2 + 0 + 2 + 4), 1e-9);
  expect_values(r, "z.y", {{0.1, -4}, {0.3, -2}, {0.5, 0}, {0.7, 2}, {0.9, 4}});
}

TEST(SwitchingBlocks, BacklashKeepsItsPlay) {
  // u = 3 sin t, play 2: y = u − 1 rising, 2 from the crest until u = 1, then u + 1 down to −2, …
  const auto r = run_in_short_steps(R"yaml(
components:
  b: {type: blocks.Backlash, u: "3*sin(1 1/s*time)", width: 2}
  j: {type: blocks.Backlash, u: "time < 1 s ? 0 : (time < 2 s ? 5 : (time < 3 s ? 4 : -3))", width: 2, y0: 0.5}
  s: {type: blocks.Backlash, u: "3*sin(1 1/s*time)", width: 2, sample: 0.5 s}
)yaml",
                                    6, 0.1);
  expect_values(r, "b.y",
                {{0.2, 0},
                 {0.3, 0},
                 {1.0, 3 * std::sin(1.0) - 1},
                 {1.8, 2},
                 {2.5, 2},
                 {3.5, 3 * std::sin(3.5) + 1},
                 {5.0, -2},
                 {5.4, -2}},
                1e-7);
  expect_values(r, "j.y", {{0.5, 0.5}, {1.5, 4}, {2.5, 4}, {3.5, -2}}, 1e-9);
  double y = 0;
  for (int k = 0; k < 11; ++k) {
    const double u = 3 * std::sin(0.5 * k);
    y = std::min(std::max(y, u - 1), u + 1);
    EXPECT_NEAR(value_at(r, "s.y", 0.5 * k + 0.3), y, 1e-12) << k;
  }
}

TEST(SwitchingBlocks, AnEncoderCountsQuartersOfItsLines) {
  // 3 lines: 12 counts per turn; one turn forward within 1 s, then back
  const auto r = run_in_short_steps(R"yaml(
components:
  e: {type: blocks.Encoder, angle: "2*pi*(time < 1 s ? time/(1 s) : 2 - time/(1 s))", lines: 3}
)yaml",
                                    2.2, 0.1);
  for (int k = 0; k < 10; ++k) {
    const double t = 0.1 * k + (k == 0 ? 0.1 : 0), count = std::floor(12 * t + 1e-9);
    if (k % 5 == 0) continue;
    EXPECT_EQ(value_at(r, "e.count", t), count) << t;
    EXPECT_NEAR(value_at(r, "e.y", t), 2 * pi * count / 12, 1e-12);
    EXPECT_EQ(value_at(r, "e.a", t), std::fmod(count, 4) < 2) << t;
    EXPECT_EQ(value_at(r, "e.b", t), std::fmod(count, 4) == 1 || std::fmod(count, 4) == 2) << t;
    EXPECT_EQ(value_at(r, "e.index", t), count == 0 || count == 12) << t;
  }
  EXPECT_EQ(value_at(r, "e.count", 1.3), 8);
  EXPECT_EQ(value_at(r, "e.count", 2.1), -2);
  EXPECT_EQ(value_at(r, "e.b", 2.1), 1);
}

TEST(SwitchingBlocks, AStateMachineWalksThroughItsStates) {
  // 1 → 2 at 0.25 s; 2 → 3 0.3 s later; 3 → 4 at once, as its guard is yes already; 4 → 1 at 0.8 s, which leads to 2
  const auto r = run_in_short_steps(R"yaml(
components:
  m: {type: blocks.StateMachine, from: [1, 2, 3, 4], to: [2, 3, 4, 1], values: [10, 20, 30, 40],
      guards: ["time >= 0.25 s ? 1 : 0", "time - m.entered > 0.3 s ? 1 : 0", 1, "time > 0.8 s ? 1 : 0"]}
)yaml",
                                    1, 0.1);
  expect_values(r, "m.y", {{0.2, 10}, {0.3, 20}, {0.5, 20}, {0.6, 40}, {0.8, 40}, {0.9, 20}});
  expect_values(r, "m.on_4", {{0.5, 0}, {0.6, 1}});
  expect_values(r, "m.entered", {{0.3, 0.25}, {0.6, 0.55}, {0.9, 0.8}}, 1e-9);
}

TEST(SwitchingBlocks, NoiseIsTheSameForTheSameSeed) {
  const auto r = run_in_short_steps(R"yaml(
components:
  a: {type: blocks.Noise, mean: 2, deviation: 3, seed: 7, sample: 1 ms}
  b: {type: blocks.Noise, mean: 2, deviation: 3, seed: 7, sample: 1 ms}
  c: {type: blocks.Noise, mean: 2, deviation: 3, seed: 8, sample: 1 ms}
  u: {type: blocks.Noise, kind: uniform, deviation: 2, sample: 1 ms}
)yaml",
                                    4, 0.001);
  // each number once: rows at a sample stand on both sides of it
  const auto numbers = [&](const std::string& name) {
    std::vector<double> all = r.signal(name);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  };
  const auto a = numbers("a.y"), b = numbers("b.y"), c = numbers("c.y"), u = numbers("u.y");
  ASSERT_GE(a.size(), 4000u);
  EXPECT_EQ(a, b);
  double sum = 0, square = 0, cross = 0, next = 0, uniform = 0, largest = 0;
  const double n = 4000;
  for (std::size_t k = 0; k < 4000; ++k) {
    const double x = (a[k] - 2) / 3, y = (c[k] - 2) / 3;
    sum += x, square += x * x, cross += x * y, uniform += u[k] * u[k];
    if (k > 0) next += x * (a[k - 1] - 2) / 3;
    largest = std::max(largest, std::abs(u[k]));
  }
  // four standard deviations of each mean
  EXPECT_NEAR(sum / n, 0, 4 / std::sqrt(n));
  EXPECT_NEAR(square / n, 1, 4 * std::sqrt(2 / n));
  EXPECT_NEAR(cross / n, 0, 4 / std::sqrt(n));
  EXPECT_NEAR(next / n, 0, 4 / std::sqrt(n));
  EXPECT_NEAR(uniform / n, 4, 4 * 4 * std::sqrt(0.8 / n));
  EXPECT_LE(largest, 2 * std::sqrt(3.0));
  // the first of the sequence, by whole numbers: (1 + seed)·69621·48271 mod (2³¹ − 1)
  const std::uint64_t m = 2147483647, s1 = 8ull * 69621 % m * 48271 % m, s2 = 8ull * 48271 % m * 69621 % m;
  const double first = std::sqrt(-2 * std::log(double(s1) / double(m))) * std::cos(2 * pi * double(s2) / double(m));
  EXPECT_NEAR(a[0], 2 + 3 * first, 1e-12);
}

TEST(SwitchingBlocks, AChirpSweepsItsFrequency) {
  const auto r = run_in_short_steps(R"yaml(
components:
  l: {type: blocks.Chirp, amplitude: 2, f0: 1 Hz, f1: 5 Hz, duration: 2 s, start: 0.5 s, phase: 0.3 rad, offset: 1}
  e: {type: blocks.Chirp, f0: 1 Hz, f1: 4 Hz, duration: 2 s, sweep: exponential}
)yaml",
                                    3, 0.1);
  const auto linear = [](double t) { return 1 + 2 * std::sin(2 * pi * (t + t * t) + 0.3); };
  expect_values(r, "l.y",
                {{0.2, 1 + 2 * std::sin(0.3)},
                 {1.1, linear(0.6)},
                 {2.5, linear(2)},
                 {2.8, 1 + 2 * std::sin(2 * pi * (6 + 5 * 0.3) + 0.3)}});
  expect_values(r, "l.f", {{0.2, 1}, {1.5, 3}, {3, 5}});
  const double k = std::log(4) / 2;
  expect_values(r, "e.y", {{0.9, std::sin(2 * pi / k * (std::exp(k * 0.9) - 1))}});
  expect_values(r, "e.f", {{1, 2}});
}

// ---- sampled forms: samples at 0.05 + 0.2 k s, of u = t - 0.5 s or as written

TEST(SwitchingBlocks, SampledOnesSwitchAtTheirSamplesOnly) {
  const auto r = run_in_short_steps(R"yaml(
components:
  r: {type: blocks.Relay, u: "time/(1 s)", on: 0.3, off: 0.1, high: 7, low: -7, sample: 0.2 s, offset: 0.05 s}
  c: {type: blocks.Comparator, a: "time/(1 s)", b: 0.5, sample: 0.2 s, offset: 0.05 s}
  h: {type: blocks.Comparator, a: "sin(2*pi*time/(1 s))", hysteresis: 1, sample: 0.2 s, offset: 0.05 s}
  l: {type: blocks.Latch, set: "abs(time - 0.3 s) < 0.1 s ? 1 : 0", reset: "time > 0.5 s ? 1 : 0", sample: 0.2 s,
      offset: 0.05 s}
  n: {type: blocks.Counter, trigger: "sin(2*pi*time/(0.4 s))", sample: 0.1 s, offset: 0.05 s}
  e: {type: blocks.Encoder, angle: "2*pi*time/(1 s)", lines: 5, sample: 0.2 s, offset: 0.05 s}
  m: {type: blocks.StateMachine, from: [1, 2, 3], to: [2, 3, 1], guards: ["time > 0.1 s", "time > 0.1 s", 0],
      values: [10, 20, 30], sample: 0.2 s, offset: 0.05 s}
  t: {type: blocks.SampleOnTrigger, u: "time/(1 s)", trigger: "time > 0.3 s ? 1 : 0", y0: -1, sample: 0.2 s,
      offset: 0.05 s}
  g: {type: blocks.Logic, u: ["time > 0.3 s ? 1 : 0", 1], operation: and, sample: 0.2 s, offset: 0.05 s}
  w: {type: blocks.Switch, control: "time/(1 s)", threshold: 0.3, on: 3, off: 4, sample: 0.2 s, offset: 0.05 s}
  k: {type: blocks.Selector, index: "1 + time/(0.4 s)", u: [5, 6, 7], sample: 0.2 s, offset: 0.05 s}
)yaml",
                                    1, 0.05);
  // samples at 0.05, 0.25, 0.45, 0.65, 0.85
  expect_values(r, "r.y", {{0.1, -7}, {0.3, -7}, {0.4, -7}, {0.5, 7}, {1, 7}});
  expect_values(r, "c.y", {{0.1, 0}, {0.6, 0}, {0.7, 1}, {1, 1}});
  // sin at the samples: 0.309, 1, 0.309, -0.809, -0.809: on above 1/2, off below -1/2
  expect_values(r, "h.y", {{0.1, 0}, {0.3, 1}, {0.5, 1}, {0.6, 1}, {0.7, 0}, {1, 0}});
  expect_values(r, "l.y", {{0.1, 0}, {0.2, 0}, {0.3, 1}, {0.6, 1}, {0.7, 0}});
  // sin 5πt at 0.05 + 0.1 k: 0.707, 0.707, -0.707, -0.707, ...: up at 0.45 and 0.85, and at the first sample already
  expect_values(r, "n.y", {{0.1, 0}, {0.4, 0}, {0.5, 1}, {0.8, 1}, {0.9, 2}});
  // 20 counts a turn
  expect_values(r, "e.count", {{0.1, 1}, {0.2, 1}, {0.3, 5}, {0.5, 9}, {0.7, 13}, {0.9, 17}});
  // one transition at a sample
  expect_values(r, "m.y", {{0.1, 10}, {0.2, 10}, {0.3, 20}, {0.4, 20}, {0.5, 30}, {1, 30}});
  expect_values(r, "m.entered", {{0.3, 0.25}, {0.5, 0.45}});
  expect_values(r, "t.y", {{0.3, -1}, {0.4, -1}, {0.5, 0.45}, {1, 0.45}});
  expect_values(r, "g.y", {{0.3, 0}, {0.4, 0}, {0.5, 1}});
  expect_values(r, "w.y", {{0.1, 4}, {0.4, 4}, {0.5, 3}});
  // 1 + 0.45/0.4 is nearest to 2 from 0.25 (1.6) on, 3 from 0.65 (2.6) on
  expect_values(r, "k.y", {{0.1, 5}, {0.2, 5}, {0.3, 6}, {0.6, 6}, {0.7, 7}});
}

TEST(SwitchingBlocks, SampledAlgebraHoldsItsOutputs) {
  // u = t, samples at 0.2 k: t = 0.5 s shows 0.4
  const auto r = run_in_short_steps(R"yaml(
components:
  g: {type: blocks.Gain, u: "time/(1 s)", k: 3, sample: 0.2 s}
  s: {type: blocks.Sum, u: [g.y, "-time/(1 s)", 1], sample: 0.2 s}
  p: {type: blocks.Product, u: ["time/(1 s)", 5], by: [2], sample: 0.2 s}
  e: {type: blocks.Expression, value: "(time/(1 s))^2", sample: 0.2 s}
  m: {type: blocks.MatrixGain, u: ["time/(1 s)", 1], K: [[1, 2], [3, 4]], sample: 0.2 s}
  a: {type: blocks.Saturation, u: "time/(1 s)", upper: 0.3, sample: 0.2 s}
  d: {type: blocks.DeadZone, u: "time/(1 s)", upper: 0.3, sample: 0.2 s}
  t: {type: blocks.Table, u: ["time/(1 s)"], x1: [0, 1], values: [1, 3], sample: 0.2 s}
  n: {type: blocks.Table, u: ["time/(1 s)"], x1: [0, 0.3, 1], values: [1, 3, 8], interpolation: nearest, sample: 0.2 s}
)yaml",
                                    1, 0.05);
  expect_values(r, "g.y", {{0.1, 0}, {0.5, 1.2}});
  // a cascade at one instant has no hidden delay
  expect_values(r, "s.y", {{0.1, 1}, {0.5, 1.2 - 0.4 + 1}});
  expect_values(r, "p.y", {{0.5, 1}});
  expect_values(r, "e.y", {{0.5, 0.16}});
  expect_values(r, "m.y1", {{0.5, 2.4}});
  expect_values(r, "m.y2", {{0.5, 5.2}});
  expect_values(r, "a.y", {{0.3, 0.2}, {0.5, 0.3}});
  expect_values(r, "d.y", {{0.3, 0}, {0.5, 0.1}});
  expect_values(r, "t.y", {{0.5, 1.8}});
  expect_values(r, "n.y", {{0.1, 1}, {0.3, 3}, {0.7, 3}, {0.9, 8}});
}

}  // namespace
}  // namespace coenergy::tests
