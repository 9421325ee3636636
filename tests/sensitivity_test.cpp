// Derivatives to parameters against closed forms and differences of accurate runs.
#include "coenergy/analyze/sensitivity.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "coenergy/analyze/equilibrium.hpp"
#include "coenergy/io/csv.hpp"
#include "coenergy/solve/initialize.hpp"
#include "tests/program.hpp"
#include "tests/run_sensitivity.hpp"

namespace coenergy::tests {
namespace {

solve::Options recorded_run(double t_end, double output_step) {
  solve::Options options = accurate_run(t_end);
  options.output_step = output_step;
  return options;
}

const std::string rc = R"(
components:
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 5 V}
  R: {type: electrical.Resistor, p: a, n: b, R: 2 kohm}
  C: {type: electrical.Capacitor, p: b, n: gnd, C: 3 uF, v0: 1 V}
)";

TEST(Sensitivity, AChargingCapacitorHasItsClosedForm) {
  // v = U + (v0 − U) e, e = exp(−t/(R C))
  const double U = 5, R = 2e3, C = 3e-6, v0 = 1, t = 4e-3, e = std::exp(-t / (R * C));
  const auto s = differentiate_end(rc, t, {"R.R", "C.C", "U.v", "C.v0"}, {"C.v", "C.i", "R.i"});
  // 1e-11 of every step, some thirty steps
  const double by_R = (v0 - U) * e * t / (R * R * C), by_C = (v0 - U) * e * t / (R * C * C);
  EXPECT_NEAR(at_end(s, 0, 0), by_R, 1e-9 * std::abs(by_R));
  EXPECT_NEAR(at_end(s, 0, 1), by_C, 1e-9 * std::abs(by_C));
  EXPECT_NEAR(at_end(s, 0, 2), 1 - e, 1e-9);
  EXPECT_NEAR(at_end(s, 0, 3), e, 1e-9);
  // i = (U − v)/R, of the capacitor and of the resistor
  const double i_by_R = -(U - v0) * e / (R * R) - by_R / R;
  EXPECT_NEAR(at_end(s, 1, 0), i_by_R, 1e-9 * std::abs(i_by_R));
  EXPECT_NEAR(at_end(s, 2, 0), i_by_R, 1e-9 * std::abs(i_by_R));
  EXPECT_NEAR(at_end(s, 2, 3), -e / R, 1e-9 / R);
}

TEST(Sensitivity, RowsInsideStepsAreAsAccurateAsTheirNodes) {
  const auto s = differentiate_end(io::parse_model(rc, "m.yaml"), recorded_run(4e-3, 1e-4), {"R.R"}, {"C.v"});
  ASSERT_EQ(s.times.size(), 41u);
  for (std::size_t k = 0; k < s.times.size(); ++k) {
    const double t = s.times[k], exact = -4 * std::exp(-t / 6e-3) * t / (2e3 * 2e3 * 3e-6);
    EXPECT_NEAR(s.derivative(k, 0, 0), exact, 1e-8 * 1e-3) << t;  // largest value 1e-3 V/ohm
  }
}

const std::string rlc = R"yaml(
parameters: {f0: 2 kHz, z0: 30 ohm}
components:
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: "12 V*cos(9000 1/s*time)"
}
  R: {type: electrical.Resistor, p: a, n: b, R: 5 ohm}
  L: {type: electrical.Inductor, p: b, n: c, L: z0/(2*pi*f0), i0: 0.3 A}
  C: {type: electrical.Capacitor, p: c, n: gnd, C: 1/(2*pi*f0*z0)}
  Q: {type: electrical.Resistor, p: c, n: gnd, R: 200 ohm}
)yaml";

TEST(Sensitivity, AResonantCircuitAgreesWithDifferencesOfRuns) {
  const auto s = differentiate_end(rlc, 2e-3, {"R.R", "L.i0", "f0", "z0"}, {"L.i", "C.v"});
  const struct {
    std::size_t k;
    double value;
    const char *path, *unit;
  } entries[] = {{0, 5, "R.R", "ohm"}, {1, 0.3, "L.i0", "A"}, {2, 2e3, "f0", "Hz"}, {3, 30, "z0", "ohm"}};
  const char* signals[] = {"L.i", "C.v"};
  for (const auto& entry : entries)
    for (std::size_t i = 0; i < 2; ++i) {
      const double expected = difference_of_runs(rlc, 2e-3, entry.path, entry.value, entry.unit, signals[i]);
      // the differences: 1e-10 of a run by a step of 1e-3, and their fourth order for the frequency, 25 radians of
      // phase
      EXPECT_NEAR(at_end(s, i, entry.k), expected, 2e-7 * std::abs(expected) + 1e-7 / entry.value)
          << entry.path << " " << signals[i];
    }
}

TEST(Sensitivity, OtherMethodsOfIntegrationServeAsWell) {
  for (const char* method : {"dopri", "generalized-alpha"}) {
    solve::Options options = accurate_run(4e-3);
    options.method = method;
    options.step = std::string(method) == "dopri" ? 0 : 1e-6;
    if (!solve::is_adaptive(options)) options.rtol = solve::Options{}.rtol, options.atol = solve::Options{}.atol;
    const auto s = differentiate_end(io::parse_model(rc, "m.yaml"), options, {"R.R"}, {"C.v"});
    const double exact = -4 * std::exp(-4.0 / 6) * 4e-3 / (2e3 * 2e3 * 3e-6);
    // the linear equations themselves are integrated by Radau IIA; the steps are small enough for round-off to rule
    EXPECT_NEAR(at_end(s, 0, 0), exact, 1e-8 * std::abs(exact)) << method;
  }
}

TEST(Sensitivity, TheInstantOfAStepThatIsAParameterMoves) {
  // no rise: the voltage jumps at the delay d; v = U (1 − exp(−(t − d)/τ)), τ = 6 ms
  const std::string text = R"(
components:
  U: {type: electrical.PulseVoltage, p: a, n: gnd, high: 5 V, delay: 1 ms, width: 1 s}
  R: {type: electrical.Resistor, p: a, n: b, R: 2 kohm}
  C: {type: electrical.Capacitor, p: b, n: gnd, C: 3 uF}
)";
  const auto s = differentiate_end(text, 4e-3, {"U.delay", "R.R", "U.high"}, {"C.v"});
  const double e = std::exp(-3e-3 / 6e-3);
  EXPECT_NEAR(at_end(s, 0, 0), -5 / 6e-3 * e, 1e-8 * 5 / 6e-3);
  EXPECT_NEAR(at_end(s, 0, 1), -5 * e * 3e-3 / (2e3 * 2e3 * 3e-6), 1e-11);
  EXPECT_NEAR(at_end(s, 0, 2), 1 - e, 1e-9);
}

TEST(Sensitivity, AThresholdOfTheStateMovesTheSwitchingInstant) {
  // R1 until v reaches w at t1 = −τ1 ln(1 − w/U), then R1 ∥ R2: v = U − (U − w) exp(−(t − t1)/τ2)
  const std::string text = R"(
parameters: {w: 3 V}
components:
  U:  {type: electrical.VoltageSource, p: a, n: gnd, v: 5 V}
  R1: {type: electrical.Resistor, p: a, n: b, R: 2 kohm}
  S:  {type: electrical.Switch, p: a, n: c, control: C.v, threshold: 3 V, R_on: 1 ohm, R_off: 1e12 ohm}
  R2: {type: electrical.Resistor, p: c, n: b, R: 999 ohm}
  C:  {type: electrical.Capacitor, p: b, n: gnd, C: 3 uF}
)";
  const double U = 5, w = 3, R1 = 2e3, R2 = 1e3, C = 3e-6, t = 8e-3;
  const auto v = [&](double threshold, double r) {
    const double tau1 = r * C, tau2 = r * R2 / (r + R2) * C, t1 = -tau1 * std::log(1 - threshold / U);
    return U - (U - threshold) * std::exp(-(t - t1) / tau2);
  };
  const auto slope = [](const std::function<double(double)>& f, double x) {
    const double h = 1e-3 * x;
    return (8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * h);
  };
  const auto s = differentiate_end(text, t, {"S.threshold", "R1.R"}, {"C.v"});
  const double by_w = slope([&](double x) { return v(x, R1); }, w), by_R = slope([&](double x) { return v(w, x); }, R1);
  // the open switch conducts 1e-12 S beside 1e-3
  EXPECT_NEAR(at_end(s, 0, 0), by_w, 1e-7 * std::abs(by_w));
  EXPECT_NEAR(at_end(s, 0, 1), by_R, 1e-7 * std::abs(by_R));
  EXPECT_GT(std::abs(by_w), 0.01);
}

TEST(Sensitivity, RampsThatBeginAtAnEventAndSampledValuesAgreeWithDifferences) {
  // the switch remembers when it closed, the hold what it saw: discrete variables with derivatives of their own
  const std::string text = R"(
components:
  U:  {type: electrical.VoltageSource, p: a, n: gnd, v: 5 V}
  R1: {type: electrical.Resistor, p: a, n: b, R: 2 kohm}
  C:  {type: electrical.Capacitor, p: b, n: gnd, C: 3 uF}
  S:  {type: electrical.Switch, p: b, n: gnd, control: C.v, threshold: 2.5 V, R_on: 1 kohm, R_off: 100 kohm, rise: 1 ms}
  H:  {type: blocks.ZeroOrderHold, u: C.v, sample: 0.7 ms}
  V2: {type: electrical.VoltageSource, p: d, n: gnd, v: 2*H.y}
  R2: {type: electrical.Resistor, p: d, n: b, R: 5 kohm}
)";
  const auto s = differentiate_end(text, 6e-3, {"R1.R", "S.threshold"}, {"C.v"});
  const double by_R = difference_of_runs(text, 6e-3, "R1.R", 2e3, "ohm", "C.v", 1e-4),
               by_w = difference_of_runs(text, 6e-3, "S.threshold", 2.5, "V", "C.v", 1e-4);
  EXPECT_NEAR(at_end(s, 0, 0), by_R, 1e-6 * std::abs(by_R));  // 1e-10 of a run by a step of 1e-4
  EXPECT_NEAR(at_end(s, 0, 1), by_w, 1e-6 * std::abs(by_w));
  EXPECT_GT(std::abs(by_w), 1e-3);
}

TEST(Sensitivity, TheClassEAmplifierOverThreePeriods) {
  const auto end = [](const Settings& set) {
    return run_model(read_example("class_e", "class_e", set), accurate_run(30e-6)).signal("C4.v").back();
  };
  const auto s = differentiate_end(read_example("class_e", "class_e"), accurate_run(30e-6), {"L3.L", "RL.R"}, {"C4.v"});
  const double h = 232e-9, by_L = (8 * (end({{"L3.L", "232.232 uH"}}) - end({{"L3.L", "231.768 uH"}})) -
                                   (end({{"L3.L", "232.464 uH"}}) - end({{"L3.L", "231.536 uH"}}))) /
                                  (12 * h);
  const double by_R = (8 * (end({{"RL.R", "52.4524 ohm"}}) - end({{"RL.R", "52.3476 ohm"}})) -
                       (end({{"RL.R", "52.5048 ohm"}}) - end({{"RL.R", "52.2952 ohm"}}))) /
                      (12 * 0.0524);
  EXPECT_NEAR(at_end(s, 0, 0), by_L, 1e-5 * std::abs(by_L));
  EXPECT_NEAR(at_end(s, 0, 1), by_R, 1e-5 * std::abs(by_R));
}

TEST(Sensitivity, ADcMotorOnItsFlyWheel) {
  const std::string text = R"(
components:
  U:     {type: electrical.VoltageSource, p: a, n: gnd, v: 24 V}
  motor: {type: converters.DcMachine, p: a, n: gnd, shaft: wheel.shaft, k: 50 mV.s/rad, R: 1.2 ohm, L: 2 mH}
  wheel: {type: mechanical.Inertia, J: 1e-4 kg.m2}
  brake: {type: mechanical.RotationalDamper, a: wheel.shaft, b: ground, d: 1e-5 N.m.s/rad}
)";
  const auto s = differentiate_end(text, 0.05, {"wheel.J", "motor.k", "motor.L"}, {"wheel.w", "wheel.phi"});
  const struct {
    const char *path, *unit;
    double value;
  } entries[] = {{"wheel.J", "kg.m2", 1e-4}, {"motor.k", "V.s/rad", 0.05}, {"motor.L", "H", 2e-3}};
  for (std::size_t k = 0; k < 3; ++k) {
    const double by_w = difference_of_runs(text, 0.05, entries[k].path, entries[k].value, entries[k].unit, "wheel.w"),
                 by_phi =
                     difference_of_runs(text, 0.05, entries[k].path, entries[k].value, entries[k].unit, "wheel.phi");
    EXPECT_NEAR(at_end(s, 0, k), by_w, 1e-7 * std::abs(by_w)) << entries[k].path;
    EXPECT_NEAR(at_end(s, 1, k), by_phi, 1e-7 * std::abs(by_phi)) << entries[k].path;
  }
}

TEST(Sensitivity, ARunFromRestStartsWithTheDerivativesOfItsRest) {
  // at rest v = U Q/(R + Q): nothing changes afterwards
  model::Model model = io::parse_model(R"(
components:
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 5 V}
  R: {type: electrical.Resistor, p: a, n: b, R: 2 kohm}
  C: {type: electrical.Capacitor, p: b, n: gnd, C: 3 uF}
  Q: {type: electrical.Resistor, p: b, n: gnd, R: 3 kohm}
)",
                                       "m.yaml");
  solve::Options options = recorded_run(1e-2, 1e-3);
  options.start = "steady";
  const auto s = differentiate_end(model, options, {"R.R", "Q.R", "C.C"}, {"C.v"});
  for (std::size_t k = 0; k < s.times.size(); ++k) {
    EXPECT_NEAR(s.derivative(k, 0, 0), -5 * 3e3 / 25e6, 1e-11);  // 6e-4 V/ohm
    EXPECT_NEAR(s.derivative(k, 0, 1), 5 * 2e3 / 25e6, 1e-11);
    EXPECT_NEAR(s.derivative(k, 0, 2), 0, 1e-6);  // V/F, of volts and microfarads
  }
}

// ---- at rest

analyze::Sensitivity differentiate_rest(const std::string& text, const std::vector<std::string>& parameters,
                                        const std::vector<std::string>& signals) {
  const model::Model model = io::parse_model(text, "m.yaml");
  const model::Registry registry = domains::make_standard_registry();
  const equations::System system = compile::compile(model, registry).system;
  equations::Evaluator evaluator(system);
  std::vector<analyze::Direction> directions;
  for (const std::string& path : parameters)
    directions.push_back(analyze::find_direction(model, registry, system, path));
  solve::Options options;
  options.start = system.nv() > 0 ? "given" : "steady";
  equations::Point point = solve::initialize(evaluator, options).point;
  if (system.nv() > 0) point = analyze::find_equilibrium(evaluator, point).point;
  return analyze::compute_static_sensitivity(evaluator, point, directions, signals);
}

TEST(Sensitivity, TheOperatingPointOfADiodeFollowsItsLaw) {
  // U = R i + n vt ln(1 + i/Is): (R + n vt/(i + Is)) di = dU − i dR
  const auto s = differentiate_rest(R"(
components:
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 5 V}
  R: {type: electrical.Resistor, p: a, n: b, R: 1 kohm}
  D: {type: electrical.Diode, p: b, n: gnd, Is: 1e-12 A, N: 1}
  C: {type: electrical.Capacitor, p: b, n: gnd, C: 1 uF}
)",
                                    {"U.v", "R.R", "C.C"}, {"R.i", "C.v"});
  const double i = s.value(0, 0), vt = 1.380649e-23 * 300.15 / 1.602176634e-19, r = vt / (i + 1e-12);
  EXPECT_NEAR(at_end(s, 0, 0), 1 / (1e3 + r), 1e-9 / 1e3);
  EXPECT_NEAR(at_end(s, 0, 1), -i / (1e3 + r), 1e-9 * i / 1e3);
  EXPECT_NEAR(at_end(s, 1, 0), r / (1e3 + r), 1e-9);
  EXPECT_NEAR(at_end(s, 0, 2), 0, 1e-12);
}

TEST(Sensitivity, TheEquilibriumOfAMassOnASpring) {
  const auto s = differentiate_rest(R"(
components:
  m: {type: mechanical.Mass, m: 2 kg}
  k: {type: mechanical.TranslationalSpringDamper, a: ground, b: m.flange, k: 50 N/m, d: 1 N.s/m}
  F: {type: mechanical.Force, flange: m.flange, f: 8 N}
)",
                                    {"k.k", "F.f", "m.m"}, {"m.s"});
  EXPECT_NEAR(at_end(s, 0, 0), -8.0 / 2500, 1e-12);
  EXPECT_NEAR(at_end(s, 0, 1), 1.0 / 50, 1e-12);
  EXPECT_NEAR(at_end(s, 0, 2), 0, 1e-12);
}

// ---- refusals and the command

std::string refusal(const std::string& text, const std::string& parameter, const std::string& signal = "C.v") {
  try {
    differentiate_end(text, 1e-3, {parameter}, {signal});
  } catch (const Error& e) {
    return e.what();
  }
  return "none";
}

TEST(Sensitivity, WhatCannotBeDifferentiatedIsRefused) {
  EXPECT_EQ(refusal(rc, "R.r"), "parameter R.r: electrical.Resistor has no entry \"r\"; did you mean R?");
  EXPECT_EQ(refusal(rc, "RR.R"), "parameter RR.R: the model has no component \"RR\"; did you mean R?");
  EXPECT_EQ(refusal(rlc, "f1"),
            "parameter f1: the model has no such parameter; did you mean f0?; an entry of a component is written "
            "component.entry");
  EXPECT_EQ(refusal(rlc, "U.v"), "parameter U.v: it is no number, so that nothing can be differentiated to it");
  EXPECT_EQ(refusal(rc, "R.R", "C.u"), "signal C.u: there is no such signal; did you mean C.v?");
  const std::string points = R"(
parameters: {top: 4 V}
components:
  U: {type: electrical.PwlVoltage, p: b, n: gnd, times: [0 s, 1 s], values: [0 V, top]}
  C: {type: electrical.Capacitor, p: b, n: gnd, C: 3 uF}
)";
  EXPECT_EQ(refusal(points, "top"),
            "parameter top: it is built into the equations by U.values[1]; compare runs by the verb sweep instead");
}

TEST(Sensitivity, TheCommandPrintsAndWrites) {
  const Folder folder;
  const std::string model = (folder / "rc.yaml").string(), csv = (folder / "out.csv").string();
  folder.write("rc.yaml", rc + "simulate: {t_end: 4 ms, method: radau, output_step: 1 ms, rtol: 1e-10, atol: 1e-12}\n");
  const Outcome outcome = run_program({"sensitivity", model, "--parameter", "R.R", "--signal", "C.v", "-o", csv});
  ASSERT_EQ(outcome.status, 0) << outcome.all();
  EXPECT_NE(outcome.output.find("V/ohm"), std::string::npos) << outcome.output;
  const io::CsvData data = io::read_csv(csv);
  EXPECT_EQ(data.names, (std::vector<std::string>{"time", "C.v", "d(C.v)/d(R.R)"}));
  EXPECT_EQ(data.rows(), 5u);
  const Outcome json = run_program({"sensitivity", model, "--op", "--parameter", "U.v", "--json"});
  ASSERT_EQ(json.status, 0) << json.all();
  const auto j = nlohmann::json::parse(json.output);
  EXPECT_NEAR(j["signals"]["C.v"]["derivatives"]["U.v"].get<double>(), 1, 1e-9);
  EXPECT_NEAR(j["signals"]["R.i"]["derivatives"]["U.v"].get<double>(), 0, 1e-9);
  const Outcome wrong = run_program({"sensitivity", model, "--parameter", "R.r"});
  EXPECT_EQ(wrong.status, 2);
  // through the constraints of a closed loop too
  const Outcome linkage =
      run_program({"sensitivity", COENERGY_SOURCE_DIR "/examples/04_four_bar_pid/four_bar_pid.yaml", "--parameter",
                   "control.kp", "--signal", "hinge.q", "--set", "simulate.t_end=0.1"});
  EXPECT_EQ(linkage.status, 0) << linkage.all();
  const Outcome point = run_program({"sensitivity", model, "--steady", "--parameter", "R.R"});
  EXPECT_EQ(point.status, 2);
  EXPECT_NE(point.all().find("name an operating point: they need --op or --frequency"), std::string::npos)
      << point.all();
}

TEST(Sensitivity, AFirstSampleIsTakenFromTheComparisonsOfTheStart) {
  // the hold keeps 3 U² of the start for 1 s; a comparison nobody had made yet would give it U
  const std::string text = R"model(
components:
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 5 V}
  R: {type: electrical.Resistor, p: a, n: gnd, R: 1 ohm}
  H: {type: blocks.ZeroOrderHold, u: "if(time < 0.5 s, 3*(R.v/(1 V))^2, R.v/(1 V))", sample: 1 s}
  I: {type: blocks.Integrator, u: H.y}
)model";
  const auto s = differentiate_end(text, 0.8, {"U.v"}, {"H.y", "I.y"});
  EXPECT_NEAR(s.values[s.values.size() - 2], 75, 1e-12);
  EXPECT_NEAR(at_end(s, 0, 0), 30, 1e-10);
  EXPECT_NEAR(at_end(s, 1, 0), 0.8 * 30, 1e-9);
}

TEST(Sensitivity, ASampleThatMovesSeesWhatTimeHasChanged) {
  // the duty 0.3 + 0.1 t is sampled at the delay D: the pulse is 0.3 + 0.1 D long, and so is its integral
  const std::string text = R"(
components:
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 0.3 V + 0.1 V/s*time}
  R: {type: electrical.Resistor, p: a, n: gnd, R: 1 ohm}
  P: {type: electrical.Pwm, duty: R.v/(1 V), period: 1 s, delay: 0.4 s}
  I: {type: blocks.Integrator, u: P.y}
)";
  const auto s = differentiate_end(text, 1.2, {"P.delay"}, {"I.y"});
  EXPECT_NEAR(s.values.back(), 0.34, 1e-10);
  EXPECT_NEAR(at_end(s, 0, 0), 0.1, 1e-9);
}

TEST(Sensitivity, WhatOnlyIntegratesStaysWhereItIsInAnOperatingPoint) {
  const model::Registry registry = domains::make_standard_registry();
  const model::Model model = io::parse_model(R"(
components:
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 5 V}
  R: {type: electrical.Resistor, p: a, n: gnd, R: 2 ohm}
  I: {type: blocks.Integrator, u: R.i/(1 A), y0: 0.5}
)",
                                             "m.yaml");
  const equations::System system = compile::compile(model, registry).system;
  equations::Evaluator evaluator(system);
  const solve::Start start = solve::initialize(evaluator, {.start = "steady"});
  ASSERT_TRUE(start.good) << start.text;
  const auto s = analyze::compute_static_sensitivity(
      evaluator, start.point, {analyze::find_direction(model, registry, system, "U.v")}, {"I.y", "R.i"}, true);
  EXPECT_EQ(s.values[0], 0.5);
  EXPECT_EQ(at_end(s, 0, 0), 0);
  EXPECT_NEAR(at_end(s, 1, 0), 0.5, 1e-12);
}

}  // namespace
}  // namespace coenergy::tests
