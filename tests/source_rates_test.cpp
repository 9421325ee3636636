// Sources that fix capacitor voltages and inductor currents: their rates in operating points and linear models.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <nlohmann/json.hpp>
#include <numbers>

#include "tests/program.hpp"

namespace coenergy::tests {
namespace {

using Complex = std::complex<double>;

nlohmann::json run_json(const std::string& file, const std::string& text, std::vector<std::string> arguments) {
  const Folder folder;
  arguments.insert(arguments.begin() + 1, folder.write(file, text));
  arguments.push_back("--json");
  const Outcome outcome = run_program(arguments);
  EXPECT_EQ(outcome.status, 0) << outcome.all();
  return nlohmann::json::parse(outcome.output, nullptr, false);
}

Complex phasor(const nlohmann::json& row, const std::string& name) {
  return std::polar(row[name + " magnitude"].get<double>(),
                    row[name + " phase"].get<double>() * std::numbers::pi / 180);
}

// what is left of 1 is rounding: the linear solves have condition numbers below 1e4
constexpr double round_off = 1e-12;

TEST(SourceRates, ACapacitiveDividerHasItsTransferFunction) {
  const auto j = run_json(
      "divider.cir", "divider\nV1 a 0 DC 3 AC 1\nC1 a b 1n\nC2 b 0 3n\nR1 b 0 1k\n.ac dec 1 1k 10meg\n.end\n", {"run"});
  ASSERT_EQ(j["ac"][0].size(), 5u);
  for (const auto& row : j["ac"][0]) {
    const Complex s(0, 2 * std::numbers::pi * row["frequency"].get<double>()), h = 1e-9 * s / (4e-9 * s + 1e-3);
    EXPECT_LT(std::abs(phasor(row, "b.v") - h), round_off);
    EXPECT_LT(std::abs(phasor(row, "V1.i") + 1e-9 * s * (1.0 - h)), round_off);
  }
}

TEST(SourceRates, ACapacitorAcrossASourceTakesItsCurrentInAnAcAnalysis) {
  const auto j = run_json("across.cir",
                          "across\nV1 a 0 AC 2 90\nC1 a 0 1u\nR1 a b 1k\nC2 b 0 1u\n.ac lin 1 1k 1k\n.end\n", {"run"});
  const Complex s(0, 2e3 * std::numbers::pi), v(0, 2);
  EXPECT_LT(std::abs(phasor(j["ac"][0][0], "C1.i") - v * s * 1e-6), round_off);
  EXPECT_LT(std::abs(phasor(j["ac"][0][0], "V1.i") + v * (s * 1e-6 + 1.0 / (1e3 + 1e6 / s))), round_off);
}

TEST(SourceRates, AnInductorBehindACurrentSourceHasItsVoltage) {
  const auto j = run_json("series.cir", "series\nI1 0 a AC 1\nL1 a b 2m\nR1 b 0 5\n.ac lin 1 1k 1k\n.end\n", {"run"});
  EXPECT_LT(std::abs(phasor(j["ac"][0][0], "a.v") - Complex(5, 4 * std::numbers::pi)), 13 * round_off);
}

const std::string divider = R"yaml(
components:
  U1: {type: electrical.VoltageSource, p: a, n: gnd, v: 1 V}
  C1: {type: electrical.Capacitor, p: a, n: b, C: 1 nF}
  C2: {type: electrical.Capacitor, p: b, n: gnd, C: 3 nF}
  R1: {type: electrical.Resistor, p: b, n: gnd, R: 1 kohm}
)yaml";

TEST(SourceRates, ALinearModelHasMatricesForTheRatesOfItsInputs) {
  const auto j =
      run_json("divider.yaml", divider, {"linearize", "--input", "U1.v", "--output", "b.v", "--output", "U1.i"});
  EXPECT_NEAR(j["A"][0][0].get<double>(), -1 / (1e3 * 4e-9), 1e-9 / (1e3 * 4e-9));
  EXPECT_EQ(j["B"][0][0].get<double>(), 0);
  EXPECT_NEAR(j["E"][0][0].get<double>(), 0.25, round_off);
  // −C1 d(v_a − v_b)/dt, of which ¼ is in the rate of the state
  EXPECT_EQ(j["F"][0][0].get<double>(), 0);
  EXPECT_NEAR(j["F"][1][0].get<double>(), -0.75e-9, 1e-9 * round_off);
  const auto bode =
      run_json("divider.yaml", divider,
               {"bode", "--input", "U1.v", "--output", "b.v", "--from", "1e5", "--to", "1e5", "--points", "1"});
  const Complex s(0, 2e5 * std::numbers::pi), h = 1e-9 * s / (4e-9 * s + 1e-3);
  EXPECT_NEAR(bode["rows"][0]["real"].get<double>(), h.real(), round_off);
  EXPECT_NEAR(bode["rows"][0]["imaginary"].get<double>(), h.imag(), round_off);
}

TEST(SourceRates, AModelWithoutThemShowsNoMatricesForRates) {
  const std::string rc = R"yaml(
components:
  U1: {type: electrical.VoltageSource, p: a, n: gnd, v: 1 V}
  R1: {type: electrical.Resistor, p: a, n: b, R: 1 kohm}
  C1: {type: electrical.Capacitor, p: b, n: gnd, C: 1 nF}
)yaml";
  const auto j = run_json("rc.yaml", rc, {"linearize", "--input", "U1.v"});
  EXPECT_FALSE(j.contains("E"));
}

const std::string sine =
    "  U1: {type: electrical.VoltageSource, p: a, n: gnd, v: \"2 V + 1 V*sin(2*pi*1 kHz*time)\"}\n";
const std::string series = "components:\n" + sine + R"yaml(
  C1: {type: electrical.Capacitor, p: a, n: b, C: 1 uF}
  R1: {type: electrical.Resistor, p: b, n: gnd, R: 1 kohm}
  L1: {type: electrical.Inductor, p: b, n: gnd, L: 1 mH}
)yaml";
const std::string loop = "components:\n" + sine + R"yaml(
  C1: {type: electrical.Capacitor, p: a, n: b, C: 1 uF}
  C2: {type: electrical.Capacitor, p: b, n: gnd, C: 1 uF}
  R1: {type: electrical.Resistor, p: b, n: gnd, R: 1 kohm}
)yaml";

TEST(SourceRates, NothingChangesInAnOperatingPoint) {
  for (const std::string& circuit : {series, loop}) {
    const auto op = run_json("sine.yaml", circuit, {"op"});
    for (const char* name : {"U1.i", "C1.i", "R1.i", "b.v"})
      EXPECT_NEAR(op["signals"][name].get<double>(), 0, 1e-12) << name;
    EXPECT_NEAR(op["signals"]["C1.v"].get<double>(), 2, 1e-12);
  }
}

TEST(SourceRates, ARunFromAnOperatingPointBeginsWithTheRatesOfItsSources) {
  // all of dU/dt is across C1 and C2, half of it each; the charge at the start is that of the rest
  const std::string text = loop + "simulate: {start: steady, t_end: 1e-12 s, method: radau}\n";
  const auto j = run_json("run.yaml", text, {"run"});
  EXPECT_NEAR(j["final"]["C1.i"].get<double>(), std::numbers::pi * 1e-3, 1e-9);
  EXPECT_NEAR(j["final"]["b.v"].get<double>(), 0, 1e-8);  // ½ dU/dt in 1 ps
}

TEST(SourceRates, AFrequencyResponseHasTheDirectPartOfTheRate) {
  // the current of a source with a capacitor across it and another behind a resistor
  const std::string text = R"yaml(
components:
  U1: {type: electrical.VoltageSource, p: a, n: gnd, v: 1 V}
  C1: {type: electrical.Capacitor, p: a, n: gnd, C: 2 nF}
  R1: {type: electrical.Resistor, p: a, n: b, R: 1 kohm}
  C2: {type: electrical.Capacitor, p: b, n: gnd, C: 3 nF}
)yaml";
  const auto bode =
      run_json("across.yaml", text,
               {"bode", "--input", "U1.v", "--output", "U1.i", "--from", "1e5", "--to", "1e5", "--points", "1"});
  const Complex s(0, 2e5 * std::numbers::pi), y = -(2e-9 * s + 3e-9 * s / (1.0 + 3e-6 * s));
  EXPECT_NEAR(bode["rows"][0]["real"].get<double>(), y.real(), round_off * std::abs(y));
  EXPECT_NEAR(bode["rows"][0]["imaginary"].get<double>(), y.imag(), round_off * std::abs(y));
}

}  // namespace
}  // namespace coenergy::tests
