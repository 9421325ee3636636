// Analyses of circuits against closed forms.
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "coenergy/analyze/periodic.hpp"
#include "tests/example_run.hpp"
#include "tests/program.hpp"

namespace coenergy::tests {
namespace {

nlohmann::json run_json(std::vector<std::string> arguments) {
  arguments.push_back("--json");
  const Outcome outcome = run_program(arguments);
  EXPECT_EQ(outcome.status, 0) << outcome.all();
  return nlohmann::json::parse(outcome.output, nullptr, false);
}
const std::string rlc = COENERGY_SOURCE_DIR "/examples/rlc_filter/rlc_filter.yaml";

TEST(Analyses, TheOperatingPointOfTheFilterIsItsSteadyState) {
  const auto j = run_json({"op", rlc});
  EXPECT_NEAR(j["signals"]["C1.v"].get<double>(), 7, 1e-9);
  EXPECT_NEAR(j["signals"]["L1.i"].get<double>(), 1, 1e-9);
}

TEST(Analyses, TheSteadyStateOfAFilterAt50HzIsThatOfItsImpedances) {
  // series R1 + jωL, then R2 ∥ C; 230 V
  const auto j = run_json({"ac", rlc, "--input", "U1.v", "--frequency", "50", "--rms", "230"});
  using C = std::complex<double>;
  const double w = 100 * std::numbers::pi;
  const C load = 1.0 / (1.0 / 7 + C(0, w * 3e-6)), total = 5.0 + C(0, w * 2e-3) + load, i = 230.0 / total;
  auto signal = [&](const char* name) { return C(j["signals"][name]["real"], j["signals"][name]["imaginary"]); };
  EXPECT_LT(std::abs(signal("L1.i") - i), 1e-10 * std::abs(i));
  EXPECT_LT(std::abs(signal("C1.v") - i * load), 1e-10 * 230);
  EXPECT_NEAR(j["signals"]["L1.i"]["rms"].get<double>(), std::abs(i), 1e-10 * std::abs(i));
  // average powers: R1 and R2 take what the source gives; L and C take none
  EXPECT_NEAR(j["powers"]["R1"]["active"].get<double>(), 5 * std::norm(i), 1e-9 * std::norm(i));
  EXPECT_NEAR(j["powers"]["C1"]["active"].get<double>(), 0, 1e-7);
  EXPECT_NEAR(j["powers"]["U1"]["active"].get<double>(), -(230.0 * std::conj(i)).real(), 1e-6);
}

TEST(Analyses, TheFrequencyResponseOfTheFilterIsItsTransferFunction) {
  const auto j = run_json(
      {"bode", rlc, "--input", "U1.v", "--output", "C1.v", "--from", "10", "--to", "1e6", "--points", "7"})["rows"];
  ASSERT_EQ(j.size(), 7u);
  for (const auto& row : j) {
    const std::complex<double> s(0, 2 * std::numbers::pi * row["frequency"].get<double>());
    const auto h = 1.0 / (2e-3 * 3e-6 * s * s + (2e-3 / 7 + 5 * 3e-6) * s + 1.0 + 5.0 / 7);
    EXPECT_NEAR(row["real"].get<double>(), h.real(), 1e-10 * std::abs(h));
    EXPECT_NEAR(row["imaginary"].get<double>(), h.imag(), 1e-10 * std::abs(h));
  }
}

TEST(Analyses, ASweepOfTheLoadShowsTheDivider) {
  const auto j = run_json(
      {"sweep", rlc, "--op", "--parameter", "R2.R", "--value", "5", "--value", "15", "--signal", "C1.v"})["rows"];
  ASSERT_EQ(j.size(), 2u);
  EXPECT_NEAR(j[0]["signals"]["C1.v"].get<double>(), 6, 1e-9);
  EXPECT_NEAR(j[1]["signals"]["C1.v"].get<double>(), 9, 1e-9);
}

TEST(Periodic, TheClassEAmplifierReachesItsPeriodicState) {
  const model::Model model = read_example("class_e", "class_e");
  equations::Evaluator evaluator(compile_model(model));
  const analyze::Periodic found =
      analyze::find_periodic(evaluator, io::read_simulation_options(model), {.period = 10e-6});
  ASSERT_TRUE(found.good) << found.text;
  // class-E amplifier, comparison C3 of EUROSIM
  const double state[] = {0.261095033257, 0.010829560409, 0.044494451713, -14.371087241852};
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(found.point.x[k], state[k], 1e-6 * std::abs(state[k])) << k;
  // of four states, and what the switch remembers until it switches next
  ASSERT_GE(found.multipliers.size(), 4u);
  // 0.31863, -0.15879 ± 0.35720 i, 0, to the digits given
  EXPECT_NEAR(std::abs(found.multipliers[0]), std::hypot(0.15879, 0.35720), 2e-5);
  EXPECT_NEAR(found.multipliers[0].real(), -0.15879, 2e-5);
  EXPECT_NEAR(found.multipliers[2].real(), 0.31863, 2e-5);
  EXPECT_NEAR(std::abs(found.multipliers[3]), 0, 1e-5);
}

TEST(Periodic, ALinearCircuitFollowsItsPhasor) {
  // R L at 1 rad/s with 1 V: i(0) = Im(1/(R + jL)) = -L/(R² + L²), multiplier exp(-R T/L)
  const model::Model model = io::parse_model(R"(
components:
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 1 V*sin(1 1/s*time)}
  R: {type: electrical.Resistor, p: a, n: b, R: 1 ohm}
  L: {type: electrical.Inductor, p: b, n: gnd, L: 2 H}
)",
                                             "m.yaml");
  equations::Evaluator evaluator(compile_model(model));
  const double period = 2 * std::numbers::pi;
  const auto found =
      analyze::find_periodic(evaluator, {.method = "radau", .rtol = 1e-11, .atol = 1e-12}, {.period = period});
  ASSERT_TRUE(found.good) << found.text;
  EXPECT_NEAR(found.point.x[0], -2.0 / 5, 1e-9);
  EXPECT_NEAR(found.multipliers[0].real(), std::exp(-period / 2), 1e-7);
}

TEST(Periodic, TheVanDerPolOscillatorHasItsPeriod) {
  // C v̇ = −i − (v³/3 − v), L i̇ = v with L = C = 1: v̈ − (1 − v²) v̇ + v = 0
  const model::Model model = io::parse_model(R"yaml(
components:
  C: {type: electrical.Capacitor, p: a, n: gnd, C: 1 F, v0: 2 V}
  L: {type: electrical.Inductor, p: a, n: gnd, L: 1 H}
  R: {type: electrical.NonlinearResistor, p: a, n: gnd, i: "1 A*((R.v/(1 V))^3/3 - R.v/(1 V))"}
)yaml",
                                             "m.yaml");
  equations::Evaluator evaluator(compile_model(model));
  const auto found = analyze::find_periodic(evaluator, {.method = "radau", .rtol = 1e-11, .atol = 1e-12},
                                            {.period = 6.5, .free = true});
  ASSERT_TRUE(found.good) << found.text;
  EXPECT_NEAR(found.period, 6.6632868593231, 1e-8);
  EXPECT_NEAR(found.multipliers[0].real(), 1, 1e-5);  // along the orbit
  EXPECT_LT(std::abs(found.multipliers[1]), 1e-3);    // exp of −∮(v² − 1) dt: strongly attracting
}

TEST(Analyses, PhasorsOfRatesLeadByAQuarterOfAPeriod) {
  // the current of a capacitor is jωC times its voltage, a speed jω times its angle
  const Folder folder;
  const std::string file = folder.write("motor.yaml", R"(
components:
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 0 V}
  R: {type: electrical.Resistor, p: a, n: b, R: 2 ohm}
  C: {type: electrical.Capacitor, p: b, n: gnd, C: 0.3 F}
  T: {type: mechanical.Torque, flange: shaft, tau: 4 N.m/V*C.v}
  J: {type: mechanical.Inertia, shaft: shaft, J: 0.7 kg.m2}
  K: {type: mechanical.RotationalSpringDamper, a: ground, b: shaft, k: 5 N.m/rad, d: 0.6 N.m.s/rad}
)");
  const auto j = run_json({"ac", file, "--input", "U.v", "--frequency", "0.3", "--rms", "1"});
  using C = std::complex<double>;
  const C s(0, 0.6 * std::numbers::pi), v = 1.0 / (1.0 + 0.6 * s), phi = 4.0 * v / (0.7 * s * s + 0.6 * s + 5.0);
  const auto expect = [&](const char* name, C expected) {
    const C found(j["signals"][name]["real"], j["signals"][name]["imaginary"]);
    EXPECT_LT(std::abs(found - expected), 1e-12) << name << " " << found << " instead of " << expected;
  };
  expect("C.v", v);
  expect("C.i", 0.3 * s * v);
  expect("J.phi", phi);
  expect("J.w", s * phi);
}

}  // namespace
}  // namespace coenergy::tests
