// What happens at one instant: location, order, jumps of drives, friction and diodes, by every implicit method.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/inline_model.hpp"

namespace coenergy::tests {
namespace {

const char* const implicit_methods[] = {"radau",   "esdirk", "generalized-alpha", "hht",
                                        "newmark", "jansen", "backward-euler"};

solve::Result run_by(const std::string& method, const std::string& text, double t_end, double output_step,
                     double rtol = 1e-8) {
  solve::Options options;
  options.method = method, options.t_end = t_end, options.output_step = output_step;
  if (solve::has_error_estimate(method))
    options.rtol = rtol, options.atol = 1e-2 * rtol;
  else
    options.step = t_end / 10000;  // order 1: errors are some ten-thousandths
  options.record_events = false;
  return solve::simulate(compile_model(io::parse_model(text, "m.yaml")), options);
}

double last(const solve::Result& r, const std::string& signal) { return r.signal(signal).back(); }

// a mass of 2 kg on a spring of 50 N/m whose other end jumps by 40 mm at 0.3 s: x = 0.04 (1 − cos ω(t − 0.3)), ω = 5/s
TEST(DriveJumps, ASpringEndThatJumpsActsAtOnce) {
  const std::string model = R"y(
energy: yes
components:
  m: {type: mechanical.Mass, m: 2 kg}
  k: {type: mechanical.TranslationalSpring, a: road, b: m, k: 50 N/m}
  r: {type: mechanical.TranslationalMotion, flange: road, s: "time < 0.3 s ? 0 : 40 mm"}
)y";
  for (const char* method : implicit_methods) {
    const solve::Result r = run_by(method, model, 1, 0.01);
    ASSERT_EQ(r.status, solve::Status::done) << method << r.text;
    // backward Euler damps: ω² h t/2 of the motion
    const double tolerance = method == std::string("backward-euler") ? 1.5e-3 : 2e-6;
    for (double t : {0.31, 0.35, 0.6, 0.9}) {
      EXPECT_NEAR(value_at(r, "m.s", t), 0.04 * (1 - std::cos(5 * (t - 0.3))), tolerance) << method << t;
      EXPECT_NEAR(value_at(r, "r.f", t), 50 * 0.04 * std::cos(5 * (t - 0.3)), 60 * tolerance) << method << t;
    }
    // what the drive gave is what the spring and the mass have
    if (tolerance < 1e-3) {
      EXPECT_NEAR(last(r, "energy.supplied"), 0.5 * 50 * 0.04 * 0.04, 1e-5) << method;
      EXPECT_NEAR(last(r, "energy.stored"), last(r, "energy.supplied"), 1e-5) << method;
    }
  }
}

TEST(DriveJumps, ABodyThatOnlyTheDriveMovesJumpsWithIt) {
  for (const char* formulation : {"relative", "absolute"})
    for (const char* method : implicit_methods) {
      const solve::Result r = run_by(method, std::string("formulation: ") + formulation + R"y(
components:
  j: {type: multibody.Prismatic, parent: ground, child: cart, axis: x, drive: "time < 0.2 s ? 0 : 30 mm"}
  cart: {type: multibody.Body, mass: 3 kg}
  k: {type: multibody.PointSpringDamper, a: cart, b: load, stiffness: 200, length: 0}
  l: {type: multibody.Prismatic, parent: ground, child: load, axis: x}
  load: {type: multibody.Body, mass: 2 kg}
)y",
                                     0.6, 0.01);
      ASSERT_EQ(r.status, solve::Status::done) << method << r.text;
      const double tolerance = method == std::string("backward-euler") ? 1e-3 : 2e-6;
      EXPECT_NEAR(value_at(r, "l.q", 0.25), 0.03 * (1 - std::cos(0.5)), tolerance) << method << formulation;
      EXPECT_NEAR(value_at(r, "l.q", 0.6), 0.03 * (1 - std::cos(4.0)), tolerance) << method << formulation;
      EXPECT_NEAR(value_at(r, "j.drive_force", 0.6), 200 * 0.03 * std::cos(4.0), 300 * tolerance) << method;
    }
}

TEST(DriveJumps, WhatCarriesAMassAlongIsRefusedByAllMethodsAlike) {
  const std::string pendulum = R"y(
components:
  j: {type: multibody.Prismatic, parent: ground, child: cart, axis: x, drive: "time < 0.2 s ? 0 : 30 mm"}
  cart: {type: multibody.Body, mass: 3 kg}
  l: {type: multibody.Revolute, parent: cart, child: rod, axis: z}
  rod: {type: multibody.Body, mass: 2 kg, com: [0, -0.4, 0]}
)y";
  const std::string damper = R"y(
components:
  m: {type: mechanical.Mass, m: 2 kg}
  d: {type: mechanical.TranslationalDamper, a: road, b: m, d: 5 N.s/m}
  r: {type: mechanical.TranslationalMotion, flange: road, s: "time < 0.2 s ? 0 : 30 mm"}
)y";
  for (const char* method : {"radau", "esdirk", "generalized-alpha", "newmark", "backward-euler", "dopri", "rk4"}) {
    for (const char* formulation : {"relative", "absolute"}) {
      const solve::Result r = run_by(method, std::string("formulation: ") + formulation + pendulum, 1, 0.1);
      ASSERT_EQ(r.status, solve::Status::failed) << method;
      EXPECT_NE(r.text.find("event at t = 0.2 s: the drive of j.lambda jumps by 0.03 m in no time, at an infinite "
                            "velocity that acts on "),
                std::string::npos)
          << method << r.text;
    }
    const solve::Result r = run_by(method, damper, 1, 0.1);
    EXPECT_EQ(r.text,
              "event at t = 0.2 s: the drive of r.lambda jumps by 0.03 m in no time, at an infinite velocity that acts "
              "on m.flange: let the drive change over some time (a ramp), or put a spring between")
        << method;
  }
}

// a pendulum that a drive swings by corners: |cos 2t|, a polygon, and the larger of two functions
TEST(DriveJumps, CornersOfDrivesAreLocated) {
  const double m = 3, l = 0.5, J = 0.2, g = 9.81;
  struct Case {
    std::string drive;
    double (*q)(double);
    double (*acceleration)(double);
    double corner;
  };
  const Case cases[] = {
      {"abs(cos(2*time))", [](double t) { return std::abs(std::cos(2 * t)); },
       [](double t) { return -4 * std::abs(std::cos(2 * t)); }, std::numbers::pi / 4},
      {"max(0.1 + 0.2 rad/s*time, 0.5 - 0.3 rad/s*time)",
       [](double t) { return std::max(0.1 + 0.2 * t, 0.5 - 0.3 * t); }, [](double) { return 0.0; }, 0.8},
      {"min(sin(1 rad/s*time), 0.4 + 0.1*sin(3 rad/s*time))",
       [](double t) { return std::min(std::sin(t), 0.4 + 0.1 * std::sin(3 * t)); },
       [](double t) { return std::sin(t) < 0.4 + 0.1 * std::sin(3 * t) ? -std::sin(t) : -0.9 * std::sin(3 * t); },
       0.5}};
  for (const Case& c : cases)
    for (const char* method : implicit_methods) {
      const solve::Result r = run_by(method,
                                     R"y(
energy: yes
components:
  gravity: {type: multibody.Gravity, g: [0, -9.81, 0]}
  j: {type: multibody.Revolute, parent: ground, child: b, drive: ")y" +
                                         c.drive + R"y("}
  b: {type: multibody.Body, mass: 3, com: [0, -0.5, 0], inertia: [0, 0, 0.2]}
)y",
                                     1.2, 0.05);
      ASSERT_EQ(r.status, solve::Status::done) << method << r.text;
      for (double t = 0.05; t < 1.2; t += 0.05) {
        const double q = c.q(t), a = c.acceleration(t);
        EXPECT_NEAR(value_at(r, "j.qdd", t), a, 2e-3) << method << " " << c.drive << t;
        EXPECT_NEAR(value_at(r, "j.drive_force", t), (J + m * l * l) * a + m * g * l * std::sin(q), 3e-3)
            << method << " " << c.drive << t;
      }
    }
}

// a cascade of holds: what is sampled at 10 ms is what the hold before it has just taken
TEST(Samples, AreTakenInTheOrderOfTheSignalFlow) {
  for (const char* method : {"radau", "generalized-alpha", "rk4"}) {
    const solve::Result r = run_by(method, R"y(
components:
  third: {type: blocks.ZeroOrderHold, u: "second.y + 1", sample: 20 ms}
  second: {type: blocks.ZeroOrderHold, u: "first.y > 0.0301 ? 2*first.y : first.y", sample: 10 ms}
  first: {type: blocks.ZeroOrderHold, u: "time/(1 s)", sample: 5 ms}
  late: {type: blocks.ZeroOrderHold, u: "first.y", sample: 5 ms, delay: 1}
  counter: {type: blocks.ZeroOrderHold, u: "counter.y + 1", sample: 10 ms}
  x: {type: blocks.Integrator, u: "first.y"}
)y",
                                   0.1, 0.0025);
    ASSERT_EQ(r.status, solve::Status::done) << method << r.text;
    for (int k = 1; k < 20; ++k) {
      const double t = 0.005 * k + 0.0025, first = 0.005 * k, at10 = 0.01 * (k / 2), at20 = 0.02 * (k / 4);
      const auto second = [](double u) { return u > 0.0301 ? 2 * u : u; };
      EXPECT_NEAR(value_at(r, "first.y", t), first, 1e-12) << method << t;
      EXPECT_NEAR(value_at(r, "second.y", t), second(at10), 1e-12) << method << t;
      EXPECT_NEAR(value_at(r, "third.y", t), second(at20) + 1, 1e-12) << method << t;
      EXPECT_NEAR(value_at(r, "late.y", t), first - 0.005, 1e-12) << method << t;
      EXPECT_NEAR(value_at(r, "counter.y", t), k / 2 + 1, 1e-12) << method << t;
    }
  }
}

TEST(Samples, DoNotDependOnWhatElseHappensAtTheInstant) {
  for (const char* method : {"radau", "esdirk", "generalized-alpha", "dopri", "rk4"})
    for (const char* other : {"", "  b: {type: blocks.Gain, u: \"time > 0.4 s ? 1 : 0\", k: 1}\n",
                              "  b: {type: blocks.Gain, u: \"time >= 0.4 s ? 1 : 0\", k: 1}\n"}) {
      const solve::Result r = run_by(method, std::string(R"y(
components:
  a: {type: blocks.Gain, u: "time >= 0.4 s ? 3 : 0", k: 1}
  strict: {type: blocks.Gain, u: "time > 0.4 s ? 3 : 0", k: 1}
  c: {type: blocks.ZeroOrderHold, u: a.y, sample: 0.2 s}
  d: {type: blocks.ZeroOrderHold, u: strict.y, sample: 0.2 s}
  x: {type: blocks.Integrator, u: "c.y"}
)y") + other,
                                     1, 0.05);
      ASSERT_EQ(r.status, solve::Status::done) << method << r.text;
      EXPECT_EQ(value_at(r, "c.y", 0.35), 0) << method << other;
      EXPECT_EQ(value_at(r, "c.y", 0.5), 3) << method << other;
      EXPECT_EQ(value_at(r, "d.y", 0.5), 0) << method << other;
      EXPECT_EQ(value_at(r, "d.y", 0.65), 3) << method << other;
      EXPECT_NEAR(value_at(r, "x.y", 1), 3 * 0.6, 1e-9) << method << other;
    }
}

/// Where a drum of 0.02 kg m² on a spring of 0.4 N m/rad comes to slide (until it goes with the belt or stands), by small
/// steps of Runge and Kutta: φ̈ = (g(8 − φ̇) − 0.4 φ)/J with g(u) = 2 + 3 exp(−(u/stribeck)²).
struct Slide {
  double time = 0, phi, rate;
  void go(double until_rate, bool faster, double stribeck) {
    const auto pull = [&](double angle, double w) {
      const double u = (8 - w) / stribeck;
      return (2 + 3 * std::exp(-u * u) - 0.4 * angle) / 0.02;
    };
    constexpr double h = 1e-6;
    while (faster ? rate < until_rate : rate > until_rate) {
      const double a = pull(phi, rate), b = pull(phi + h / 2 * rate, rate + h / 2 * a);
      const double c = pull(phi + h / 2 * (rate + h / 2 * a), rate + h / 2 * b), d = pull(phi + h * rate, rate + h * c);
      phi += h * rate + h * h / 6 * (a + b + c), rate += h / 6 * (a + 2 * b + 2 * c + d), time += h;
    }
  }
};

// a drum on a spring, carried by a belt: sticks until the spring holds more than the break-away torque, then swings
// back
TEST(StickSlip, OfAnyStribeckCurveRunsByEveryImplicitMethod) {
  for (const char* stribeck : {"0.2", "1e-4"})
    for (const char* method : implicit_methods) {
      const solve::Result r = run_by(method,
                                     std::string(R"y(
components:
  motor: {type: mechanical.RotationalMotion, flange: pulley, phi: 8 rad/s*time}
  slip: {type: mechanical.RotationalFriction, a: pulley, b: drum, law: stick, coulomb: 2 N.m, breakaway: 5 N.m, stribeck: )y") +
                                         stribeck + R"y(}
  drum: {type: mechanical.Inertia, J: 0.02 kg.m2}
  spring: {type: mechanical.RotationalSpring, a: ground, b: drum, k: 0.4 N.m/rad}
)y",
                                     4, 0.01, 1e-6);
      ASSERT_EQ(r.status, solve::Status::done) << method << stribeck << r.text;
      // it slides until it is as fast as the belt, is carried along until 0.4 φ = 5, and swings on to its turning point
      Slide start{0, 0, 0}, on{0, 12.5, 8};
      start.go(8, true, std::stod(stribeck)), on.go(0, false, std::stod(stribeck));
      // of many steps with rtol 1e-6; the fixed steps of backward Euler: a h t/2 with a = 100, h = 4e-4, t = 0.08
      const double tolerance = method == std::string("backward-euler") ? 2e-3 : 2e-5;
      EXPECT_NEAR(value_at(r, "drum.phi", 1), start.phi + 8 * (1 - start.time), tolerance) << method << stribeck;
      double most = 0;
      for (double phi : r.signal("drum.phi")) most = std::max(most, phi);
      EXPECT_NEAR(most, on.phi, 0.05) << method << stribeck;
    }
}

// the bridge with a commutating inductance: the mean of the rectified voltage is 2 Û/π − 2 ω L_s I_d/π (large L_d)
TEST(Diodes, ABridgeWithInductanceRunsByEveryImplicitMethod) {
  for (const char* L : {"1.5 mH", "4 mH", "12 mH"})
    for (const char* on : {"1e-6 ohm", "0 ohm"})
      for (const char* method : implicit_methods) {
        const solve::Result r = run_by(method,
                                       std::string(R"y(
components:
  u: {type: electrical.VoltageSource, p: a0, n: b, v: "300 V*sin(2*pi*50 Hz*time)"}
  ls: {type: electrical.Inductor, p: a0, n: a, L: )y") +
                                           L + R"y(}
  d1: {type: electrical.IdealDiode, p: a, n: p, R_on: )y" +
                                           on + R"y(}
  d2: {type: electrical.IdealDiode, p: b, n: p, R_on: )y" +
                                           on + R"y(}
  d3: {type: electrical.IdealDiode, p: gnd, n: a, R_on: )y" +
                                           on + R"y(}
  d4: {type: electrical.IdealDiode, p: gnd, n: b, R_on: )y" +
                                           on + R"y(}
  r: {type: electrical.Resistor, p: p, n: q, R: 8 ohm}
  l: {type: electrical.Inductor, p: q, n: gnd, L: 40 mH}
)y",
                                       0.2, 1e-4, 1e-6);
        ASSERT_EQ(r.status, solve::Status::done) << method << L << on << r.text;
        // the load current never reverses, and settles where the mean voltage drives it
        double sum = 0;
        int count = 0;
        for (std::size_t k = 0; k < r.times.size(); ++k) {
          EXPECT_GE(r.signal("l.i")[k], -1e-6) << method << L;
          if (r.times[k] > 0.18) sum += r.signal("l.i")[k], ++count;
        }
        const double Ls = std::stod(L) * 1e-3, w = 2 * std::numbers::pi * 50;
        const double mean = 2 * 300 / std::numbers::pi / (8 + 2 * w * Ls / std::numbers::pi);
        EXPECT_NEAR(sum / count, mean, 0.04 * mean) << method << L << on;  // ripple of the current at the commutation
      }
}

// x = t³ − 0.001 t is flat where it is cubed again
TEST(Location, OfACrossingThatIsFlatIsAsSharpAsOfAnyOther) {
  for (const char* method : {"radau", "esdirk", "generalized-alpha", "dopri"}) {
    const solve::Result r = run_by(method, R"y(
components:
  x: {type: blocks.Integrator, u: 1}
  s: {type: blocks.Gain, u: "(x.y - 0.3)^3 > 0 ? 1 : 0", k: 1}
  y: {type: blocks.Integrator, u: s.y}
)y",
                                   1, 0.1);
    ASSERT_EQ(r.status, solve::Status::done) << method << r.text;
    EXPECT_NEAR(last(r, "y.y"), 0.7, 1e-10) << method;
  }
}

// time > c alone is straight; all these come back before the end of a step that nothing else makes short
TEST(Location, OfAPulseOfTimeThatIsShorterThanTheStep) {
  const double peaks = 3 * 2 * std::acos(0.9998) / (2 * std::numbers::pi * 3) * 700;
  for (const char* method : {"radau", "esdirk", "generalized-alpha", "dopri", "dop853", "rk4"})
    for (const auto& [pulse, area] : {std::pair("abs(time - 0.437) < 2e-5 ? 3e4 : 0", 1.2),
                                      {"(time - 0.31)*(time - 0.31002) < 0 ? 1e5 : 0", 2.0},
                                      {"time - 0.3 s*floor(time/(0.3 s)) < 3e-5 s ? 1e4 : 0", 1.2},
                                      {"sin(2*pi*3*time) > 0.9998 ? 700 : 0", peaks}}) {
      const std::string step = method == std::string("rk4") ? ", step: 2 ms" : "";
      const model::Model m = io::parse_model(fmt::format("components:\n  x: {{type: blocks.Integrator, u: \"{}\"}}\n"
                                                         "simulate: {{t_end: 1, method: {}{}}}\n",
                                                         pulse, method, step),
                                             "m.yaml");
      const solve::Result r = run_model(m);
      // crossings are located to 1e-12 s of slopes of up to 1e5
      EXPECT_NEAR(last(r, "x.y"), area, 1e-6) << method << " " << pulse;
    }
}

// cos t is above the level for 2 arccos(level) of each turn, far less than a step
TEST(Location, OfAPeakThatJustCrosses) {
  for (const char* method : {"radau", "esdirk", "generalized-alpha", "dopri", "dop853"})
    for (const double level : {0.9, 0.998, 0.9999}) {
      const auto count = [&](const char* x) {
        return fmt::format("  x: {{type: blocks.Integrator, u: \"{} > {} ? 1 : 0\"}}\n", x, level);
      };
      const std::string mass =
          "components:\n  m: {type: mechanical.Mass, m: 2, s0: 1}\n"
          "  k: {type: mechanical.TranslationalSpring, a: ground, b: m, k: 2}\n" +
          count("m.s");
      const std::string ring =
          "components:\n  C: {type: electrical.Capacitor, p: a, n: gnd, C: 0.5, v0: 1}\n"
          "  L: {type: electrical.Inductor, p: a, n: gnd, L: 2}\n" +
          count("C.v");
      const double half = std::acos(level), exact = half + 3 * 2 * half;  // the start and three more peaks
      for (const std::string& text : {mass, ring}) {
        const solve::Result r = run_by(method, text, 22, 2, 1e-7);
        ASSERT_EQ(r.status, solve::Status::done) << method << r.text;
        // errors of the height of the peak, some 1e-5, over its slope at the level
        EXPECT_NEAR(last(r, "x.y"), exact, 7 * 1e-5 / std::sin(half)) << method << " " << level;
      }
    }
}

// a step tried from rest is far too long: what it leaves behind must not tell later stages that they have converged
TEST(Restarts, OfExplicitMethodsBehindALongRest) {
  const char* text = R"(
components:
  pump:     {type: hydraulic.PressureSource, a: supply, p: 80 bar}
  tank:     {type: hydraulic.Tank, a: return}
  valve:    {type: hydraulic.ServoValve, p: supply, t: return, a: a, b: b, u: "time < 0.2 s ? 0 : 0.6", area: 12 mm2}
  cylinder: {type: hydraulic.Cylinder, a: a, b: b, rod: mass, A_a: 15 cm2, A_b: 15 cm2, stroke: 0.8 m, V_a0: 40 cm3,
             V_b0: 40 cm3, p_a0: 50 bar, p_b0: 20 bar}
  mass:     {type: mechanical.Mass, m: 300 kg, s0: 0.4 m}
  load:     {type: mechanical.Force, flange: mass, f: -4.5 kN}
)";
  const solve::Result exact = run_by("radau", text, 0.7, 0.0005, 1e-10);
  ASSERT_EQ(exact.status, solve::Status::done) << exact.text;
  for (const char* method : {"dopri", "dop853"}) {
    const solve::Result r = run_by(method, text, 0.7, 0.0005, 1e-7);
    ASSERT_EQ(r.status, solve::Status::done) << method << r.text;
    // errors of each step are below 1e-7 of 50 bar and add up; a linear course would be off by a tenth
    for (const double t : {0.2015, 0.2025, 0.204})
      EXPECT_NEAR(value_at(r, "a.p", t), value_at(exact, "a.p", t), 1e-5 * value_at(exact, "a.p", t)) << method << t;
    EXPECT_NEAR(last(r, "mass.v"), last(exact, "mass.v"), 1e-5 * std::abs(last(exact, "mass.v"))) << method;
  }
}

TEST(Switching, FasterThanTheStepsIsNoted) {
  const auto notes = [](const char* frequency) {
    return run_by("generalized-alpha",
                  std::string(R"y(
components:
  U1: {type: electrical.VoltageSource, p: a, n: gnd, v: "sin(2*pi*time*)y") +
                      frequency + R"y() > 0 ? 2 V : -2 V"}
  R1: {type: electrical.Resistor, p: a, n: b, R: 1 ohm}
  C1: {type: electrical.Capacitor, p: b, n: gnd, C: 0.5 F}
)y",
                  1, 0.1)
        .notes;
  };
  EXPECT_TRUE(notes("40 Hz").empty());
  const auto fast = notes("0.93e8 Hz");
  ASSERT_EQ(fast.size(), 1u);
  EXPECT_EQ(fast[0].substr(0, fast[0].find('(')), "U1.v switches more often than the steps can see ");
  EXPECT_NE(fast[0].find("limit the steps by max_step, or give its mean value instead"), std::string::npos);
}

// x' = −sign(x): arrives at 0 and can neither leave nor stay
TEST(Switching, ASlidingModeIsNamedWithAdvice) {
  for (const char* method : {"radau", "esdirk", "dopri"}) {
    const solve::Result r = run_by(method, R"y(
components:
  x: {type: blocks.Integrator, u: "x.y > 0 ? -1 : 1", y0: 0.3}
)y",
                                   1, 0.1);
    ASSERT_EQ(r.status, solve::Status::failed) << method;
    EXPECT_NE(r.text.find("x.u switches back and forth; where both of its sides lead back to the switching (a sliding "
                          "mode), give it a hysteresis or put a steep smooth law in its place, such as tanh"),
              std::string::npos)
        << r.text;
  }
}

}  // namespace
}  // namespace coenergy::tests
