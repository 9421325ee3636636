// The command line as a new user writes it: lists, mistyped words, topics, examples, errors for scripts.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "coenergy/solve/options.hpp"
#include "tests/charged_capacitor.hpp"
#include "tests/program.hpp"

namespace coenergy::tests {
namespace {

const std::string circuit = charged_capacitor + "simulate: {t_end: 50 ms}\n";

class CommandWords : public testing::Test {
 protected:
  const Folder folder_;
  const std::string model_ = folder_.write("circuit.yaml", circuit);
};

nlohmann::json answer_of(const std::vector<std::string>& words) {
  return nlohmann::json::parse(run_program(words).output);
}

// ---- lists

TEST_F(CommandWords, ListsFollowOneFlag) {
  // 5 V (1 - exp(-t/RC)) at 50 ms with R = 20 ohm, C = 2 mF; the run's tolerance is 1e-6
  const double right = 5 * (1 - std::exp(-0.05 / (20 * 2e-3)));
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"run", model_, "--json", "--set", "R1.R=20", "C1.C=2e-3"},
        {"run", "--set", "R1.R=20", "C1.C=2e-3", model_, "--json"},
        {"run", "--set=R1.R=20", "C1.C=2e-3", "--json", model_},
        {"run", "--set", "R1.R=20", "--set", "C1.C=2e-3", "--json", "--", model_}})
    EXPECT_NEAR(answer_of(words)["final"]["C1.v"].get<double>(), right, 1e-5);
}

TEST_F(CommandWords, ListsOfSignalsEndAtTheModel) {
  const nlohmann::json sweep = answer_of(
      {"sweep", "--op", "--parameter", "U1.v", "--value", "-3", "7", "--signal", "C1.v", "R1.i", model_, "--json"});
  ASSERT_EQ(sweep["rows"].size(), 2u);
  // at rest the capacitor has the voltage of the source and no current flows
  EXPECT_NEAR(sweep["rows"][0]["signals"]["C1.v"].get<double>(), -3, 1e-12);
  EXPECT_NEAR(sweep["rows"][1]["signals"]["C1.v"].get<double>(), 7, 1e-12);
  EXPECT_NEAR(sweep["rows"][1]["signals"]["R1.i"].get<double>(), 0, 1e-12);
}

TEST_F(CommandWords, SignalIsTheWordForSignals) {
  const nlohmann::json by_signal = answer_of({"bode", model_, "--input", "U1.v", "--signal", "C1.v", "R1.i", "--json"});
  const nlohmann::json by_output =
      answer_of({"bode", model_, "--input", "U1.v", "--output", "C1.v", "--output", "R1.i", "--json"});
  EXPECT_EQ(by_signal, by_output);
  EXPECT_EQ(by_signal["outputs"].size(), 2u);
}

// ---- mistyped words

TEST_F(CommandWords, MistypedWordsAreAnsweredWithWhatIsMeant) {
  struct Case {
    std::vector<std::string> words;
    std::string message;
  };
  for (const Case& c : std::vector<Case>{
           {{"runn", model_}, "coenergy: there is no verb \"runn\"; did you mean run?\n"},
           {{"linearise", model_}, "coenergy: there is no verb \"linearise\"; did you mean linearize?\n"},
           {{"xyzzy"}, "coenergy: there is no verb \"xyzzy\"; coenergy --help lists them\n"},
           {{"lift.yaml"}, "coenergy: \"lift.yaml\" is a model, not a verb; to simulate it: coenergy run lift.yaml\n"},
           {{"run", model_, "--ouput", "a.csv"}, "coenergy: run has no option --ouput; did you mean --output?\n"},
           {{"run", model_, "--tend=1", "--rtoll", "1"},
            "coenergy: run has no option --tend; did you mean --t-end?\n"
            "coenergy: run has no option --rtoll; did you mean --rtol?\n"},
           {{"op", model_, "--zzzzzzzz"}, "coenergy: op has no option --zzzzzzzz; coenergy op --help lists them\n"},
           {{"run"}, "coenergy: model is required; coenergy run --help tells more\n"},
           {{"describe", "unit"}, "unknown component type \"unit\"; did you mean units?\n"},
           {{"examples", "sccra"}, "there is no example \"sccra\"; did you mean scara?\n"},
           {{"run", model_, "--set", "R1.Q=1", "R2.R=3", "C1"},
            "coenergy: The following argument was not expected: C1; coenergy run --help tells more\n"},
           {{"run", model_, "--set", "R2.R=1", "X=3"},
            "--set R2.R: the model has no component \"R2\"; did you mean R1?\n--set X: the model has no parameter "
            "\"X\"\n"}}) {
    const Outcome outcome = run_program(c.words);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.output, "");
    EXPECT_EQ(outcome.message, c.message);
  }
}

TEST_F(CommandWords, NothingIsAnsweredWithTheVerbs) {
  const Outcome outcome = run_program({});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.message.find("Usage: coenergy"), std::string::npos) << outcome.message;
  EXPECT_NE(outcome.message.find("simulate a model"), std::string::npos);
}

TEST_F(CommandWords, HelpTellsDefaults) {
  const std::string help = run_program({"run", "--help"}).output;
  for (const std::string part : {"(default radau)", "(default 1e-06)", "(default 1e-08)", "(default 60)"})
    EXPECT_NE(help.find(part), std::string::npos) << part << "\n" << help;
  EXPECT_NE(run_program({"bode", "--help"}).output.find("=61"), std::string::npos);
}

// ---- errors for scripts

TEST_F(CommandWords, ErrorsAreJsonWhereJsonIsWanted) {
  const std::string wrong = folder_.write("wrong.yaml",
                                          "parts:\n"
                                          "  Pair:\n"
                                          "    components:\n"
                                          "      R1: {type: electrical.Resistor, p: a, n: gnd, R: -1 ohm}\n"
                                          "components:\n"
                                          "  x: {type: Pair}\n"
                                          "simulate: {t_end: 1 s, tol: 3}\n");
  const Outcome outcome = run_program({"run", wrong, "--json"});
  EXPECT_EQ(outcome.status, 2);
  const nlohmann::json answer = nlohmann::json::parse(outcome.output);
  EXPECT_EQ(answer["status"], "refused");
  EXPECT_TRUE(answer.contains("version"));
  ASSERT_EQ(answer["errors"].size(), 2u) << answer.dump(2);
  const nlohmann::json& first = answer["errors"][0];
  EXPECT_EQ(first["file"], wrong);
  EXPECT_EQ(first["line"], 4);
  EXPECT_EQ(first["column"], 56);
  EXPECT_EQ(first["inside"], "x (Pair)");
  EXPECT_EQ(first["text"], "x.R1.R = -1 ohm must be > 0");  // the name in the whole model
  EXPECT_EQ(answer["errors"][1]["line"], 7);
  EXPECT_FALSE(answer["errors"][1].contains("inside"));
  // the same for people
  EXPECT_NE(outcome.message.find("wrong.yaml:4:56: in x (Pair): R1.R = -1 ohm must be > 0"), std::string::npos)
      << outcome.message;
}

TEST_F(CommandWords, WrongCallsAndFailuresAreJsonToo) {
  const Outcome call = run_program({"runn", model_, "--json"});
  EXPECT_EQ(nlohmann::json::parse(call.output)["errors"][0]["text"], "there is no verb \"runn\"; did you mean run?");
  EXPECT_EQ(call.status, 2);
  // a source on a capacitor that is a short has no operating point
  const std::string loop = folder_.write("loop.yaml",
                                         "components:\n"
                                         "  D: {type: electrical.CurrentSource, p: gnd, n: a, i: 1 A}\n"
                                         "  C: {type: electrical.Capacitor, p: a, n: gnd, C: 1 F}\n");
  const Outcome failure = run_program({"op", loop, "--json"});
  EXPECT_EQ(failure.status, 1) << failure.all();
  const nlohmann::json answer = nlohmann::json::parse(failure.output);
  EXPECT_EQ(answer["status"], "failed");
  EXPECT_EQ(answer["errors"].size(), 1u);
}

TEST_F(CommandWords, NetlistAnswersAreOneObjectWithWhatWentWrong) {
  // .ac without a source that has an AC value is refused; .op and .tran are carried out
  const std::string netlist = folder_.write("some.cir",
                                            "a card that cannot be done\nV1 a 0 5\nR1 a b 10\nC1 b 0 1m\n.op\n"
                                            ".ac dec 10 1 1k\n.tran 1m 50m uic\n.end\n");
  const Outcome outcome = run_program({"run", netlist, "--json"});
  EXPECT_EQ(outcome.status, 2) << outcome.all();
  const nlohmann::json answer = nlohmann::json::parse(outcome.output);
  EXPECT_EQ(answer["errors"].size(), 1u);
  EXPECT_EQ(answer["errors"][0]["line"], 6);
  // 1 - exp(-5) of 5 V; the tolerance of a run is 1e-6
  EXPECT_NEAR(answer["final"]["b.v"].get<double>(), 5 * (1 - std::exp(-5)), 1e-5);
}

// ---- topics and examples

TEST_F(CommandWords, TopicsTellWhatTheProgramKnows) {
  const auto tells = [](const std::string& topic, const std::vector<std::string>& parts) {
    const Outcome outcome = run_program({"describe", topic});
    EXPECT_EQ(outcome.status, 0) << outcome.all();
    for (const std::string& part : parts)
      EXPECT_NE(outcome.output.find(part), std::string::npos) << part << "\n" << outcome.output;
    const nlohmann::json j = answer_of({"describe", topic, "--json"});
    EXPECT_EQ(j["topic"], topic);
    for (const nlohmann::json& group : j["groups"])
      for (const nlohmann::json& word : group["words"])
        EXPECT_TRUE(word["name"] == "" || word["help"] != "" || topic == "expressions" || topic == "units") << word;
  };
  tells("simulate", {"t_end", "rtol", "(default 1e-06)"});
  tells("methods", solve::method_names());
  tells("expressions", {"table(x, [x0, x1", "atan2(y, x)", "c ? a : b", "floor", "motor.i"});
  // 1 bar = 1e5 Pa and 1 rpm = 2 pi/60 1/s by definition
  tells("units", {"bar   prefix  = 100000 kg/(m.s2)", "rpm           = 0.10472 1/s", "deg           = 0.0174533"});
  tells("plots", {"{x: tip.x, y: tip.z}"});
  tells("parts", {"repeat", "override", "PORT"});
  tells("include", {"motors.yaml", "arm.urdf"});
  const std::string list = run_program({"list"}).output;
  for (const std::string topic :
       {"\nsimulate ", "\nmethods ", "\nexpressions ", "\nunits ", "\nplots ", "\nparts ", "\ninclude "})
    EXPECT_NE(list.find(topic), std::string::npos) << topic;
}

TEST_F(CommandWords, ExamplesAreListedAndWritten) {
  const nlohmann::json all = answer_of({"examples", "--json"})["examples"];
  EXPECT_GE(all.size(), 30u);
  for (const nlohmann::json& one : all) {
    const std::filesystem::path original =
        std::filesystem::path(COENERGY_SOURCE_DIR) / "examples" / one["model"].get<std::string>();
    EXPECT_TRUE(std::filesystem::exists(original)) << original;
    EXPECT_NE(one["title"], "");
  }
  const std::string target = folder_ / "here";
  const Outcome written = run_program({"examples", "scara", "-o", target});
  ASSERT_EQ(written.status, 0) << written.all();
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(COENERGY_SOURCE_DIR) / "examples/scara")) {
    if (entry.path().extension() == ".png") continue;
    EXPECT_EQ(read_text(std::filesystem::path(target) / "scara" / entry.path().filename()), read_text(entry.path()));
  }
  EXPECT_EQ(run_program({"check", target + "/scara/scara.yaml"}).status, 0);
  // what a user has changed is kept
  const Outcome again = run_program({"examples", "scara", "-o", target});
  EXPECT_EQ(again.status, 2);
  EXPECT_NE(again.message.find("exists and is not replaced; choose another folder with -o"), std::string::npos);
}

}  // namespace
}  // namespace coenergy::tests
