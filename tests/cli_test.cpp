// The command line as a user or a script meets it: verbs, options, exit status, files and messages.
#include <gtest/gtest.h>

#include <fcntl.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "coenergy/domains/standard.hpp"
#include "coenergy/io/csv.hpp"
#include "coenergy/io/output_file.hpp"
#include "tests/charged_capacitor.hpp"
#include "tests/program.hpp"

namespace coenergy::tests {
namespace {

const std::string circuit = charged_capacitor +
                            "simulate: {t_end: 50 ms, method: generalized-alpha, step: 1 ms}\n"
                            "plots: [[C1.v, U1.v], [R1.i]]\n";

const std::string pendulum =
    "components:\n"
    "  gravity: {type: multibody.Gravity, g: [0, -9.81, 0]}\n"
    "  pivot: {type: multibody.Revolute, parent: ground, child: bob, q0: 30 deg}\n"
    "  bob: {type: multibody.Body, mass: 1 kg, com: [0, -1, 0], shape: {sphere: 60 mm, at: [0, -1, 0]}}\n"
    "simulate: {t_end: 0.2 s, method: generalized-alpha, step: 10 ms}\n";

class Cli : public testing::Test {
 protected:
  Outcome call(std::vector<std::string> arguments) const { return run_program(arguments); }
  io::CsvData read_result() const { return io::read_csv(result_); }

  const Folder folder_;
  const std::string model_ = folder_.write("circuit.yaml", circuit);
  const std::string result_ = (folder_ / "out.csv").string();
};

::testing::AssertionResult contains(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "\"" << part << "\" is not in:\n" << text;
}

// ---- netlists

const std::string netlist =
    "a capacitor is charged\n"
    "V1 a 0 5\n"
    "R1 a b 10\n"
    "C1 b 0 1m\n"
    ".tran 1m 50m uic\n"
    ".print tran v(b)\n"
    ".end\n";

TEST_F(Cli, NetlistRunsItsOwnTransientAnalysis) {
  const std::string file = folder_.write("circuit.cir", netlist);
  const Outcome outcome = call({"run", file, "-o", result_});
  ASSERT_EQ(outcome.status, 0) << outcome.all();
  const io::CsvData data = read_result();
  ASSERT_EQ(data.rows(), 51u);
  const std::vector<double> t = data.column("time"), v = data.column("b.v");
  // the tolerance of a run is 1e-6; its error is that of a few steps
  for (std::size_t k = 0; k < t.size(); ++k) EXPECT_NEAR(v[k], 5 * (1 - std::exp(-t[k] / 10e-3)), 5e-6) << t[k];
}

TEST_F(Cli, NetlistServesTheOtherVerbsToo) {
  const std::string file = folder_.write("circuit.cir", netlist);
  EXPECT_TRUE(contains(call({"check", file}).output, "states                    1"));
  EXPECT_TRUE(contains(call({"equations", file}).output, "C1"));
  EXPECT_TRUE(contains(call({"list", file}).output, "b.v"));
  const Outcome modes = call({"modes", file});
  EXPECT_EQ(modes.status, 0) << modes.all();
  EXPECT_TRUE(contains(modes.output, "-100"));
}

TEST_F(Cli, NetlistWithoutTranSaysWhatIsMissing) {
  std::string text = netlist;
  text.erase(text.find(".tran"), 17);
  const std::string file = folder_.write("circuit.cir", text);
  const Outcome outcome = call({"run", file});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_TRUE(contains(outcome.message,
                       "circuit.cir: the netlist has no .tran, .op, .dc or .ac card; write one, or give --t-end"));
  EXPECT_EQ(call({"run", file, "--t-end", "1 ms"}).status, 0);
}

// ---- run

TEST_F(Cli, RunWritesNamesUnitsAndRows) {
  const Outcome outcome = call({"run", model_, "-o", result_});
  ASSERT_EQ(outcome.status, 0) << outcome.all();
  EXPECT_TRUE(contains(outcome.output, "reached t = 0.05 s"));
  EXPECT_TRUE(contains(outcome.output, "result: " + result_));
  const std::string text = read_text(result_);
  EXPECT_TRUE(text.starts_with("time,")) << text.substr(0, 80);
  const std::string second = text.substr(text.find('\n') + 1, 2);
  EXPECT_EQ(second, "s,");
  const io::CsvData data = read_result();
  EXPECT_EQ(data.rows(), 51u);
  const auto column = std::find(data.names.begin(), data.names.end(), "C1.v");
  ASSERT_NE(column, data.names.end());
  EXPECT_EQ(data.units[column - data.names.begin()], "V");
  // 5 V (1 − exp(−t/RC)) by the generalised-alpha method of order 2 with steps of a tenth of RC
  EXPECT_NEAR(data.column("C1.v").back(), 5 * (1 - std::exp(-5)), 5e-4);
}

TEST_F(Cli, OptionsOfTheCallWinOverTheFile) {
  ASSERT_EQ(
      call({"run", model_, "-o", result_, "--t-end", "20 ms", "--step", "0.1 ms", "--output-step", "5 ms"}).status, 0);
  const std::vector<double> times = read_result().column("time");
  ASSERT_EQ(times.size(), 5u);
  EXPECT_NEAR(times[1], 5e-3, 1e-12);
  EXPECT_EQ(times.back(), 0.02);
}

TEST_F(Cli, PlainNumbersOfOptionsAreSeconds) {
  ASSERT_EQ(call({"run", model_, "-o", result_, "--t-end", "0.02", "--step", "1e-3", "--output-step", "1e-2"}).status,
            0);
  EXPECT_EQ(read_result().rows(), 3u);
}

TEST_F(Cli, SetChangesAnEntryAndAParameter) {
  for (const char* set : {"R1.R=100 ohm", "Rtotal=100 ohm"}) {
    ASSERT_EQ(call({"run", model_, "-o", result_, "--set", set}).status, 0);
    // a charge after half the time constant of 0.1 s
    EXPECT_NEAR(read_result().column("C1.v").back(), 5 * (1 - std::exp(-0.5)), 1e-4) << set;
  }
}

TEST_F(Cli, SeveralSetsAndTheModelMayStandInAnyOrder) {
  const Outcome outcome = call({"run", "--set", "R1.R=100 ohm", "--set", "U1.v=10 V", model_, "-o", result_});
  ASSERT_EQ(outcome.status, 0) << outcome.all();
  EXPECT_NEAR(read_result().column("C1.v").back(), 10 * (1 - std::exp(-0.5)), 2e-4);
}

TEST_F(Cli, SetTakesListsNestedEntriesAndOptions) {
  const std::string model = folder_.write("pendulum.yaml", pendulum);
  const Outcome outcome =
      call({"run", model, "-o", result_, "--set", "bob.com=[0, -2 m, 0]", "--set", "bob.shape.sphere=10 mm", "--set",
            "simulate.t_end=0.1", "--set", "formulation=absolute"});
  ASSERT_EQ(outcome.status, 0) << outcome.all();
  const io::CsvData data = read_result();
  EXPECT_EQ(data.column("time").back(), 0.1);
  // q̈ = −g/l sin q at the start, with l = 2 m
  EXPECT_NEAR(data.column("pivot.qdd")[0], -9.81 / 2 * 0.5, 1e-9);
}

TEST_F(Cli, MethodsAgree) {
  for (const char* method :
       {"generalized-alpha", "radau", "esdirk", "backward-euler", "dopri", "dop853", "rk4", "trapez", "euler"}) {
    const Outcome outcome = call({"run", model_, "-o", result_, "--method", method, "--step", "0.05 ms"});
    ASSERT_EQ(outcome.status, 0) << method << ": " << outcome.all();
    // forward and backward Euler are the least exact: h/(2 RC) · t/RC · exp(−t/RC) · 5 V = 4e-4 V
    EXPECT_NEAR(read_result().column("C1.v").back(), 5 * (1 - std::exp(-5)), 1e-3) << method;
  }
}

TEST_F(Cli, JsonTellsStatusStatisticsAndFinalValues) {
  const Outcome outcome = call({"run", model_, "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.all();
  const auto j = nlohmann::json::parse(outcome.output);
  EXPECT_EQ(j["status"], "done");
  EXPECT_EQ(j["rows"], 51);
  EXPECT_GE(j["steps"], 50);
  EXPECT_NEAR(j["final"]["C1.v"].get<double>(), 5 * (1 - std::exp(-5)), 5e-4);
  EXPECT_EQ(j["final"]["time"], 0.05);
}

TEST_F(Cli, QuietRunPrintsNothing) { EXPECT_EQ(call({"run", model_, "-q"}).all(), ""); }

TEST_F(Cli, ReportIsOnePageWithTheData) {
  const std::string page = (folder_ / "report.html").string();
  const Outcome outcome = call({"run", model_, "--report", page});
  ASSERT_EQ(outcome.status, 0) << outcome.all();
  const std::string html = read_text(page);
  EXPECT_TRUE(contains(html, "a capacitor is charged"));
  EXPECT_TRUE(contains(html, "\"C1.v\""));
  EXPECT_EQ(html.find("@COENERGY_DATA@"), std::string::npos);
}

TEST_F(Cli, FailedRunKeepsItsRowsAndIsStatus1) {
  const std::string model = folder_.write("escape.yaml",
                                          "components:\n  x: {type: blocks.Integrator, u: x.y*x.y, y0: 1}\n"
                                          "simulate: {t_end: 2 s, method: generalized-alpha, step: 10 ms}\n");
  const std::string page = (folder_ / "report.html").string();
  const Outcome outcome = call({"run", model, "-o", result_, "--report", page});
  EXPECT_EQ(outcome.status, 1) << outcome.all();
  EXPECT_TRUE(contains(outcome.message, "run: Newton did not converge at t = 0.99"));
  // marked as parts: an earlier result would still be there
  EXPECT_FALSE(std::filesystem::exists(result_));
  EXPECT_FALSE(std::filesystem::exists(page));
  const io::CsvData data = io::read_csv(io::OutputFile::part_of(result_));
  // y = 1/(1 − t)
  EXPECT_GT(data.rows(), 90u);
  EXPECT_GT(data.column("x.y").back(), 90);
  EXPECT_TRUE(contains(read_text(io::OutputFile::part_of(page)), "Newton did not converge"));
  EXPECT_EQ(nlohmann::json::parse(call({"run", model, "--json"}).output)["status"], "failed");
}

TEST_F(Cli, SignalWithoutFiniteValueIsNoted) {
  const std::string model =
      folder_.write("log.yaml", "components:\n  g: {type: blocks.Gain, u: \"log(time/(1 s) - 2)\", k: 1}\n");
  const Outcome outcome = call({"run", model});
  EXPECT_EQ(outcome.status, 0) << outcome.all();
  EXPECT_TRUE(contains(outcome.output, "note: signal g.y has no finite value at t = 0 s"));
}

TEST_F(Cli, LabelThatStandsOnceAndInAnExpressionIsNotNoted) {
  const std::string model = folder_.write("probe.yaml",
                                          "components:\n"
                                          "  U1: {type: electrical.VoltageSource, p: a, n: gnd, v: 3 V}\n"
                                          "  R1: {type: electrical.Resistor, p: b, n: gnd, R: 1 ohm}\n"
                                          "  U2: {type: electrical.VoltageSource, p: b, n: gnd, v: 2*a.v}\n");
  const Outcome outcome = call({"run", model});
  EXPECT_EQ(outcome.status, 0) << outcome.all();
  EXPECT_FALSE(contains(outcome.output, "note: node")) << outcome.output;
}

TEST_F(Cli, LabelThatStandsOnceIsNoted) {
  const Outcome outcome = call({"run", model_, "--set", "R1.n=bb"});
  EXPECT_EQ(outcome.status, 0) << outcome.all();
  EXPECT_TRUE(contains(outcome.output, "note: node bb is connected to R1.n only; is its name right?"));
  EXPECT_TRUE(contains(call({"check", model_, "--set", "R1.n=bb"}).output, "note: node bb is connected to R1.n only"));
  EXPECT_EQ(call({"run", model_}).output.find("note:"), std::string::npos);
}

// ---- files that cannot be read or written

TEST_F(Cli, UnreadableModelIsStatus2) {
  const Outcome missing = call({"run", (folder_ / "no.yaml").string()});
  EXPECT_EQ(missing.status, 2);
  EXPECT_TRUE(contains(missing.message, "no.yaml: No such file or directory"));
  const Outcome folder = call({"check", (folder_ / "").string()});
  EXPECT_EQ(folder.status, 2);
  EXPECT_TRUE(contains(folder.message, "it is a folder"));
}

TEST_F(Cli, EndlessModelIsStatus2) {
  const Outcome outcome = call({"check", "/dev/zero"});
  EXPECT_EQ(outcome.status, 2) << outcome.all();
  EXPECT_TRUE(contains(outcome.message, "more than 100 MB"));
}

TEST_F(Cli, EmptyAndUnfinishedFilesAreStatus2) {
  // every beginning of a good model is good or refused, never a crash
  for (std::size_t length = 0; length < circuit.size(); length += 7) {
    const Outcome outcome = call({"check", folder_.write("part.yaml", circuit.substr(0, length))});
    EXPECT_EQ(outcome.signal, 0) << length;
    EXPECT_TRUE(outcome.status == 0 || outcome.status == 2) << length << ": " << outcome.all();
  }
}

TEST_F(Cli, UnwritableTargetIsRefusedBeforeTheRun) {
  for (const auto& [option, name] : {std::pair("-o", "none/out.csv"), std::pair("--report", "none/out.html")}) {
    const Outcome outcome = call({"run", model_, option, (folder_ / name).string()});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_TRUE(contains(outcome.message, "cannot write this file: No such file or directory"));
    EXPECT_EQ(outcome.output, "") << "nothing was computed";
  }
}

TEST_F(Cli, TargetsHaveTheirEndings) {
  const Outcome result = call({"run", model_, "-o", model_});
  EXPECT_EQ(result.status, 2);
  EXPECT_TRUE(contains(result.message, "--output " + model_ + ": the file name must end with .csv"));
  const Outcome page = call({"run", model_, "--report", model_});
  EXPECT_EQ(page.status, 2);
  EXPECT_TRUE(contains(page.message, "the file name must end with .html"));
  EXPECT_EQ(read_text(model_), circuit) << "the model must not be overwritten";
}

TEST_F(Cli, RefusedModelLeavesAnEarlierResultAlone) {
  folder_.write("out.csv", "time,a\n1,2\n");
  EXPECT_EQ(call({"run", model_, "-o", result_, "--set", "R1.R=-1 ohm"}).status, 2);
  EXPECT_EQ(read_text(result_), "time,a\n1,2\n");
}

TEST_F(Cli, FullDiskIsStatus1) {
  std::filesystem::create_symlink("/dev/full", result_);
  const Outcome outcome = call({"run", model_, "-o", result_});
  EXPECT_EQ(outcome.status, 1) << outcome.all();
  EXPECT_TRUE(contains(outcome.message, "No space left on device"));
  EXPECT_EQ(outcome.message.find("bug"), std::string::npos);
}

// ---- other verbs

TEST_F(Cli, CheckCounts) {
  const Outcome outcome = call({"check", model_});
  ASSERT_EQ(outcome.status, 0) << outcome.all();
  EXPECT_TRUE(contains(outcome.output, "a capacitor is charged"));
  EXPECT_TRUE(contains(outcome.output, "states                    1"));
  const auto j = nlohmann::json::parse(call({"check", model_, "--json"}).output);
  EXPECT_EQ(j["components"], 3);
  EXPECT_EQ(j["consistent"], true);
  const auto p = nlohmann::json::parse(call({"check", folder_.write("pendulum.yaml", pendulum), "--json"}).output);
  EXPECT_EQ(p["bodies"], 1);
  EXPECT_EQ(p["degrees_of_freedom"], 1);
}

TEST_F(Cli, ListShowsTypesOrWhatAModelHolds) {
  const Outcome types = call({"list"});
  EXPECT_EQ(types.status, 0);
  EXPECT_TRUE(contains(types.output, "electrical.Resistor"));
  const Outcome of_model = call({"list", model_});
  EXPECT_TRUE(contains(of_model.output, "  C1.v "));
  EXPECT_TRUE(contains(of_model.output, "  R1.R "));
  const auto j = nlohmann::json::parse(call({"list", model_, "--json"}).output);
  EXPECT_FALSE(j["signals"].empty());
  EXPECT_FALSE(j["parameters"].empty());
}

TEST_F(Cli, DescribePrintsEveryType) {
  const model::Registry registry = domains::make_standard_registry();
  const auto listed = nlohmann::json::parse(call({"list", "--json"}).output);
  EXPECT_EQ(listed["types"].size(), registry.names().size());
  for (const std::string& name : registry.names()) {
    const Outcome text = call({"describe", name});
    EXPECT_EQ(text.status, 0) << name;
    EXPECT_TRUE(text.output.starts_with(name + "\n")) << text.output;
    const model::Description& d = registry.find(name)->description;
    for (const model::ParameterInfo& p : d.parameters) EXPECT_TRUE(contains(text.output, "  " + p.name)) << name;
    const auto j = nlohmann::json::parse(call({"describe", name, "--json"}).output);
    EXPECT_EQ(j["type"], name);
    EXPECT_EQ(j.value("parameters", nlohmann::json::array()).size(), d.parameters.size()) << name;
  }
}

TEST_F(Cli, DescribeSimulateListsTheOptions) {
  EXPECT_TRUE(contains(call({"describe", "simulate"}).output, "t_end"));
  const Outcome unknown = call({"describe", "Resistor"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_EQ(unknown.message, "unknown component type \"Resistor\"; did you mean electrical.Resistor?\n");
}

TEST_F(Cli, EquationsNameUnknowns) {
  const Outcome outcome = call({"equations", model_});
  EXPECT_EQ(outcome.status, 0) << outcome.all();
  EXPECT_TRUE(contains(outcome.output, "C1.v"));
}

TEST_F(Cli, LinearizeAndModesKnowTheTimeConstant) {
  const Outcome linear = call({"linearize", model_, "--input", "U1.v", "--output", "C1.v", "--json"});
  ASSERT_EQ(linear.status, 0) << linear.all();
  EXPECT_NEAR(nlohmann::json::parse(linear.output)["A"][0][0].get<double>(), -100, 1e-9);
  const Outcome modes = call({"modes", model_, "--json"});
  ASSERT_EQ(modes.status, 0) << modes.all();
  EXPECT_NEAR(nlohmann::json::parse(modes.output)["modes"][0]["real"].get<double>(), -100, 1e-9);
}

TEST_F(Cli, LinearizeRefusesUnknownNames) {
  EXPECT_EQ(call({"linearize", model_, "--input", "U7.v"}).status, 2);
  EXPECT_EQ(call({"linearize", model_, "--output", "C7.v"}).status, 2);
}

// ---- mistakes on the command line

TEST_F(Cli, UnknownVerbsAndOptionsAreStatus2) {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{},
                                             {"simulate", model_},
                                             {"run"},
                                             {"run", model_, "--tend", "1"},
                                             {"run", model_, "extra"},
                                             {"run", model_, "-o"},
                                             {"modes", model_, "--count", "many"},
                                             {"describe"}}) {
    const Outcome outcome = call(arguments);
    EXPECT_EQ(outcome.status, 2) << outcome.all();
    EXPECT_FALSE(outcome.message.empty());
  }
}

TEST_F(Cli, HelpAndVersionAreStatus0) {
  EXPECT_EQ(call({"--help"}).status, 0);
  EXPECT_EQ(call({"run", "--help"}).status, 0);
  EXPECT_EQ(call({"--version"}).status, 0);
}

TEST_F(Cli, BadOptionValuesNameTheOption) {
  const auto message = [&](const std::string& option, const std::string& value) {
    const Outcome outcome = call({"run", model_, option, value});
    EXPECT_EQ(outcome.status, 2) << outcome.all();
    return outcome.message;
  };
  EXPECT_EQ(message("--t-end", "1 m"), "--t-end 1 m: simulate.t_end = 1 m must be in s, not in m\n");
  EXPECT_TRUE(contains(message("--t-end", "soon"), "--t-end soon: simulate.t_end: unknown name \"soon\""));
  EXPECT_TRUE(contains(message("--step", "-1 ms"), "--step -1 ms: simulate: step = -0.001 s must be >= 0"));
  EXPECT_TRUE(
      contains(message("--method", "rk5"), "--method rk5: simulate: unknown method \"rk5\"; did you mean rk4?"));
  EXPECT_TRUE(contains(message("--output-step", "1e-300"), "--output-step 1e-300: simulate: output_step"));
}

TEST_F(Cli, StrangeArgumentsDoNotCrash) {
  const std::string strange[] = {"",
                                 "=",
                                 ".",
                                 "..",
                                 "a.",
                                 ".a",
                                 "a..b=1",
                                 "R1.=1",
                                 "R1.R=",
                                 "R1.R==",
                                 "\xff=\xff",
                                 std::string(100000, 'x') + "=1",
                                 "R1.R=" + std::string(100000, '('),
                                 "R1.p=" + std::string(1000, 'n'),
                                 "simulate.=",
                                 "R1.type=",
                                 "R1.R=[[[",
                                 "R1.R=\n"};
  for (const std::string& set : strange) {
    const Outcome outcome = call({"check", model_, "--set", set});
    EXPECT_EQ(outcome.signal, 0) << set.substr(0, 50);
    EXPECT_TRUE(outcome.status == 0 || outcome.status == 2)
        << set.substr(0, 50) << ": " << outcome.all().substr(0, 500);
    EXPECT_EQ(outcome.message.find("bug"), std::string::npos) << set.substr(0, 50);
  }
}

TEST_F(Cli, HugeInputsAreRefusedOrDone) {
  const std::string deep = folder_.write("deep.yaml", "model: " + std::string(200000, '[') + "\n");
  EXPECT_EQ(call({"check", deep}).status, 2);
  std::string chain = "components:\n";
  for (int k = 0; k < 5000; ++k)
    chain += "  g" + std::to_string(k) + ": {type: blocks.Gain, u: g" + std::to_string(k + 1) + ".y, k: 1}\n";
  chain += "  g5000: {type: blocks.Integrator, u: 1}\n";
  const Outcome outcome =
      call({"run", folder_.write("chain.yaml", chain), "--t-end", "1 s", "--step", "0.5 s", "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.all().substr(0, 500);
  EXPECT_NEAR(nlohmann::json::parse(outcome.output)["final"]["g0.y"].get<double>(), 1, 1e-9);
}

}  // namespace
}  // namespace coenergy::tests
