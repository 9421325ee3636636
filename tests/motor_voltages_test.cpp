// Voltages of motors that make a motion, fed back as sources.
#include <cmath>

#include "coenergy/analyze/state_inputs.hpp"
#include "coenergy/io/csv.hpp"
#include "coenergy/solve/initialize.hpp"
#include "coenergy/solve/simulate.hpp"
#include "tests/inline_model.hpp"
#include "tests/program.hpp"

namespace coenergy::tests {
namespace {

constexpr double step = 1e-3, end = 1.2;

/// The arm of examples/two_link with drives in its joints, or with voltages in their place.
model::Model make_arm(bool is_driven) {
  model::Model model = read_example("two_link", "two_link");
  if (is_driven) {
    model.set("joint1.drive", "0.3 rad*sin(2 1/s*time)^3");
    model.set("joint2.drive", "0.5 rad*sin(1.5 1/s*time)^3");
  }
  model.set("U1.v", "0 V");
  model.set("U2.v", "0 V");
  return model;
}

struct Rows : solve::Observer {
  explicit Rows(analyze::StateInputs& inputs) : inputs(inputs) {}
  void row(const equations::Point& p) override {
    if (!times.empty() && p.t == times.back()) return;
    times.push_back(p.t);
    EXPECT_TRUE(inputs.add(p)) << p.t;
  }
  analyze::StateInputs& inputs;
  std::vector<double> times;
};

TEST(MotorVoltages, FedBackAsSourcesReproduceTheMotion) {
  // the motion by drives, and what voltages would make it
  const compile::Compiled driven =
      compile::compile(make_arm(true), domains::make_standard_registry(), {.inputs = {"U1.v", "U2.v"}});
  equations::Evaluator evaluator(driven.system), running(driven.system);
  solve::Options options;
  options.method = "radau", options.rtol = 1e-11, options.atol = 1e-12;
  options.t_end = end, options.output_step = step;
  analyze::StateInputs inputs(evaluator, solve::initialize(evaluator).point,
                              {driven.system.find_parameter("U1.v"), driven.system.find_parameter("U2.v")});
  EXPECT_EQ(inputs.states(), (std::vector<std::string>{"motor1.i", "motor2.i"}));
  Rows rows(inputs);
  solve::Hooks hooks;
  hooks.observer = &rows;
  ASSERT_EQ(solve::simulate(running, options, hooks).status, solve::Status::done);
  const auto found = inputs.compute();
  ASSERT_TRUE(found.has_value());

  // the arm without drives on sources that follow them
  model::Model free = make_arm(false);
  std::string tables = "components:\n";
  for (int k = 0; k < 2; ++k) {
    std::string times, values;
    for (std::size_t row = 0; row < rows.times.size(); ++row) {
      char text[64];
      std::snprintf(text, sizeof text, "%s%.17g", row == 0 ? "" : ", ", rows.times[row]), times += text;
      std::snprintf(text, sizeof text, "%s%.17g", row == 0 ? "" : ", ", (*found)(static_cast<int>(row), k)),
          values += text;
    }
    tables += "  t" + std::to_string(k + 1) + ": {type: blocks.Table, u: [time], x1: [" + times + "], values: [" +
              values + "], interpolation: cubic}\n";
    free.set("U" + std::to_string(k + 1) + ".v", "t" + std::to_string(k + 1) + ".y");
    free.set("motor" + std::to_string(k + 1) + ".i0", std::to_string((*found)(0, 2 + k)));
  }
  for (const model::Component& c : io::parse_model(tables, "tables.yaml").components) free.components.push_back(c);
  const solve::Result r = run_model(free, options);
  const std::vector<double> a = r.signal("joint1.q"), b = r.signal("joint2.q");
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double t = r.times[k];
    ASSERT_NEAR(a[k], 0.3 * std::pow(std::sin(2 * t), 3), 1e-8) << t;
    ASSERT_NEAR(b[k], 0.5 * std::pow(std::sin(1.5 * t), 3), 1e-8) << t;
  }
}

TEST(MotorVoltages, AreToldByTheProgram) {
  const Folder folder;
  const std::string shaft =
      "components:\n  shaft: {type: mechanical.Inertia, J: 0.5 kg.m2}\n"
      "  drive: {type: mechanical.RotationalMotion, flange: shaft, phi: \"1 rad*time^3/(1 s)^3\"}\n"
      "  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 0 V}\n"
      "  motor: {type: converters.DcMachine, p: a, n: gnd, shaft: shaft, k: 0.2 V.s/rad, R: 3 ohm, L: 0.4 H}\n";
  const std::string simulate = "simulate: {t_end: 1 s, output_step: 0.05 s, method: radau, rtol: 1e-10, atol: 1e-12}\n";
  const std::string file = folder.write("motor.yaml", shaft + simulate);
  const Outcome outcome = run_program({"inverse", file, "--actuated", "U.v", "-o", (folder / "u.csv").string()});
  ASSERT_EQ(outcome.status, 0) << outcome.all();
  const auto data = io::read_csv(folder / "u.csv");
  const std::vector<double> t = data.column("time"), u = data.column("U.v"), i = data.column("motor.i");
  ASSERT_EQ(t.size(), 21u);
  // i = J φ̈/k = 15 A/s t, u = R i + L di/dt + k φ̇
  for (std::size_t k = 0; k < t.size(); ++k) {
    EXPECT_NEAR(i[k], 15 * t[k], 1e-8) << t[k];
    EXPECT_NEAR(u[k], 45 * t[k] + 6 + 0.6 * t[k] * t[k], 1e-7) << t[k];
  }
  // a filter before the motor: its capacitor is moved by the source, and the current no more at once
  std::string filtered = shaft;
  filtered.replace(filtered.find("p: a, n: gnd, shaft"), 19, "p: b, n: gnd, shaft");
  filtered +=
      "  Rf: {type: electrical.Resistor, p: a, n: b, R: 1 ohm}\n  Cf: {type: electrical.Capacitor, p: b, n: gnd, C: 1 "
      "mF}\n";
  const Outcome refused =
      run_program({"inverse", folder.write("filtered.yaml", filtered + simulate), "--actuated", "U.v"});
  EXPECT_NE(refused.status, 0);
  EXPECT_NE(refused.message.find("motor.i"), std::string::npos) << refused.message;
}

}  // namespace
}  // namespace coenergy::tests
