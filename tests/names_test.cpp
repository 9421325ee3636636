// One table of names: whatever a model can record stands in expressions, plots and linear models too, and whatever an
// entry is bound to, it can be an input.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <filesystem>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <set>
#include <sstream>

#include "coenergy/analyze/direction.hpp"
#include "coenergy/analyze/linearize.hpp"
#include "coenergy/base/names.hpp"
#include "coenergy/io/csv.hpp"
#include "coenergy/io/run_report.hpp"
#include "coenergy/model/expand.hpp"
#include "coenergy/solve/initialize.hpp"
#include "tests/every_example.hpp"
#include "tests/inline_model.hpp"
#include "tests/program.hpp"

namespace coenergy::tests {
namespace {

INSTANTIATE_TEST_SUITE_P(Names, EveryExample, testing::ValuesIn(example_files()), name_of);

std::vector<std::string> signal_names(const equations::System& system) {
  std::vector<std::string> names;
  for (const equations::SignalInfo& s : system.signals()) names.push_back(s.name);
  return names;
}

/// The model with a block for every signal whose output is that signal, as an expression sees it.
model::Model add_probes(model::Model model, const std::vector<std::string>& names) {
  for (std::size_t k = 0; k < names.size(); ++k)
    model.add("probe" + std::to_string(k), "blocks.Gain", {{"u", names[k]}, {"k", "1"}});
  return model;
}

std::string probe(std::size_t k) { return "probe" + std::to_string(k) + ".y"; }

TEST_P(EveryExample, PutsEverySignalIntoAnExpression) {
  model::Model model = read_flat(GetParam());
  model.energy = true;  // with the account there are more signals
  const std::vector<std::string> names = signal_names(compile_model(model));
  const equations::System system = compile_model(add_probes(model, names));
  equations::Evaluator evaluator(system);
  const solve::Start start = solve::initialize(evaluator, io::read_simulation_options(model));
  ASSERT_TRUE(start.good) << start.text;
  std::vector<double> values(system.signals().size());
  evaluator.signals(start.point, values);
  for (std::size_t k = 0; k < names.size(); ++k) {
    const double value = values[system.get_signal(names[k], "")], seen = values[system.get_signal(probe(k), "")];
    // an unknown that stands for the signal is solved to the tolerance of the start
    EXPECT_NEAR(seen, value, 1e-9 * (1 + std::abs(value))) << names[k];
  }
}

TEST_P(EveryExample, RecordsAndPlotsEverySignalByItsName) {
  model::Model model = read_flat(GetParam());
  const compile::Compiled compiled = compile::compile(model, domains::make_standard_registry());
  const equations::System& system = compiled.system;
  solve::Options options = io::read_simulation_options(model);
  options.signals = signal_names(system);
  // one row is enough: the run is not what is looked at
  solve::Hooks hooks;
  hooks.progress = [](const solve::Progress&) { return false; };
  const solve::Result result = solve::simulate(system, options, hooks);
  EXPECT_EQ(result.names, options.signals);
  for (const equations::SignalInfo& s : system.signals()) {
    EXPECT_FALSE(s.owner().empty()) << s.name << " belongs to no one";
    EXPECT_EQ(s.name[s.owner().size()], '.') << s.name;
  }
  // a plot of each, and the page that is drawn from them
  model.plots.clear();
  for (const std::string& name : options.signals) model.plots.emplace_back(std::vector<model::Value>{name});
  const Report report = io::make_report(model, compiled, options, result);
  ASSERT_EQ(report.plots.size(), options.signals.size());
  for (std::size_t k = 0; k < report.plots.size(); ++k)
    EXPECT_EQ(report.plots[k].signals, std::vector<std::string>{options.signals[k]});
  ASSERT_EQ(report.signals.size(), options.signals.size());
  for (std::size_t k = 0; k < report.signals.size(); ++k) {
    EXPECT_EQ(report.signals[k].name, options.signals[k]);
    EXPECT_EQ(report.signals[k].unit, system.signals()[k].unit);
    EXPECT_GE(report.signals[k].values.size(), 1u) << options.signals[k];
  }
  const std::string page = to_json(report);  // throws where a plot names no signal
  for (const std::string& name : options.signals) EXPECT_NE(page.find("\"" + name + "\""), std::string::npos) << name;
}

TEST_P(EveryExample, TakesEverySignalAsAnOutputOfTheLinearModel) {
  // but for the energy account, which is refused (AnEnergyIsNoOutputOfALinearModel)
  model::Model model = read_flat(GetParam());
  model.energy = false;
  const std::vector<std::string> names = signal_names(compile_model(model));
  const equations::System system = compile_model(add_probes(model, names));
  equations::Evaluator evaluator(system);
  const solve::Start start = solve::initialize(evaluator, io::read_simulation_options(model));
  ASSERT_TRUE(start.good) << start.text;
  std::vector<std::string> outputs = names;
  for (std::size_t k = 0; k < names.size(); ++k) outputs.push_back(probe(k));
  const analyze::StateSpace linear = analyze::linearize(evaluator, start.point, {}, outputs).model;
  ASSERT_EQ(linear.outputs, outputs);
  const int n = static_cast<int>(names.size());
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < linear.c.columns; ++j) {
      const double c = linear.c(k, j);
      EXPECT_TRUE(std::isfinite(c)) << names[k] << " by " << linear.states[j];
      // the same derivative, through the unknown that stands for the signal
      double largest = 1;
      for (int i = 0; i < linear.c.columns; ++i) largest = std::max(largest, std::abs(linear.c(k, i)));
      EXPECT_NEAR(linear.c(n + k, j), c, 1e-8 * largest) << names[k] << " by " << linear.states[j];
    }
}

TEST(LinearModel, AnEnergyIsNoOutputOfALinearModel) {
  const std::string text =
      "components:\n"
      "  R1: {type: electrical.Resistor, p: a, n: gnd, R: 3 ohm}\n"
      "  C1: {type: electrical.Capacitor, p: a, n: gnd, C: 0.2 F, v0: 4 V}\n"
      "energy: true\n";
  equations::Evaluator evaluator(compile_model(io::parse_model(text, "m.yaml")));
  const solve::Start start = solve::initialize(evaluator, {});
  for (const std::string name : {"energy.supplied", "energy.dissipated", "energy.stored"}) {
    try {
      analyze::linearize(evaluator, start.point, {}, {name});
      FAIL() << name;
    } catch (const Error& e) {
      EXPECT_EQ(e.what(), name + " cannot be an output: the energy account is no part of a linear model");
    }
  }
}

// ---- expressions of signals that are known last

/// The last value of a signal of a model given as text.
double end_of(const std::string& text, double t_end, const std::string& signal) {
  return run_text(text, t_end, t_end).signal(signal).back();
}

TEST(Expressions, FrictionTakesItsNormalForceFromAReaction) {
  // v = v0 - mu g t
  const std::string text =
      "components:\n"
      "  gravity: {type: multibody.Gravity, g: [0, 0, -9.81]}\n"
      "  slide: {type: multibody.Prismatic, parent: ground, child: block, axis: x, qd0: 3 m/s, reaction: true}\n"
      "  block: {type: multibody.Body, mass: 5 kg}\n"
      "  brake: {type: mechanical.Force, flange: slide.shaft, f: \"-0.2*abs(slide.fz)*tanh(slide.qd/(0.1 mm/s))\"}\n";
  EXPECT_NEAR(end_of(text, 1, "slide.qd"), 3 - 0.2 * 9.81, 1e-7);
  std::string in_words = text;
  in_words.replace(in_words.find("true"), 4, "yes");
  EXPECT_EQ(end_of(in_words, 1, "slide.qd"), end_of(text, 1, "slide.qd"));
  EXPECT_NEAR(end_of(text + "formulation: absolute\n", 1, "slide.qd"), 3 - 0.2 * 9.81, 1e-7);
  EXPECT_EQ(error_of(text + "formulation: lagrange\n"),
            "m.yaml:5:69: brake.f: slide.fz: Lagrange's equations do not show reactions; use formulation: auto");
}

TEST(Expressions, AForceByTheAccelerationIsAnAddedMass) {
  const std::string text =
      "components:\n"
      "  slide: {type: multibody.Prismatic, parent: ground, child: block, axis: x}\n"
      "  block: {type: multibody.Body, mass: 4 kg}\n"
      "  push: {type: mechanical.Force, flange: slide.shaft, f: \"9 N - 0.5 kg*slide.qdd\"}\n";
  EXPECT_NEAR(end_of(text, 2, "slide.q"), 9 / 4.5 * 2, 1e-8);
}

TEST(Expressions, TheStoredEnergyMayFeedBack) {
  // C v' = 1 A (1 - C v²/2 / 1 J) with C = 2 F: v = tanh(t/2)
  const std::string text =
      "components:\n"
      "  I1: {type: electrical.CurrentSource, p: gnd, n: a, i: \"1 A*(1 - energy.stored/(1 J))\"}\n"
      "  C1: {type: electrical.Capacitor, p: a, n: gnd, C: 2 F}\n"
      "energy: true\n";
  EXPECT_NEAR(end_of(text, 1.5, "C1.v"), std::tanh(0.75), 1e-8);
  EXPECT_NEAR(end_of(text, 1.5, "energy.stored"), std::pow(std::tanh(0.75), 2), 1e-8);
}

// ---- inputs that are cut open

const std::string servo =
    "parameters: {Km: 60 mV.s/rad, N: 4, r: 25 mm}\n"
    "components:\n"
    "  slide: {type: multibody.Prismatic, parent: ground, child: cart, axis: x}\n"
    "  cart: {type: multibody.Body, mass: 8 kg}\n"
    "  rack: {type: mechanical.RackPinion, pinion: gear, rack: slide.shaft, r: r}\n"
    "  g: {type: mechanical.IdealGear, a: rotor, b: gear, ratio: N}\n"
    "  rotor: {type: mechanical.Inertia, J: 5e-5 kg.m2}\n"
    "  motor: {type: converters.DcMachine, p: u, n: gnd, shaft: rotor, k: Km, R: 0.7 ohm, L: 1 mH}\n"
    "  U: {type: electrical.VoltageSource, p: u, n: gnd, v: current.y}\n"
    "  speed: {type: blocks.SampledPid, reference: 20 rad/s, measure: rotor.w, kp: 0.5 A.s/rad, sample: 1 ms}\n"
    "  current: {type: blocks.Pid, reference: speed.y, measure: motor.i, kp: 2 V/A, ki: 900 V/A/s, limit: 48 V}\n"
    "simulate: {t_end: 0.1 s, method: radau}\n";

TEST(Inputs, AnInputBoundToAControllerIsCutOpen) {
  const Folder folder;
  const std::string file = folder.write("servo.yaml", servo);
  const Outcome text = run_program({"bode", file, "--input", "U.v", "--output", "rotor.w", "--points", "3"});
  ASSERT_EQ(text.status, 0) << text.message;
  EXPECT_EQ(text.output.find("operating point: the start of the run, t = 0 s"), 0u) << text.output;
  EXPECT_NE(text.output.find("\nopened: U.v (was current.y)\n"), std::string::npos) << text.output;

  // w/u = k/((R + L s) J s + k²) with J = rotor + m (r/N)²
  const double k = 0.06, R = 0.7, L = 1e-3, J = 5e-5 + 8 * std::pow(0.025 / 4, 2);
  const Outcome json = run_program({"bode", file, "--input", "U.v", "--output", "rotor.w", "--from", "0.5", "--to",
                                    "500", "--points", "7", "--json"});
  ASSERT_EQ(json.status, 0) << json.message;
  const nlohmann::json answer = nlohmann::json::parse(json.output), rows = answer["rows"];
  EXPECT_EQ(answer["opened"]["U.v"], "current.y");
  ASSERT_EQ(rows.size(), 7u);
  for (const auto& row : rows) {
    const std::complex<double> s(0, 2 * M_PI * row["frequency"].get<double>());
    const std::complex<double> h = k / ((R + L * s) * J * s + k * k);
    EXPECT_NEAR(row["real"].get<double>(), h.real(), 1e-6 * std::abs(h));
    EXPECT_NEAR(row["imaginary"].get<double>(), h.imag(), 1e-6 * std::abs(h));
  }
}

TEST(Inputs, AnAxisOfAGantryIsCutOpenAtItsAmplifier) {
  const std::string file = COENERGY_SOURCE_DIR "/../shared/findings/user/gantry.yaml";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << file << " is not there";
  const Outcome o = run_program({"bode", file, "--input", "Ux.v", "--output", "rotorx.w", "--points", "5"});
  ASSERT_EQ(o.status, 0) << o.message;
  EXPECT_NE(o.output.find("\nopened: Ux.v (was curx.y)\n"), std::string::npos) << o.output;
  EXPECT_NE(o.output.find("sampled with the common period 0.001 s"), std::string::npos) << o.output;
  EXPECT_NE(o.message.find("friction sticks and holds its motion in the linear model: xslide, yslide"),
            std::string::npos)
      << o.message;
  std::size_t rows = 0;
  for (std::size_t at = 0; (at = o.output.find("rotorx.w/Ux.v", at)) != std::string::npos; ++at) ++rows;
  EXPECT_EQ(rows, 5u) << o.output;
}

TEST(Inputs, TheLoopStaysClosedWithoutTheInputAndInModes) {
  const Folder folder;
  const std::string closed = folder.write("closed.yaml", servo),
                    declared = folder.write("m.yaml", servo + "inputs: U.v\n");
  const auto read = [](const Outcome& o) { return nlohmann::json::parse(o.output); };
  const nlohmann::json a = read(run_program({"linearize", closed, "--json"})),
                       b = read(run_program({"linearize", declared, "--json"}));
  EXPECT_FALSE(a.contains("opened"));
  EXPECT_EQ(b["opened"]["U.v"], "current.y");
  EXPECT_NE(a["A"], b["A"]);
  EXPECT_EQ(run_program({"modes", closed}).output, run_program({"modes", declared}).output);
}

TEST(Inputs, DeclaredInputsAndOutputsAreTheDefaults) {
  const Folder folder;
  const std::string file = folder.write("servo.yaml", servo + "inputs: [U.v]\noutputs: [rotor.w, motor.i]\n");
  const Outcome given = run_program({"linearize", file, "--json"});
  ASSERT_EQ(given.status, 0) << given.message;
  const nlohmann::json j = nlohmann::json::parse(given.output);
  EXPECT_EQ(j["inputs"], nlohmann::json({"U.v"}));
  EXPECT_EQ(j["outputs"], nlohmann::json({"rotor.w", "motor.i"}));
  EXPECT_EQ(run_program({"ac", file, "--frequency", "5"}).status, 0);
  const Outcome none = run_program({"bode", folder.write("none.yaml", servo)});
  EXPECT_EQ(none.status, 2);
  // notes about the operating point may stand before it
  EXPECT_TRUE(none.message.ends_with(
      "a frequency response needs an input: name one, such as --input U1.v, or declare inputs: in the model\n"))
      << none.message;
}

TEST(Inputs, NamesThatAreNoneAreRefusedWithTheNearest) {
  const Folder folder;
  const std::string file = folder.write("servo.yaml", servo);
  const Outcome o = run_program({"linearize", file, "--input", "U.w"});
  EXPECT_EQ(o.status, 2);
  EXPECT_NE(o.message.find("there is no entry \"U.w\" to be an input; did you mean U.v?"), std::string::npos)
      << o.message;
}

TEST(Inputs, InverseDynamicsTellsTheInputThatMakesTheMotion) {
  // the force is bound to a spring-like law; the motion 0.1 sin(3 t) needs f = m a
  const Folder folder;
  const std::string text =
      "components:\n"
      "  slide: {type: multibody.Prismatic, parent: ground, child: cart, axis: x}\n"
      "  cart: {type: multibody.Body, mass: 6 kg}\n"
      "  push: {type: mechanical.Force, flange: slide.shaft, f: \"-40 N/m*slide.q\"}\n"
      "simulate: {t_end: 1 s, method: radau}\n";
  std::string motion = "time,slide.q,slide.qd,slide.qdd\n";
  for (int k = 0; k <= 10; ++k) {
    const double t = 0.1 * k;
    motion += format_number(t) + "," + format_number(0.1 * std::sin(3 * t)) + "," +
              format_number(0.3 * std::cos(3 * t)) + "," + format_number(-0.9 * std::sin(3 * t)) + "\n";
  }
  const std::string result = (folder / "forces.csv").string();
  const Outcome o = run_program({"inverse", folder.write("m.yaml", text), "--input", "push.f", "--motion",
                                 folder.write("motion.csv", motion), "-o", result});
  ASSERT_EQ(o.status, 0) << o.message;
  EXPECT_EQ(o.output.find("opened: push.f (was -40 N/m*slide.q)\n"), 0u) << o.output;
  const io::CsvData data = io::read_csv(result);
  const std::vector<double> times = data.column("time"), f = data.column("push.f");
  for (std::size_t k = 0; k < times.size(); ++k) EXPECT_NEAR(f[k], -6 * 0.9 * std::sin(3 * times[k]), 1e-9);
  const Outcome both =
      run_program({"inverse", folder.write("m.yaml", text), "--input", "push.f", "--actuated", "slide"});
  EXPECT_EQ(both.message, "--input and --actuated both say what makes the motion; give one of them\n");
}

TEST(Inputs, GeneratedCodeTakesTheInputAsAnArgument) {
  const Folder folder;
  const std::string text =
      "components:\n"
      "  hinge: {type: multibody.Revolute, parent: ground, child: arm, axis: z}\n"
      "  arm: {type: multibody.Body, mass: 2 kg, com: [0.4, 0, 0], inertia: [0.1, 0.1, 0.1]}\n"
      "  drive: {type: mechanical.Torque, flange: hinge.shaft, tau: \"3 N.m*sin(time/(1 s))\"}\n";
  const Outcome o = run_program({"generate", folder.write("arm.yaml", text), "--function", "forward-dynamics",
                                 "--input", "drive.tau", "-o", (folder / "code").string()});
  ASSERT_EQ(o.status, 0) << o.message;
  EXPECT_NE(o.output.find("opened: drive.tau (was 3 N.m*sin(time/(1 s)))"), std::string::npos) << o.output;
}

// ---- the README's own model and commands

/// The first block of the README in a language.
std::string readme_block(const std::string& language, const std::string& part) {
  const std::string text = read_text(COENERGY_SOURCE_DIR "/README.md");
  for (std::size_t begin = text.find("```" + language + "\n"); begin != std::string::npos;
       begin = text.find("```" + language + "\n", begin + 1)) {
    const std::size_t first = begin + 4 + language.size(), end = text.find("```", first);
    if (text.substr(first, end - first).find(part) != std::string::npos) return text.substr(first, end - first);
  }
  return "";
}

TEST(Readme, ItsCommandsRunOnItsModel) {
  const Folder folder;
  const std::string model = folder.write("motor.yaml", readme_block("yaml", "DcMachine"));
  const std::set<std::string> files = {"motor.yaml", "motor.csv", "motor.html", "motor.state"};
  std::istringstream lines(readme_block("sh", "motor.yaml"));
  int count = 0;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line.substr(0, line.find(" #")));
    std::vector<std::string> arguments;
    for (std::string word; words >> std::quoted(word);)
      arguments.push_back(files.contains(word) ? (folder / word).string() : word);
    if (std::find(arguments.begin(), arguments.end(), model) == arguments.end()) continue;
    const Outcome o = run_program({arguments.begin() + 1, arguments.end()});
    EXPECT_EQ(o.status, 0) << line << "\n" << o.message;
    ++count;
  }
  EXPECT_GE(count, 8);
}

TEST(Readme, ItsLinearModelIsThatOfTheMotor) {
  // i' = (u - R i - k w)/L, w' = k i/J; u is an expression of time, and an input all the same
  const Folder folder;
  const std::string model = folder.write("motor.yaml", readme_block("yaml", "DcMachine"));
  const Outcome o = run_program({"bode", model, "--input", "U1.v", "--output", "wheel.w", "--from", "1", "--to", "100",
                                 "--points", "3", "--json"});
  ASSERT_EQ(o.status, 0) << o.message;
  const double k = 0.05, R = 1.2, L = 2e-3, J = 1e-4;
  const nlohmann::json answer = nlohmann::json::parse(o.output);
  for (const auto& row : answer["rows"]) {
    const std::complex<double> s(0, 2 * M_PI * row["frequency"].get<double>());
    const double expected = std::abs(k / ((R + L * s) * J * s + k * k));
    EXPECT_NEAR(row["decibel"].get<double>(), 20 * std::log10(expected), 1e-6);
  }
}

}  // namespace
}  // namespace coenergy::tests
