// Operating points mean the same in every verb; free shafts turn in a steady one.
#include "coenergy/analyze/steady_motion.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/inline_model.hpp"
#include "tests/program.hpp"

namespace coenergy::tests {
namespace {

const std::string drive = R"(
parameters: {U: 20 V, R: 0.9 ohm, k: 70 mV.s/rad, d: 4e-4 N.m.s/rad, Tl: 1.5 N.m}
components:
  U1:    {type: electrical.VoltageSource, p: a, n: gnd, v: U}
  motor: {type: converters.DcMachine, p: a, n: gnd, shaft: m, k: k, R: R, L: 3 mH}
  rotor: {type: mechanical.Inertia, shaft: m, J: 2e-4 kg.m2}
  brake: {type: mechanical.RotationalDamper, a: ground, b: m, d: d}
  gear:  {type: mechanical.IdealGear, a: m, b: wheel.shaft, ratio: 12}
  wheel: {type: mechanical.Inertia, J: 0.05 kg.m2}
  load:  {type: mechanical.Torque, flange: wheel.shaft, tau: -Tl}
simulate: {t_end: 1 s}
)";

/// U = R i + k w, k i = d w + T/12, w of the motor.
double speed(double U, double R, double k, double d, double T) { return (k * U / R - T / 12) / (k * k / R + d); }

nlohmann::json run_json(std::vector<std::string> arguments) {
  arguments.push_back("--json");
  const Outcome outcome = run_program(arguments);
  EXPECT_EQ(outcome.status, 0) << outcome.all();
  return nlohmann::json::parse(outcome.output, nullptr, false);
}

TEST(SteadyMotion, AGearedDriveTurnsAtTheSpeedOfItsBalance) {
  equations::Evaluator evaluator(compile_model(io::parse_model(drive, "m.yaml")));
  const analyze::SteadyMotion found = analyze::find_steady_motion(evaluator, {});
  ASSERT_TRUE(found.good) << found.text;
  EXPECT_EQ(found.free.columns, 1);
  std::vector<double> values(evaluator.system().signals().size());
  evaluator.signals(found.point, values);
  const double w = speed(20, 0.9, 0.07, 4e-4, 1.5);
  EXPECT_NEAR(values[evaluator.system().find_signal("rotor.w")], w, 1e-9 * w);
  EXPECT_NEAR(values[evaluator.system().find_signal("wheel.w")], w / 12, 1e-9 * w);
  EXPECT_NEAR(values[evaluator.system().find_signal("motor.i")], (20 - 0.07 * w) / 0.9, 1e-9);
}

TEST(SteadyMotion, ItsDerivativesAreThoseOfTheBalance) {
  const Folder folder;
  const std::string file = folder.write("drive.yaml", drive);
  const auto j =
      run_json({"sensitivity", file, "--op", "--parameter", "Tl", "--parameter", "k", "--signal", "rotor.w"});
  const auto& by = j["signals"]["rotor.w"]["derivatives"];
  const double h = 1e-4;
  const auto slope = [&](auto&& f) { return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h); };
  const double by_T = slope([](double x) { return speed(20, 0.9, 0.07, 4e-4, 1.5 + x); }),
               by_k = slope([](double x) { return speed(20, 0.9, 0.07 + x, 4e-4, 1.5); });
  EXPECT_NEAR(by["Tl"].get<double>(), by_T, 1e-8 * std::abs(by_T));
  EXPECT_NEAR(by["k"].get<double>(), by_k, 1e-7 * std::abs(by_k));
}

TEST(SteadyMotion, AMassThatNothingSlowsHasNoSteadySpeed) {
  equations::Evaluator evaluator(compile_model(io::parse_model(R"(
components:
  m: {type: mechanical.Mass, m: 2 kg}
  F: {type: mechanical.Force, flange: m.flange, f: 8 N}
)",
                                                               "m.yaml")));
  const analyze::SteadyMotion found = analyze::find_steady_motion(evaluator, {});
  EXPECT_FALSE(found.good);
  EXPECT_NE(found.text.find("there are no steady speeds: nothing limits m"), std::string::npos) << found.text;
}

TEST(OperatingPoints, MeanTheSameInBodeAndSensitivity) {
  const Folder folder;
  const std::string file = folder.write("pendulum.yaml", R"(
components:
  gr: {type: multibody.Gravity, g: [0, -9.81, 0]}
  j: {type: multibody.Revolute, parent: ground, child: b, q0: 0.8, damping: 0.3, torque: 0 N.m, parent_angles: [0, 0, -90 deg]}
  b: {type: multibody.Body, mass: 1.2, com: [0.4, 0, 0], inertia: [0, 0, 0.02]}
simulate: {t_end: 1 s}
)");
  for (const char* point : {"", "--equilibrium", "--steady", "--at=0.3"}) {
    std::vector<std::string> bode{"bode",   file,  "--input", "j.torque", "--output", "j.q",
                                  "--from", "0.6", "--to",    "0.6",      "--points", "1"},
        slope{"sensitivity", file,       "--frequency", "0.6",         "--input",
              "j.torque",    "--signal", "j.q",         "--parameter", "j.damping"};
    if (*point) bode.push_back(point), slope.push_back(point);
    const double decibel = run_json(bode)["rows"][0]["decibel"].get<double>(),
                 magnitude = run_json(slope)["signals"]["j.q"]["magnitude"].get<double>();
    EXPECT_NEAR(20 * std::log10(magnitude), decibel, 1e-9) << point;
  }
  EXPECT_EQ(run_json({"modes", file, "--equilibrium"})["operating_point"]["kind"], "equilibrium");
}

TEST(OperatingPoints, ThatContradictOrDoNotExistAreRefused) {
  const Folder folder;
  const std::string file = folder.write("drive.yaml", drive);
  const struct {
    std::vector<std::string> arguments;
    const char* text;
  } wrong[] = {{{"--at", "-1"}, "--at -1: the run starts at 0 s; give that time or a later one"},
               {{"--at", "0.2", "--equilibrium"}, "--at excludes --equilibrium"},
               {{"--steady", "--equilibrium"}, "excludes"},
               {{"-n", "-3"}, "--count: Value -3 not in range 1 to 1000000"}};
  for (const auto& [arguments, text] : wrong) {
    std::vector<std::string> words{"modes", file};
    words.insert(words.end(), arguments.begin(), arguments.end());
    const Outcome outcome = run_program(words);
    EXPECT_EQ(outcome.status, 2) << outcome.all();
    EXPECT_NE(outcome.all().find(text), std::string::npos) << outcome.all();
  }
  const Outcome rms = run_program({"ac", file, "--input", "U1.v", "--frequency", "3", "--rms", "-1"});
  EXPECT_EQ(rms.status, 2);
  EXPECT_NE(rms.all().find("--rms: -1 must be a number > 0"), std::string::npos) << rms.all();
}

}  // namespace
}  // namespace coenergy::tests
