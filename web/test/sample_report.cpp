// sample_report FOLDER: writes reports that the browser test opens.
//   sample.html  a pendulum from 90° and a mass on a spring beside it, with every kind of shape
//   plain.html   100 000 output times, no bodies, no wish for plots
//   still.html   a single instant, such as an equilibrium
//   empty.html   bodies only, no time at all
//   charts.html  plots with titles and units, a path, diagrams without time; up is along y
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <numbers>

#include "coenergy/io/report.hpp"

namespace {

using coenergy::Report;
using coenergy::ReportFrame;

constexpr double g = 9.81, length = 1.0, mass = 2.0, stiffness = 80.0, damping = 0.6, rest = 0.6;

/// φ̈ = −g/l sin φ by one step of the classical Runge–Kutta method.
void advance_pendulum(double& phi, double& omega, double h) {
  const auto slope = [](double angle) { return -g / length * std::sin(angle); };
  const double k1 = omega, a1 = slope(phi);
  const double k2 = omega + h / 2 * a1, a2 = slope(phi + h / 2 * k1);
  const double k3 = omega + h / 2 * a2, a3 = slope(phi + h / 2 * k2);
  const double k4 = omega + h * a3, a4 = slope(phi + h * k3);
  phi += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  omega += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
}

void add_pose(ReportFrame& frame, double x, double z, double angle) {
  // a turn about −y takes the hanging rod to the right
  frame.pose.insert(frame.pose.end(), {x, 0, z, std::cos(angle / 2), 0, -std::sin(angle / 2), 0});
}

/// The pendulum hangs at the origin, the spring 1.4 m beside it; the beam between the two supports sags and swings.
void add_motion(Report& report) {
  constexpr int steps = 1000;
  constexpr double h = 0.005;
  const double decay = damping / (2 * mass), wave = std::sqrt(stiffness / mass - decay * decay);
  double phi = std::numbers::pi / 2, omega = 0;
  ReportFrame arm{"arm", {}}, block{"block", {}}, middle{"beam middle", {}};
  report.signals = {{"joint.q", "rad", {}, "angle of the pendulum from the vertical"},
                    {"joint.qd", "rad/s", {}, "angular velocity of the pendulum"},
                    {"block.z", "m", {}, "height of the mass on the spring"},
                    {"spring.force", "N", {}, "tension of the spring"},
                    {"pendulum.energy", "J", {}, "kinetic and potential energy"}};
  for (int i = 0; i <= steps; ++i) {
    const double t = i * h;
    const double stretch = mass * g / stiffness + 0.25 * std::exp(-decay * t) * std::cos(wave * t);
    const double energy = 0.5 * mass * length * length * omega * omega - mass * g * length * std::cos(phi);
    report.time.push_back(t);
    const double values[] = {phi, omega, -rest - stretch, stiffness * stretch, energy};
    for (std::size_t k = 0; k < report.signals.size(); ++k) report.signals[k].values.push_back(values[k]);
    add_pose(arm, 0, 0, phi);
    add_pose(block, 1.4, -rest - stretch, 0);
    add_pose(middle, 0.7, -0.04 * std::cos(9 * t), 0);
    advance_pendulum(phi, omega, h);
  }
  report.frames = {arm, block, middle};
}

Report make_sample() {
  Report report;
  report.title = "Pendulum and spring";
  report.description = "A pendulum released from 90° beside a mass on a damped spring </script><b>not bold</b>.";
  report.ended = "reached t = 5 s";
  report.messages = {"spring: damping 0.6 N.s/m is below 5 % of the critical value 25.3 N.s/m"};
  report.tables = {{"Parameters",
                    {"name", "value", "unit", "meaning"},
                    {{"pendulum.length", "1", "m", "length of the rod"},
                     {"pendulum.mass", "2", "kg", "mass of the bob"},
                     {"spring.stiffness", "80", "N/m", "stiffness of the spring"},
                     {"spring.rest", "0.6", "m", "length without force"}}},
                   {"Components", {"type", "count"}, {{"multibody.Body", "2"}, {"multibody.Revolute", "1"}}}};
  add_motion(report);
  const auto& force = report.signals[3].values;
  const auto& energy = report.signals.back().values;
  report.summary = {{"bodies", "2"},
                    {"degrees of freedom", "2"},
                    {"method", "RK4"},
                    {"step", "5 ms"},
                    {"steps", std::to_string(report.time.size() - 1)},
                    {"energy drift", fmt::format("{:.2g} J", energy.back() - energy.front())},
                    {"largest force", fmt::format("{:.1f} N", *std::max_element(force.begin(), force.end()))},
                    {"end time", "5 s"}};
  report.plots = {{"joint.q", "joint.qd"}, {"block.z"}};
  report.shapes = {
      {"cylinder", {0.018, length}, "", "rod", 0, {0, 0, -length / 2, 1, 0, 0, 0}},
      {"sphere", {0.09}, "", "bob", 0, {0, 0, -length, 1, 0, 0, 0}},
      {"box", {0.26, 0.26, 0.18}, "", "block", 1, {0, 0, -0.09, 1, 0, 0, 0}},
      {"spring", {0.07, 9}, "", "spring", -1, {0, 0, 0, 1, 0, 0, 0}, {{-1, {1.4, 0, 0}}, {1, {0, 0, 0}}}},
      {"line",
       {0.012},
       "#66707f",
       "beam",
       -1,
       {0, 0, 0, 1, 0, 0, 0},
       {{-1, {0, 0, 0}}, {2, {0, 0, 0}}, {-1, {1.4, 0, 0}}}},
      {"trace", {}, "#d9541e", "path of the bob", -1, {0, 0, 0, 1, 0, 0, 0}, {{0, {0, 0, -length}}}},
      {"arrow", {0.012}, "", "weight", -1, {0, 0, 0, 1, 0, 0, 0}, {{1, {0.3, 0, 0.1}}, {1, {0.3, 0, -0.3}}}},
      {"frame", {0.22}, "", "world axes", -1}};
  return report;
}

Report make_plain() {
  Report report;
  report.title = "Plain";
  report.ended = "stopped at t = 1 s: the step became too small";
  report.succeeded = false;
  report.signals = {{"noise.y", "V", {}}, {"sine.y", "A", {}}};
  for (int i = 0; i < 100'000; ++i) {
    const double t = i * 1e-5;
    report.time.push_back(t);
    report.signals[0].values.push_back(i == 51'234 ? 40.0 : std::sin(1e5 * t * t));
    report.signals[1].values.push_back(1e-7 * std::sin(20 * t));
  }
  return report;
}

Report make_still() {
  Report report;
  report.title = "Still";
  report.time = {0};
  report.signals = {{"tank.p", "Pa", {101325}}, {"tank.gap", "m", {NAN}}};
  report.frames = {{"tank", {0, 0, 1, 1, 0, 0, 0}}};
  report.shapes = {{"box", {1, 1, 1}, "", "tank", 0}, {"ground", {4, 0.5}, "", "floor", -1}};
  return report;
}

Report make_empty() {
  Report report = make_still();
  report.title = "Empty";
  report.time.clear();
  report.signals.clear();
  return report;
}

/// A point runs once around an ellipse of 2 m by 1 m in 4 s, with a jump of its pressure at 2 s; the response and the poles
/// of 1/(1 + 0.2 s + s²), whose natural frequency is 1 rad/s.
Report make_charts() {
  Report report;
  report.title = "Charts";
  report.up = {0, 1, 0};
  report.signals = {{"tip.x", "m", {}}, {"tip.y", "m", {}}, {"tank.p", "Pa", {}}};
  ReportFrame tip{"tip", {}};
  const auto add = [&](double t, double p) {
    const double angle = std::numbers::pi / 2 * t, x = std::cos(angle), y = 0.5 * std::sin(angle);
    report.time.push_back(t);
    report.signals[0].values.push_back(x);
    report.signals[1].values.push_back(y);
    report.signals[2].values.push_back(p);
    tip.pose.insert(tip.pose.end(), {x, y, 0, 1, 0, 0, 0});
  };
  for (int i = 0; i <= 20; ++i) {
    add(0.2 * i, i <= 10 ? 1e5 : 3e5);
    if (i == 10) add(0.2 * i, 3e5);
  }
  report.frames = {tip};
  report.shapes = {{"sphere", {0.05}, "", "tip", 0}};
  coenergy::ReportPlot path({"tip.y"}), pressure({"tank.p"});
  path.x = "tip.x";
  path.title = "Path";
  pressure.title = "Pressure";
  pressure.y_axis = {"bar", 1e5, 0};
  report.plots = {path, pressure};
  coenergy::ReportChart response{"Frequency response",     "frequency [Hz]", "magnitude [dB]", true, false,
                                 {{"tip.x / U.v", {}, {}}}};
  for (int k = 0; k <= 40; ++k) {
    const double f = 1e-2 * std::pow(10.0, k / 10.0), w = 2 * std::numbers::pi * f;
    response.curves[0].x.push_back(f);
    response.curves[0].y.push_back(-10 * std::log10((1 - w * w) * (1 - w * w) + 0.04 * w * w));
  }
  const double wave = std::sqrt(1 - 0.01);
  report.charts = {response,
                   {"Poles",
                    "real part [1/s]",
                    "imaginary part [1/s]",
                    false,
                    true,
                    {{"poles", {-0.1, -0.1}, {wave, -wave}, true}}}};
  return report;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "usage: sample_report FOLDER\n";
    return 2;
  }
  const std::filesystem::path folder = arguments[1];
  std::filesystem::create_directories(folder);
  coenergy::write_report(folder / "sample.html", make_sample());
  coenergy::write_report(folder / "plain.html", make_plain());
  coenergy::write_report(folder / "still.html", make_still());
  coenergy::write_report(folder / "empty.html", make_empty());
  coenergy::write_report(folder / "charts.html", make_charts());
}
