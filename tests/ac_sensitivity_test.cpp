// Derivatives of magnitudes and phases in a steady oscillation, against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <nlohmann/json.hpp>
#include <numbers>

#include "tests/program.hpp"

namespace coenergy::tests {
namespace {

using Complex = std::complex<double>;

nlohmann::json find_sensitivity(const std::string& text, std::vector<std::string> arguments) {
  const Folder folder;
  arguments.insert(arguments.begin(), {"sensitivity", folder.write("m.yaml", text), "--json"});
  const Outcome outcome = run_program(arguments);
  EXPECT_EQ(outcome.status, 0) << outcome.all();
  return nlohmann::json::parse(outcome.output, nullptr, false);
}

// differences of fourth order over 1e-3 of a value: 1e-12 of what is differentiated, rounding 1e-13 over 1e-3
constexpr double accuracy = 1e-8;

const std::string lowpass = R"(
components:
  U1: {type: electrical.VoltageSource, p: a, n: gnd, v: 0 V}
  R1: {type: electrical.Resistor, p: a, n: b, R: 1 kohm}
  C1: {type: electrical.Capacitor, p: b, n: gnd, C: 100 nF}
)";

TEST(AcSensitivity, OfALowPassIsTheDerivativeOfItsTransferFunction) {
  const auto j = find_sensitivity(lowpass, {"--frequency", "2e3", "--input", "U1.v", "--signal", "b.v", "--parameter",
                                            "R1.R", "--parameter", "C1.C"});
  const double R = 1e3, C = 100e-9;
  const Complex s(0, 4e3 * std::numbers::pi), h = 1.0 / (1.0 + s * R * C);
  EXPECT_NEAR(j["signals"]["b.v"]["magnitude"].get<double>(), std::abs(h), 1e-12);
  EXPECT_NEAR(j["signals"]["b.v"]["phase"].get<double>(), std::arg(h) * 180 / std::numbers::pi, 1e-10);
  for (const auto& [name, slope, value] :
       {std::tuple("R1.R", -s * C * h * h, R), std::tuple("C1.C", -s * R * h * h, C)}) {
    const auto& found = j["signals"]["b.v"]["derivatives"][name];
    const double magnitude = (std::conj(h) * slope).real() / std::abs(h), phase = (slope / h).imag();
    EXPECT_NEAR(found["magnitude"].get<double>() * value, magnitude * value, accuracy) << name;
    EXPECT_NEAR(found["phase"].get<double>() * value, phase * value * 180 / std::numbers::pi, 60 * accuracy) << name;
  }
}

TEST(AcSensitivity, TheOperatingPointFollowsTheParameter) {
  // gain r/(R + r) with r = V/(I + Is) at the current I that R lets through: dI/dR = −I/(R + r)
  const auto j = find_sensitivity(
      R"(
components:
  U1: {type: electrical.VoltageSource, p: a, n: gnd, v: 5 V}
  R1: {type: electrical.Resistor, p: a, n: b, R: 1 kohm}
  D1: {type: electrical.Diode, p: b, n: gnd, Is: 1e-14 A, gmin: 0 S}
)",
      {"--frequency", "50", "--input", "U1.v", "--signal", "b.v", "--parameter", "R1.R"});
  const double V = 1.380649e-23 * 300.15 / 1.602176634e-19, Is = 1e-14, R = 1e3;
  double I = 4e-3;
  for (int k = 0; k < 50; ++k) I = (5 - V * std::log(1 + I / Is)) / R;
  const double r = V / (I + Is), slope_I = -I / (R + r), slope_r = -V / ((I + Is) * (I + Is)) * slope_I;
  EXPECT_NEAR(j["signals"]["b.v"]["magnitude"].get<double>(), r / (R + r), 1e-9);
  const double expected = (slope_r * R - r) / ((R + r) * (R + r));
  EXPECT_NEAR(j["signals"]["b.v"]["derivatives"]["R1.R"]["magnitude"].get<double>() * R, expected * R,
              1e-6 * std::abs(expected) * R);  // the current above is right to 1e-10, and 5 V/V enlarges it
}

TEST(AcSensitivity, IsShownAsATable) {
  const Folder folder;
  const std::string model = folder.write("m.yaml", lowpass);
  const Outcome outcome = run_program(
      {"sensitivity", model, "--frequency", "1e3", "--input", "U1.v", "--signal", "b.v", "--parameter", "R1.R"});
  EXPECT_EQ(outcome.status, 0) << outcome.all();
  for (const char* word : {"f = 1000 Hz", "d magnitude", "d phase deg", "V/ohm"})
    EXPECT_NE(outcome.output.find(word), std::string::npos) << word << "\n" << outcome.output;
}

TEST(AcSensitivity, MistakesAreNamed) {
  const Folder folder;
  const std::string model = folder.write("m.yaml", lowpass);
  const std::pair<std::vector<std::string>, const char*> cases[] = {
      {{"--frequency", "1e3"}, "--frequency needs an --input that oscillates, such as --input U1.v"},
      {{"--frequency", "1e3", "--input", "U2.v"}, "--input U2.v: there is no such parameter; did you mean U1.v?"},
      {{"--frequency", "1e3", "--input", "U1.v", "--signal", "bb.v"},
       "--signal bb.v: there is no such signal; did you mean b.v?"}};
  for (const auto& [more, message] : cases) {
    std::vector<std::string> arguments = {"sensitivity", model, "--parameter", "R1.R"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = run_program(arguments);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_NE(outcome.message.find(message), std::string::npos) << outcome.message;
  }
}

TEST(AcSensitivity, AParameterOfTheModelActsThroughAllEntriesThatUseIt) {
  // R = 2 r and C = c0 (r/1 kohm): H = 1/(1 + s R C), R C = 2 c0 r²/(1 kohm)
  const std::string text = R"(
parameters: {r: 1 kohm}
components:
  U1: {type: electrical.VoltageSource, p: a, n: gnd, v: 0 V}
  R1: {type: electrical.Resistor, p: a, n: b, R: 2*r}
  C1: {type: electrical.Capacitor, p: b, n: gnd, C: 100 nF*(r/(1 kohm))}
)";
  const auto j =
      find_sensitivity(text, {"--frequency", "2e3", "--input", "U1.v", "--signal", "b.v", "--parameter", "r"});
  const Complex s(0, 4e3 * std::numbers::pi), h = 1.0 / (1.0 + s * 200e-6), slope = -s * 400e-9 * h * h;
  EXPECT_NEAR(j["signals"]["b.v"]["derivatives"]["r"]["magnitude"].get<double>() * 1e3,
              (std::conj(h) * slope).real() / std::abs(h) * 1e3, accuracy);
}

TEST(AcSensitivity, ASpeedLeadsItsAngleByAQuarterOfAPeriod) {
  // a torque of 4 N.m/V on J φ'' + d φ' + k φ; φ = 4 U/(J s² + d s + k), ω = s φ, ∂ω/∂d = −s ω/(J s² + d s + k)
  const auto j = find_sensitivity(R"(
components:
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 0 V}
  R: {type: electrical.Resistor, p: a, n: gnd, R: 2 ohm}
  T: {type: mechanical.Torque, flange: shaft, tau: 4 N.m/V*R.v}
  J: {type: mechanical.Inertia, shaft: shaft, J: 0.7 kg.m2}
  K: {type: mechanical.RotationalSpringDamper, a: ground, b: shaft, k: 5 N.m/rad, d: 0.6 N.m.s/rad}
)",
                                  {"--frequency", "0.3", "--input", "U.v", "--signal", "J.w", "--parameter", "K.d"});
  const Complex s(0, 0.6 * std::numbers::pi), z = 0.7 * s * s + 0.6 * s + 5.0, w = 4.0 * s / z, slope = -s * w / z;
  const auto& found = j["signals"]["J.w"];
  EXPECT_NEAR(found["magnitude"].get<double>(), std::abs(w), 1e-12);
  EXPECT_NEAR(found["phase"].get<double>(), std::arg(w) * 180 / std::numbers::pi, 1e-10);
  EXPECT_NEAR(found["derivatives"]["K.d"]["magnitude"].get<double>(), (std::conj(w) * slope).real() / std::abs(w),
              accuracy);
}

}  // namespace
}  // namespace coenergy::tests
