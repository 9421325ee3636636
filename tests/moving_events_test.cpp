// Derivatives of runs through impacts, drives that jump, samples and known switching times, and through constraints:
// against closed forms and differences of accurate runs.
#include <fmt/core.h>

#include "tests/run_sensitivity.hpp"

namespace coenergy::tests {
namespace {

const std::string ball = R"(
parameters: {h: 0.7 m, e: 0.65, grav: 9.7 m/s2}
components:
  m: {type: mechanical.Mass, m: 1.3 kg, s0: h}
  w: {type: mechanical.Force, flange: m, f: -grav*(1.3 kg)}
  st: {type: mechanical.TranslationalStop, a: ground, b: m, lower: 0 m, stop_restitution: e}
)";

/// Why there are no derivatives.
std::string refusal(const std::string& text, const std::string& parameter, double t_end = 0.03) {
  return differentiate_end(io::parse_model(text, "m.yaml"), accurate_run(t_end), {parameter}, {}).text;
}

TEST(MovingEvents, ABallThatBouncesHasItsClosedForm) {
  // one impact at t1 = √(2h/g): s = e √(2gh) τ − g τ²/2, τ = t − t1
  const double h = 0.7, e = 0.65, g = 9.7, t = 0.6;
  const auto s = [&](double h, double e, double g) {
    const double after = t - std::sqrt(2 * h / g);
    return e * std::sqrt(2 * g * h) * after - g * after * after / 2;
  };
  const auto found = differentiate_end(ball, t, {"h", "e", "grav"}, {"m.s"});
  // the closed form by differences to 1e-10, the run to 1e-11 of a step
  EXPECT_NEAR(at_end(found, 0, 0), slope_of([&](double x) { return s(x, e, g); }, h, 1e-3), 1e-8);
  EXPECT_NEAR(at_end(found, 0, 1), slope_of([&](double x) { return s(h, x, g); }, e, 1e-3), 1e-8);
  EXPECT_NEAR(at_end(found, 0, 2), slope_of([&](double x) { return s(h, e, x); }, g, 1e-2), 1e-8);
}

TEST(MovingEvents, WhatRestsHasDerivativesThatSwing) {
  // at rest the error of the motion asks for no short steps: ds/ds0 = cos ωt, ds/dF = (1 − cos ωt)/k with ω = 6/s
  const std::string text = R"(
parameters: {s0: 0 m, F: 0 N}
components:
  m: {type: mechanical.Mass, m: 2 kg, s0: s0}
  k: {type: mechanical.TranslationalSpring, a: ground, b: m, k: 72 N/m}
  f: {type: mechanical.Force, flange: m, f: F}
)";
  const auto found = differentiate_end(text, 9.3, {"s0", "F"}, {"m.s"});
  // some hundred steps of a tolerance of 1e-10 each, times ten
  EXPECT_NEAR(at_end(found, 0, 0), std::cos(6 * 9.3), 1e-7);
  EXPECT_NEAR(at_end(found, 0, 1), (1 - std::cos(6 * 9.3)) / 72, 1e-7 / 72);
}

TEST(MovingEvents, FourBouncesAgreeWithDifferencesOfRuns) {
  const auto found = differentiate_end(ball, 1.35, {"h", "e"}, {"m.s", "m.v"});
  for (std::size_t i = 0; i < 2; ++i) {
    const char* signal = i == 0 ? "m.s" : "m.v";
    const double by_h = difference_of_runs(ball, 1.35, "h", 0.7, "m", signal, 1e-4),
                 by_e = difference_of_runs(ball, 1.35, "e", 0.65, "", signal, 1e-4);
    EXPECT_NEAR(at_end(found, i, 0), by_h, 1e-6 * std::abs(by_h)) << signal;
    EXPECT_NEAR(at_end(found, i, 1), by_e, 1e-6 * std::abs(by_e)) << signal;
  }
}

TEST(MovingEvents, AnImpactThroughAGearAndAnotherBodyAgreesWithDifferences) {
  // the arm hits its stop; rotor and gear behind it take part in the impulse
  const std::string text = R"(
parameters: {L: 0.4 m, J: 2e-3 kg.m2, lo: -0.15 rad, i: 6}
components:
  gr: {type: multibody.Gravity, g: [0, -9.81, 0]}
  j: {type: multibody.Revolute, parent: ground, child: b, q0: 0.3, lower: lo, stop_restitution: 0.6, parent_angles: [0, 0, -90 deg]}
  b: {type: multibody.Body, mass: 1.5, com: [L, 0, 0], inertia: [0, 0, 0.02]}
  j2: {type: multibody.Revolute, parent: b, child: b2, parent_at: [L, 0, 0], q0: 0.4}
  b2: {type: multibody.Body, mass: 0.7, com: [0.2, 0, 0], inertia: [0, 0, 0.003]}
  r: {type: mechanical.Inertia, shaft: m, J: J}
  g: {type: mechanical.IdealGear, a: m, b: j.shaft, ratio: i}
)";
  const struct {
    const char *path, *unit;
    double value;
  } entries[] = {{"L", "m", 0.4}, {"J", "kg.m2", 2e-3}, {"lo", "rad", -0.15}, {"i", "", 6}};
  const auto found = differentiate_end(text, 0.8, {"L", "J", "lo", "i"}, {"j.q", "j2.q"});
  for (std::size_t k = 0; k < 4; ++k)
    for (std::size_t i = 0; i < 2; ++i) {
      const double expected = difference_of_runs(text, 0.8, entries[k].path, entries[k].value, entries[k].unit,
                                                 i == 0 ? "j.q" : "j2.q", 1e-3);
      // fourth order of a double pendulum, and 1e-10 of a run by a step of 1e-3
      EXPECT_NEAR(at_end(found, i, k), expected, 1e-5 * std::abs(expected) + 1e-7 / std::abs(entries[k].value))
          << entries[k].path << " " << i;
    }
}

TEST(MovingEvents, SwitchingTimesOfSourcesAreDifferentiated) {
  // a step into a lag τ: y = H (1 − e^{−(t − ts)/τ}), dy/dts = −H/τ e^{−(t − ts)/τ}
  const std::string step = R"(
parameters: {ts: 0.21 s}
components:
  st: {type: blocks.Step, start: ts, height: 3}
  g:  {type: blocks.TransferFunction, u: st.y, den: [0.07, 1]}
)";
  EXPECT_NEAR(at_end(differentiate_end(step, 0.4, {"ts"}, {"g.y"}), 0, 0), -3 / 0.07 * std::exp(-0.19 / 0.07), 1e-7);
  // the same by an expression of time
  const std::string expression = R"yaml(
parameters: {ts: 0.21 s}
components:
  g:  {type: blocks.TransferFunction, u: "time < ts ? 0 : 3", den: [0.07, 1]}
)yaml";
  EXPECT_NEAR(at_end(differentiate_end(expression, 0.4, {"ts"}, {"g.y"}), 0, 0), -3 / 0.07 * std::exp(-0.19 / 0.07),
              1e-7);
  const std::string pulse = R"(
parameters: {dl: 11 ms, wd: 17 ms, per: 60 ms, rs: 2 ms}
components:
  U1: {type: electrical.PulseVoltage, p: a, n: gnd, high: 7 V, delay: dl, width: wd, period: per, rise: rs, fall: rs}
  R1: {type: electrical.Resistor, p: a, n: b, R: 1 kohm}
  C1: {type: electrical.Capacitor, p: b, n: gnd, C: 40 uF}
)";
  const auto found = differentiate_end(pulse, 0.2, {"dl", "wd", "per", "rs"}, {"C1.v"});
  const struct {
    const char* path;
    double value;
  } entries[] = {{"dl", 0.011}, {"wd", 0.017}, {"per", 0.06}, {"rs", 0.002}};
  for (std::size_t k = 0; k < 4; ++k) {
    const double expected = difference_of_runs(pulse, 0.2, entries[k].path, entries[k].value, "s", "C1.v", 1e-3);
    EXPECT_NEAR(at_end(found, 0, k), expected, 1e-6 * std::abs(expected)) << entries[k].path;
    EXPECT_GT(std::abs(expected), 1) << entries[k].path;
  }
}

TEST(MovingEvents, ASwitchThatAModulatorMovesTakesItsRampsAlong) {
  // C charges through R(t), v = V (1 − e^{−T/C}) with T = ∫ dt/R: every pulse of `duty` lengthens what is closed between
  // two ramps that stay the same, dT = 4 period (1/R_on − 1/R_off) d(duty)
  const std::string text = R"(
components:
  gate: {type: electrical.Pwm, duty: 0.35, period: 20 us, delay: 3 us}
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 9 V}
  S: {type: electrical.Switch, p: a, n: b, control: gate.y, R_on: 60 ohm, R_off: 2 Mohm, rise: 1 us, fall: 2 us, ramp: logarithmic}
  C: {type: electrical.Capacitor, p: b, n: gnd, C: 0.9 uF}
)";
  const auto found = differentiate_end(text, 81e-6, {"gate.duty"}, {"C.v"});
  const double v = found.value(found.times.size() - 1, 0);
  EXPECT_NEAR(at_end(found, 0, 0), (9 - v) * 4 * 20e-6 * (1 / 60.0 - 1 / 2e6) / 0.9e-6, 1e-6);
}

TEST(MovingEvents, ARampThatIsOverAtOnceIsRefusedByWhatMovesIt) {
  // from 5 Mohm to 50 mohm in 1 fs, in proportion to time: all of it happens in the last 1e-8 of that
  const std::string text = R"(
components:
  gate: {type: electrical.Pwm, duty: 0.35, period: 20 us, delay: 3 us}
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 9 V}
  S: {type: electrical.Switch, p: a, n: b, control: gate.y, R_on: 0.05 ohm, R_off: 5 Mohm, rise: 1e-15 s, fall: 1e-15 s}
  R: {type: electrical.Resistor, p: b, n: c, R: 70 ohm}
  C: {type: electrical.Capacitor, p: c, n: gnd, C: 0.9 uF}
)";
  const model::Model model = io::parse_model(text, "m.yaml");
  for (const std::string name : {"gate.period", "gate.duty", "S.fall"}) {
    const analyze::Sensitivity refused = differentiate_end(model, accurate_run(81e-6), {name}, {"C.v"});
    EXPECT_FALSE(refused.good) << name;
    EXPECT_NE(refused.text.find(name + " moves what is over within 1"), std::string::npos) << refused.text;
  }
  // what does not move it is as good as ever: v = V (1 − e^{−T/RC}), T = 28 us closed
  const auto found = differentiate_end(text, 81e-6, {"R.R"}, {"C.v"});
  const double x = 4 * 7e-6 / (70.05 * 0.9e-6);
  EXPECT_NEAR(at_end(found, 0, 0), -9 * std::exp(-x) * x / 70.05, 1e-6);
}

TEST(MovingEvents, SamplingPeriodsAreDifferentiated) {
  const std::string text = R"(
parameters: {Ts: 7 ms, kp: 0.04}
components:
  U1: {type: electrical.VoltageSource, p: a, n: gnd, v: c.y}
  motor: {type: converters.DcMachine, p: a, n: gnd, shaft: wheel.shaft, k: 60 mV.s/rad, R: 1.5 ohm, L: 2 mH}
  wheel: {type: mechanical.Inertia, J: 2e-4 kg.m2}
  c: {type: blocks.SampledPid, reference: 60, measure: wheel.w, kp: kp, ki: 0.4, sample: Ts}
)";
  // 21 samples, none at the end
  const auto found = differentiate_end(text, 0.15, {"Ts", "c.kp"}, {"wheel.w", "c.y"});
  for (std::size_t i = 0; i < 2; ++i) {
    const char* signal = i == 0 ? "wheel.w" : "c.y";
    const double by_T = difference_of_runs(text, 0.15, "Ts", 7e-3, "s", signal, 1e-3),
                 by_kp = difference_of_runs(text, 0.15, "kp", 0.04, "", signal, 1e-3);
    EXPECT_NEAR(at_end(found, i, 0), by_T, 1e-6 * std::abs(by_T)) << signal;
    EXPECT_NEAR(at_end(found, i, 1), by_kp, 1e-6 * std::abs(by_kp)) << signal;
  }
}

TEST(MovingEvents, AKinkThatIsNoEventIsCrossedExactly) {
  // m s̈ = −k max(s − l, 0): after l the mass turns about l with ω = √(k/m); v = v0 cos ω(t − l/v0)
  const std::string text = R"yaml(
parameters: {ll: 0.03 m}
components:
  m: {type: mechanical.Mass, m: 2 kg, s0: 0 m, v0: 0.8 m/s}
  F: {type: mechanical.Force, flange: m, f: "-900 N/m*max(m.s - ll, 0 m)"}
)yaml";
  const double w = std::sqrt(450.0), t = 0.1, v0 = 0.8, l = 0.03;
  const double by_l = w * std::sin(w * (t - l / v0));
  solve::Options options = accurate_run(t);
  options.rtol = 1e-6, options.atol = 1e-8;  // the usual tolerances
  const auto found = differentiate_end(io::parse_model(text, "m.yaml"), options, {"ll"}, {"m.v"});
  ASSERT_TRUE(found.good) << found.text;
  EXPECT_NEAR(at_end(found, 0, 0), by_l, 1e-5 * std::abs(by_l));
}

TEST(MovingEvents, WhatHasNoDerivativeIsRefusedByName) {
  // two samplers at one instant: which comes first changes with the period of one
  const std::string samplers = R"(
components:
  u:  {type: blocks.Sine, frequency: 3 Hz}
  z1: {type: blocks.ZeroOrderHold, u: u.y, sample: 10 ms}
  z2: {type: blocks.ZeroOrderHold, u: z1.y, sample: 10 ms}
  g:  {type: blocks.TransferFunction, u: z2.y, den: [0.07, 1]}
)";
  EXPECT_EQ(refusal(samplers, "z1.sample"),
            "no derivatives after t = 0.01 s: z1.y and z2.y happen at one instant, but move apart with z1.sample");
  const std::string at_start = R"(
components:
  st: {type: blocks.Step, start: 0 s, height: 3}
  g:  {type: blocks.TransferFunction, u: st.y, den: [0.07, 1]}
)";
  EXPECT_EQ(refusal(at_start, "st.start"),
            "no derivatives after t = 0 s: st.on changes at the start itself, and with st.start before or after it");
}

// ---- constraints

TEST(MovingEvents, AClosedLoopAgreesWithDifferencesInBothFormulations) {
  // a four-bar whose coupler angle is a guess: the start is assembled, and moves with the lengths
  const std::string text = R"(
formulation: absolute
parameters: {crank: 0.11 m, coupler: 0.31 m}
components:
  gr: {type: multibody.Gravity, g: [0, -9.81, 0]}
  a: {type: multibody.Body, mass: 0.4, com: [crank/2, 0, 0], inertia: [0, 0, 4e-4]}
  b: {type: multibody.Body, mass: 0.9, com: [coupler/2, 0, 0], inertia: [0, 0, 7e-3]}
  c: {type: multibody.Body, mass: 0.6, com: [0.12, 0, 0], inertia: [0, 0, 3e-3]}
  ja: {type: multibody.Revolute, parent: ground, child: a, q0: 0.9}
  jb: {type: multibody.Revolute, parent: a, child: b, parent_at: [crank, 0, 0]}
  jc: {type: multibody.Revolute, parent: ground, child: c, parent_at: [0.28, 0, 0]}
  jd: {type: multibody.Revolute, parent: b, child: c, parent_at: [coupler, 0, 0], child_at: [0.24, 0, 0]}
)";
  std::string relative = text;
  relative.replace(relative.find("absolute"), 8, "relative");
  const struct {
    const char *path, *unit;
    double value;
  } entries[] = {{"crank", "m", 0.11}, {"coupler", "m", 0.31}, {"ja.q0", "rad", 0.9}};
  const auto first = differentiate_end(relative, 0.3, {"crank", "coupler", "ja.q0"}, {"ja.q", "ja.qd"}),
             second = differentiate_end(text, 0.3, {"crank", "coupler", "ja.q0"}, {"ja.q", "ja.qd"});
  for (std::size_t k = 0; k < 3; ++k) {
    const double expected =
        difference_of_runs(relative, 0.3, entries[k].path, entries[k].value, entries[k].unit, "ja.q", 1e-3);
    EXPECT_NEAR(at_end(first, 0, k), expected, 2e-6 * (1 + std::abs(expected))) << entries[k].path;
    for (std::size_t i = 0; i < 2; ++i)
      EXPECT_NEAR(at_end(second, i, k), at_end(first, i, k), 1e-6 * (1 + std::abs(at_end(first, i, k))))
          << entries[k].path << " " << i;
  }
}

TEST(MovingEvents, ABodyThatTurnsFreelyInSpaceAgreesWithDifferences) {
  const std::string text = R"(
parameters: {Jx: 0.8, lz: 0.2 m}
components:
  b: {type: multibody.Body, mass: 1.2, inertia: [Jx, 1.1, 1.5], angular_velocity: [3, 0.4, -0.7]}
  f: {type: multibody.Spherical, parent: ground, child: b, as: quaternion, child_at: [-0.1, 0, lz]}
  gr: {type: multibody.Gravity, g: [0, 0, -9.81]}
)";
  const auto found = differentiate_end(text, 1.1, {"Jx", "lz"}, {"b.x", "b.z", "b.wx"});
  const char* signals[] = {"b.x", "b.z", "b.wx"};
  for (std::size_t i = 0; i < 3; ++i) {
    const double by_J = difference_of_runs(text, 1.1, "Jx", 0.8, "", signals[i], 1e-3),
                 by_l = difference_of_runs(text, 1.1, "lz", 0.2, "m", signals[i], 1e-3);
    EXPECT_NEAR(at_end(found, i, 0), by_J, 1e-6 * (1 + std::abs(by_J))) << signals[i];
    EXPECT_NEAR(at_end(found, i, 1), by_l, 1e-6 * (1 + std::abs(by_l))) << signals[i];
  }
}

TEST(MovingEvents, LegsThatSwitchTogetherAndMoveApartAreRefusedByName) {
  // two comparisons with one carrier at one reference, of which a parameter moves one up and the other down
  const std::string text = R"y(
components:
  u: {type: blocks.Constant, value: 0}
  a: {type: blocks.Comparator, a: u.y, b: "sin(300 1/s*time)"}
  b: {type: blocks.Comparator, a: "-u.y", b: "sin(300 1/s*time)"}
  x: {type: blocks.Integrator, u: "a.y + 2*b.y"}
)y";
  EXPECT_EQ(refusal(text, "u.value").substr(0, 24), "no derivatives after t =");
  // beside it they switch one after the other: x' = 1 + 2 on each side of the edge, both shifted
  std::string beside = text;
  beside.replace(beside.find("value: 0"), 8, "value: 0.1");
  const auto found = differentiate_end(beside, 0.03, {"u.value"}, {"x.y"});
  EXPECT_NEAR(at_end(found, 0, 0), difference_of_runs(beside, 0.03, "u.value", 0.1, "", "x.y", 1e-3), 1e-7);
}

TEST(MovingEvents, LegsWhoseJumpsCancelAreRefusedByName) {
  // the legs of a bridge at one reference switch together, and nothing drives a current; apart there are pulses
  const std::string text = R"y(
components:
  U: {type: electrical.VoltageSource, p: p, n: gnd, v: 10 V}
  u: {type: blocks.Constant, value: 0}
  B: {type: converters.HBridge, p: p, n: gnd, a: a, b: b, u: u.y, frequency: 200 Hz}
  R: {type: electrical.Resistor, p: a, n: c, R: 2 ohm}
  L: {type: electrical.Inductor, p: c, n: b, L: 10 mH}
)y";
  EXPECT_NE(refusal(text, "u.value").find("move apart with u.value"), std::string::npos) << refusal(text, "u.value");
}

// ---- corners

TEST(MovingEvents, WhatRestsExactlyOnACornerIsRefusedByName) {
  // a step exactly to the limit of a saturation: more changes nothing, less does
  const std::string limited = R"(
components:
  s: {type: blocks.Step, start: 0.1 s, height: 1}
  a: {type: blocks.Saturation, u: s.y, upper: 1}
  m: {type: mechanical.Mass, m: 2 kg}
  f: {type: mechanical.Force, flange: m, f: "3 N*a.y"}
)";
  const std::string why = refusal(limited, "s.height", 0.2);
  EXPECT_NE(why.find("s.height has one-sided derivatives only: the equation of m.flange force balance has a corner "
                     "exactly where the motion rests, a value at its limit for one; take a value beside it"),
            std::string::npos)
      << why;
  // beside it there is one: ½ (f/m) (0.1 s)²
  std::string beside = limited;
  beside.replace(beside.find("height: 1"), 9, "height: 0.9");
  EXPECT_NEAR(at_end(differentiate_end(beside, 0.2, {"s.height"}, {"m.s"}), 0, 0), 3.0 / 2 * 0.005, 1e-12);
  // smooth at rest: |v| v has no corner where v = 0
  const std::string rest = R"(
components:
  m: {type: mechanical.Mass, m: 2 kg, v0: 0 m/s}
  f: {type: mechanical.Force, flange: m, f: "0.3 N - 4 N.s2/m2*abs(m.v)*m.v - 0.3 N"}
)";
  EXPECT_NEAR(at_end(differentiate_end(rest, 0.2, {"m.v0"}, {"m.s"}), 0, 0), 0.2, 1e-9);
}

TEST(MovingEvents, AModeDecidedExactlyOnItsBoundaryIsRefusedByName) {
  // friction holds a block that starts with the speed of its belt, and drags on any other
  const std::string text = R"(
components:
  d: {type: mechanical.TranslationalMotion, flange: belt, s: 0.3 m/s*time}
  m: {type: mechanical.Mass, m: 2 kg, s0: 0 m, v0: 0.3 m/s}
  f: {type: mechanical.TranslationalFriction, a: belt, b: m, law: stick, coulomb: 1 N}
)";
  EXPECT_EQ(refusal(text, "m.v0"),
            "no derivatives after t = 0 s: f.slip is decided exactly on its boundary at the start, and otherwise with "
            "m.v0 beside it");
  EXPECT_NEAR(at_end(differentiate_end(text, 0.2, {"m.s0"}, {"m.s"}), 0, 0), 1, 1e-9);
}

// At rest on the corner of a spring that a second one joins above 0.3 m: pushed down it swings by the one, pushed up by both,
// and the derivative there is, of the side on which it is decided, is one of two.
TEST(StartOnASwitching, IsTold) {
  const auto text = [](double s0) {
    return fmt::format(R"(
components:
  m: {{type: mechanical.Mass, m: 1.2, s0: {} m}}
  k: {{type: mechanical.TranslationalSpring, a: ground, b: m, k: 40}}
  above: {{type: mechanical.Force, flange: m, f: "m.s > 0.3 m ? -70 N/m*(m.s - 0.3 m) : 0 N"}}
  push: {{type: mechanical.Force, flange: m, f: 12 N}}
)",
                       s0);
  };
  constexpr double t_end = 0.4;
  const auto on = differentiate_end(text(0.3), t_end, {"push.f"}, {"m.s"});
  ASSERT_EQ(on.notes.size(), 1u);
  EXPECT_NE(on.notes[0].find("switches: its derivatives are those of one side, that of the start"), std::string::npos)
      << on.notes[0];
  EXPECT_NE(on.notes[0].find("the run starts exactly where above.f"), std::string::npos) << on.notes[0];
  EXPECT_NEAR(at_end(on, 0, 0), (1 - std::cos(t_end * std::sqrt(40 / 1.2))) / 40, 1e-9);
  const auto beside = differentiate_end(text(0.31), t_end, {"push.f"}, {"m.s"});
  EXPECT_TRUE(beside.notes.empty()) << beside.notes[0];
}

}  // namespace
}  // namespace coenergy::tests
