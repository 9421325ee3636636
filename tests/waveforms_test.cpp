// Pulses and piecewise linear sources: their values between the corners, and an event at every corner.
#include <algorithm>
#include <cmath>

#include "tests/inline_model.hpp"

namespace coenergy::tests {
namespace {

struct Span {
  double from = 0, to = 4;
};

/// A source over a resistor of 1 ohm; rows on a grid and at every event.
solve::Result run_source(const std::string& source, Span span = {}) {
  const bool is_voltage = source.find("Voltage") != std::string::npos;
  const std::string pins = is_voltage ? "p: a, n: gnd, " : "p: gnd, n: a, ";
  solve::Options options{.t_start = span.from, .t_end = span.to, .method = "radau", .output_step = 0.01};
  return run_model(io::parse_model("components:\n  S: {" + pins + source +
                                       "}\n  R: {type: electrical.Resistor, p: a, n: gnd, R: 1 ohm}\n",
                                   "m.yaml"),
                   options);
}

/// Every row has the value of a function of time; at a corner without length both of its values.
template <class F>
void expect_follows(const solve::Result& r, F&& f) {
  const std::vector<double> v = r.signal("R.v");
  for (std::size_t k = 0; k < v.size(); ++k) {
    // events are found to 1e-14 of the time of the run; slopes are up to 100 V/s
    const double before = f(r.times[k] - 1e-11), after = f(r.times[k] + 1e-11);
    EXPECT_LT(std::min(std::abs(v[k] - before), std::abs(v[k] - after)), 1e-8) << "at " << r.times[k];
  }
}

void expect_corners(const solve::Result& r, const std::vector<double>& corners) {
  for (double t : corners) {
    double nearest = 1e300;
    for (double row : r.times) nearest = std::min(nearest, std::abs(row - t));
    EXPECT_LT(nearest, 4e-12) << "no row at the corner " << t;
  }
}

double line(double t, double t0, double y0, double t1, double y1) { return y0 + (y1 - y0) * (t - t0) / (t1 - t0); }

TEST(Waveforms, PulsesRiseStayAndFallInEveryPeriod) {
  for (const char* kind : {"PulseVoltage", "PulseCurrent"}) {
    const auto r = run_source(std::string("type: electrical.") + kind +
                              ", low: -1, high: 4, delay: 0.305, rise: 0.1, fall: 0.25, width: 0.403, period: 1.2");
    expect_follows(r, [](double t) {
      if (t < 0.305) return -1.0;
      const double s = std::fmod(t - 0.305, 1.2);
      if (s < 0.1) return line(s, 0, -1, 0.1, 4);
      if (s < 0.503) return 4.0;
      return s < 0.753 ? line(s, 0.503, 4, 0.753, -1) : -1.0;
    });
    expect_corners(r, {0.305, 0.405, 0.808, 1.058, 1.505, 1.605, 2.008, 2.258, 2.705});
  }
}

TEST(Waveforms, OnePulseHasFourCornersAndNoMore) {
  const auto r =
      run_source("type: electrical.PulseVoltage, high: 4 V, delay: 0.3033 s, rise: 0.1 s, fall: 0.2 s, width: 0.4 s");
  expect_follows(r, [](double t) {
    if (t < 0.3033 || t > 1.0033) return 0.0;
    if (t < 0.4033) return line(t, 0.3033, 0, 0.4033, 4);
    return t < 0.8033 ? 4.0 : line(t, 0.8033, 4, 1.0033, 0);
  });
  expect_corners(r, {0.3033, 0.4033, 0.8033, 1.0033});
  EXPECT_EQ(r.statistics.events, 4);
}

TEST(Waveforms, PulsesThatStartLateAreInThePeriodOfTheirTime) {
  const auto r = run_source(
      "type: electrical.PulseVoltage, low: 1 V, high: 2 V, delay: 3.05 s, rise: 0.1 s, fall: 0.1 s, width: 0.3 s, "
      "period: 1 s",
      {100.3, 102.3});
  expect_follows(r, [](double t) {
    const double s = std::fmod(t - 3.05, 1.0);
    if (s < 0.1) return 1 + s / 0.1;
    if (s < 0.4) return 2.0;
    return s < 0.5 ? 2 - (s - 0.4) / 0.1 : 1.0;
  });
}

TEST(Waveforms, PointsAreJoinedByLinesAndMovedByTheDelay) {
  for (const char* kind : {"PwlVoltage", "PwlCurrent"}) {
    const auto r = run_source(std::string("type: electrical.") + kind +
                              ", times: [0.1, 0.4, 1.5, 2.1], values: [1, -2, 3, 0.5], delay: 0.7532");
    expect_follows(r, [](double t) {
      const double s = t - 0.7532;
      if (s < 0.1) return 1.0;
      if (s < 0.4) return line(s, 0.1, 1, 0.4, -2);
      if (s < 1.5) return line(s, 0.4, -2, 1.5, 3);
      return s < 2.1 ? line(s, 1.5, 3, 2.1, 0.5) : 0.5;
    });
    expect_corners(r, {0.8532, 1.1532, 2.2532, 2.8532});
  }
}

TEST(Waveforms, WhatFollowsTheTimeOfRepetitionIsRepeated) {
  // from 0.4 s on, between two points: the end at 1.3 s joins to the value at 0.4 s, 2 V, without a line
  const auto r = run_source(
      "type: electrical.PwlVoltage, times: [0.2, 0.6, 0.9, 1.3], values: [1, 3, -2, 0], delay: 0.0321 s, repeat_from: "
      "0.4 s");
  expect_follows(r, [](double t) {
    double s = t - 0.0321;
    while (s > 1.3) s -= 0.9;
    if (s < 0.2) return 1.0;
    if (s < 0.6) return line(s, 0.2, 1, 0.6, 3);
    return s < 0.9 ? line(s, 0.6, 3, 0.9, -2) : line(s, 0.9, -2, 1.3, 0);
  });
  expect_corners(r, {0.2321, 0.6321, 0.9321, 1.3321, 1.5321, 1.8321, 2.2321, 2.4321, 2.7321, 3.1321});
}

}  // namespace
}  // namespace coenergy::tests
