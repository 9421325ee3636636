// An answer is right to its stated tolerance, in every row, or the run says why not.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "coenergy/base/error.hpp"
#include "tests/example_run.hpp"

namespace coenergy::tests {
namespace {

constexpr double pi = std::numbers::pi;

solve::Result run_yaml(const std::string& text) {
  const model::Model model = io::parse_model(text, "m.yaml");
  return solve::simulate(compile_model(model), io::read_simulation_options(model));
}

solve::Result run_with(const std::string& components, const std::string& options) {
  return run_yaml("components:\n" + components + "simulate: {" + options + "}\n");
}

bool has_note(const solve::Result& r, const std::string& part) {
  return std::any_of(r.notes.begin(), r.notes.end(),
                     [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

// 40 Hz, 2 V
const std::string ring =
    "  L1: {type: electrical.Inductor, p: a, n: gnd, L: 1 H}\n"
    "  C1: {type: electrical.Capacitor, p: a, n: gnd, C: 1 F/(80*pi)^2, v0: 2 V}\n";

TEST(Tolerance, ARunWithoutOptionsButItsEndIsErrorControlled) {
  // 200 periods at rtol 1e-6: a thousandth of the run, the step of old, would be a fifth of a period
  const solve::Result r = run_with(ring, "t_end: 5 s");
  ASSERT_EQ(r.status, solve::Status::done) << r.text;
  // some 1e-6 of each of 200 periods
  EXPECT_NEAR(r.signal("C1.v").back(), 2, 2e-3);
  EXPECT_EQ(r.times.back(), 5);
}

TEST(Tolerance, TheDefaultMethodIsWithin30TolerancesDownTo1em11) {
  for (const double tolerance : {1e-3, 1e-5, 1e-7, 1e-9, 1e-11}) {
    const solve::Result r =
        run_with(ring, fmt::format("t_end: 0.26 s, output_step: 7.7 ms, rtol: {0:g}, atol: {0:g}", tolerance));
    ASSERT_EQ(r.status, solve::Status::done) << r.text;
    const auto v = r.signal("C1.v");
    for (std::size_t k = 0; k < v.size(); ++k)
      EXPECT_NEAR(v[k], 2 * std::cos(80 * pi * r.times[k]), 2 * 30 * tolerance) << tolerance << " " << r.times[k];
  }
}

TEST(Tolerance, GeneralizedAlphaWithoutAStepKeepsToItToo) {
  // of order 2: errors of steps add up to more than one of them, but less than a thousand
  const solve::Result r = run_with(ring, "t_end: 0.1 s, method: generalized-alpha, rtol: 1e-8, atol: 1e-8");
  ASSERT_EQ(r.status, solve::Status::done) << r.text;
  EXPECT_NEAR(r.signal("C1.v").back(), 2, 2 * 1e-5);
  EXPECT_GT(r.statistics.steps, 1000);
}

TEST(Rows, AreAtTheirTimesAndAtTheEnd) {
  // a step that does not divide the distance of rows, a distance that does not divide the run
  const solve::Result r = run_with(
      "  I: {type: mechanical.Inertia, J: 2, w0: 1}\n  d: {type: mechanical.RotationalDamper, a: ground, b: I, d: 1}\n",
      "t_end: 1.1, method: generalized-alpha, step: 0.0007777777, output_step: 0.35, signals: [I.w]");
  ASSERT_EQ(r.status, solve::Status::done) << r.text;
  EXPECT_EQ(r.times, (std::vector<double>{0, 0.35, 0.7, 3 * 0.35, 1.1}));
  // order 2: (h/2)²/12
  for (std::size_t k = 0; k < r.times.size(); ++k)
    EXPECT_NEAR(r.signal("I.w")[k], std::exp(-r.times[k] / 2), 1e-7) << r.times[k];
}

TEST(Rows, BetweenStepsTheFlowsOfAnOrificeBalance) {
  // the states of the account make it a system with states; pressure and flow are algebraic
  for (const char* method : {"radau", "esdirk", "dopri", "generalized-alpha"}) {
    const solve::Result r = run_yaml(fmt::format(R"(
energy: true
components:
  P: {{type: hydraulic.PressureSource, a: s, p: 25 bar*(1 + cos(2*time*1 rad/s))}}
  O: {{type: hydraulic.Orifice, a: s, b: t, q_nominal: 4 l/min}}
  T: {{type: hydraulic.Tank, a: t, p: 1 bar}}
simulate: {{t_end: 3, method: {}, rtol: 1e-6, atol: 1e-8, output_step: 0.017}}
)",
                                                 method));
    ASSERT_EQ(r.status, solve::Status::done) << method << r.text;
    const auto o = r.signal("O.q"), p = r.signal("P.q"), dp = r.signal("s.p");
    double largest = 0;
    for (const double q : o) largest = std::max(largest, std::abs(q));
    for (std::size_t k = 0; k < o.size(); ++k) {
      // rows between steps are iterated on until corrections vanish; the last one is the end of a step, solved to rtol
      const double bound = k + 1 < o.size() ? 1e-8 : 1e-6;
      EXPECT_NEAR(o[k], p[k], bound * largest) << method << " " << r.times[k];
      EXPECT_NEAR(dp[k], 25e5 * (1 + std::cos(2 * r.times[k])), 1e-2) << method << " " << r.times[k];
    }
  }
}

TEST(Rows, ReactionsBetweenStepsAreThoseOfTheMotion) {
  // drive_force of a driven pendulum: J q̈ + m g l sin q
  for (const char* method : {"radau", "esdirk", "dopri", "generalized-alpha"}) {
    const solve::Result r = run_with(R"y(
  gravity: {type: multibody.Gravity, g: [0, -9.81, 0]}
  j: {type: multibody.Revolute, parent: ground, child: b, drive: "0.5*sin(2*time)"}
  b: {type: multibody.Body, mass: 3, com: [0, -0.4, 0], inertia: [0, 0, 0.2]}
)y",
                                     fmt::format("t_end: 2, method: {}, output_step: 0.037", method));
    ASSERT_EQ(r.status, solve::Status::done) << method << r.text;
    const auto f = r.signal("j.drive_force");
    for (std::size_t k = 0; k < f.size(); ++k) {
      const double q = 0.5 * std::sin(2 * r.times[k]), a = -4 * q;
      EXPECT_NEAR(f[k], (0.2 + 3 * 0.16) * a + 3 * 9.81 * 0.4 * std::sin(q), 2e-5) << method << " " << r.times[k];
    }
  }
}

TEST(Rows, BehindAJumpFollowWhatItSetsInMotion) {
  // at rest steps grow without bound; then x = 0.07 (1 − cos 8(t − 0.2))
  for (const std::string& method : solve::method_names()) {
    if (!solve::has_error_estimate(method)) continue;
    const solve::Result r = run_with(R"y(
  m: {type: mechanical.Mass, m: 2 kg}
  k: {type: mechanical.TranslationalSpring, a: end, b: m, k: 128 N/m}
  jump: {type: mechanical.TranslationalMotion, flange: end, s: "time < 0.2 s ? 0 : 0.07 m"}
)y",
                                     fmt::format("t_end: 1, method: {}, rtol: 1e-7, output_step: 0.021", method));
    ASSERT_EQ(r.status, solve::Status::done) << method << r.text;
    // some hundred steps, each of them right to a part of 1e-7 and, absolutely, to 1e-8
    for (std::size_t k = 0; k < r.times.size(); ++k)
      if (std::abs(r.times[k] - 0.2) > 1e-9) {
        EXPECT_NEAR(r.signal("m.s")[k], r.times[k] < 0.2 ? 0 : 0.07 * (1 - std::cos(8 * (r.times[k] - 0.2))), 1e-5)
            << method << " " << r.times[k];
      }
  }
}

TEST(Rows, NoneIsInventedWhereThereIsNoSolution) {
  const auto text_of = [](const char* v) {
    const solve::Result r = run_with(fmt::format("  U7: {{type: electrical.VoltageSource, p: a, n: gnd, v: \"{}\"}}\n"
                                                 "  R1: {{type: electrical.Resistor, p: a, n: gnd, R: 1 ohm}}\n",
                                                 v),
                                     "t_end: 2 s, output_step: 0.25 s");
    EXPECT_EQ(r.status, solve::Status::failed);
    for (const double x : r.signal("U7.v")) EXPECT_TRUE(std::isfinite(x));
    return r.text;
  };
  const std::string pole = text_of("1 V/(time/1 s - 1.25)");
  EXPECT_NE(pole.find("the equations have no solution at t = 1.25 s, an output time; "), std::string::npos) << pole;
  EXPECT_NE(pole.find("equation U7.i has no finite value"), std::string::npos) << pole;
  const std::string root = text_of("sqrt((time/1 s - 0.7)*(time/1 s - 1.1))*1 V");
  EXPECT_NE(root.find("t = 0.7"), std::string::npos) << root;
  EXPECT_NE(root.find("equation U7.i has no finite value"), std::string::npos) << root;
}

TEST(Steps, ATransientBelowTheResolutionOfTimeIsPassed) {
  // τ = 3e-22 s; the source has no other time constant
  const std::string stiff =
      "  U1: {type: electrical.VoltageSource, p: a, n: gnd, v: 7 V}\n"
      "  R1: {type: electrical.Resistor, p: a, n: b, R: 1e-16 ohm}\n"
      "  C1: {type: electrical.Capacitor, p: b, n: gnd, C: 3 uF}\n";
  for (const char* options : {"t_end: 1 us", "t_end: 3.33333e-6 s, output_step: 3.33333e-6 s, step: 1e-11 s",
                              "t_end: 3.33333e-6 s, method: generalized-alpha, step: 1e-10 s"}) {
    const solve::Result r = run_with(stiff, options);
    ASSERT_EQ(r.status, solve::Status::done) << options << ": " << r.text;
    EXPECT_NEAR(r.signal("C1.v").back(), 7, 1e-5) << options;
  }
}

TEST(Steps, NoneIsSoShortBesideASampleThatRoundOffBecomesAcceleration) {
  // samples every 9 ms, steps that miss them by some 1e-9 s
  for (const char* method : {"generalized-alpha", "hht"}) {
    const solve::Result r = run_with(R"y(
  j1: {type: multibody.Revolute, parent: ground, child: a, drive: "0.2 rad*sin(7*time)"}
  a: {type: multibody.Body, mass: 1, com: [0.25, 0, 0], inertia: [0.1, 0.1, 0.1]}
  k: {type: blocks.ZeroOrderHold, u: "sin(5*time)", sample: 0.009}
)y",
                                     fmt::format("t_end: 0.1, method: {}, step: 0.00015000001", method));
    ASSERT_EQ(r.status, solve::Status::done) << method << r.text;
    const auto a = r.signal("j1.qdd");
    // round-off of a step of 1e-9 s would be 1e2
    for (std::size_t k = 0; k < a.size(); ++k)
      EXPECT_NEAR(a[k], -0.2 * 49 * std::sin(7 * r.times[k]), 0.05) << method << " " << r.times[k];
  }
}

TEST(Steps, ThoseToAnEventKeepToTheToleranceToo) {
  // J ω̇ = −τ(ω), τ = τc + (τs − τc) exp(−(ω/ωs)²): the peak is in the last thousandth of the way to rest; refined run
  const std::string friction =
      "  I: {type: mechanical.Inertia, J: 0.02, w0: 3}\n"
      "  fr: {type: mechanical.RotationalFriction, a: ground, b: I, law: stick, coulomb: 1.5, breakaway: 1.9}\n";
  const double exact = run_with(friction, "t_end: 0.06, rtol: 1e-12, atol: 1e-13").signal("I.phi").back();
  for (const char* method : {"radau", "esdirk", "dopri", "dop853", "generalized-alpha"})
    for (const double tolerance : {1e-5, 1e-7}) {
      const solve::Result r =
          run_with(friction, fmt::format("t_end: 0.06, method: {0}, rtol: {1:g}, atol: {1:g}", method, tolerance));
      ASSERT_EQ(r.status, solve::Status::done) << method << r.text;
      // of velocities of 3 rad/s over 0.04 s
      EXPECT_NEAR(r.signal("I.phi").back(), exact, 3 * tolerance) << method << " " << tolerance;
    }
}

TEST(Notes, OfAMethodThatIsUnstableOnConstraints) {
  const std::string hinge =
      "  gravity: {type: multibody.Gravity}\n"
      "  b: {type: multibody.Body, mass: 1, com: [0.3, 0, 0]}\n"
      "  j: {type: multibody.Revolute, parent: ground, child: b, axis: y}\n";
  const auto noted = [&](const std::string& options) {
    return has_note(
        run_yaml("formulation: absolute\ncomponents:\n" + hinge + "simulate: {t_end: 10 ms, " + options + "}"),
        "has no numerical damping and is unstable where there are constraints");
  };
  EXPECT_TRUE(noted("method: newmark, step: 1 ms"));
  EXPECT_TRUE(noted("method: generalized-alpha, rho_inf: 1, step: 1 ms"));
  EXPECT_FALSE(noted("method: generalized-alpha, step: 1 ms"));
  EXPECT_FALSE(noted("method: newmark"));
}

TEST(Notes, OfASignalThatSwitchesFasterThanTheSteps) {
  const auto run = [](const char* frequency) {
    return run_with(
        fmt::format("  U1: {{type: electrical.VoltageSource, p: a, n: gnd, v: \"sin(2*pi*{}*time/1 s) > 0 ? "
                    "1 V : -1 V\"}}\n  R1: {{type: electrical.Resistor, p: a, n: b, R: 1 ohm}}\n"
                    "  C1: {{type: electrical.Capacitor, p: b, n: gnd, C: 1 F}}\n",
                    frequency),
        "t_end: 3 s, output_step: 0.1 s");
  };
  EXPECT_TRUE(has_note(run("3.3e8"), "switches more often than the steps can see"));
  EXPECT_FALSE(has_note(run("7"), "switches more often than the steps can see"));
}

TEST(Notes, OfAnEnergyAccountThatDoesNotClose) {
  const auto run = [](const char* options) {
    return run_yaml(fmt::format(R"(
energy: true
components:
  gravity: {{type: multibody.Gravity, g: [0, -9.81, 0]}}
  pivot: {{type: multibody.Revolute, parent: ground, child: bob, axis: z, q0: 80 deg}}
  bob: {{type: multibody.Body, mass: 2, com: [0, -0.5, 0], inertia: [0, 0, 0]}}
simulate: {{t_end: 5, {}}}
)",
                                options));
  };
  const solve::Result euler = run("method: euler, step: 5 ms");
  EXPECT_TRUE(has_note(euler, "the energy account does not close: "));
  EXPECT_TRUE(has_note(euler, "J are gained of "));
  EXPECT_TRUE(has_note(euler, "more than fixed steps explain; use smaller steps, or a method with error control"));
  for (const char* options : {"rtol: 1e-6", "rtol: 1e-10, atol: 1e-10", "method: dopri", "method: rk4, step: 5 ms"})
    EXPECT_FALSE(has_note(run(options), "energy account")) << options;
}

TEST(ChangeMethod, LeavesBehindWhatOnlyTheOldOneCanUse) {
  const auto change = [](const char* simulate, const char* method) {
    model::Model m = io::parse_model(std::string("components: {}\nsimulate: ") + simulate, "m.yaml");
    return io::change_method(m, model::Value(method));
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(change("{method: hht, alpha_f: 0.1, step: 1 ms}", "jansen"), (Names{"alpha_f"}));
  EXPECT_EQ(change("{method: hht, alpha_f: 0.1, step: 1 ms}", "hht"), (Names{}));
  EXPECT_EQ(change("{rtol: 1e-9, t_end: 3}", "rk4"), (Names{"rtol"}));
  EXPECT_EQ(change("{step: 1 ms, rtol: 1e-9}", "generalized-alpha"), (Names{"step"}));
}

}  // namespace
}  // namespace coenergy::tests
