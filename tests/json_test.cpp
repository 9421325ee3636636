// What --json prints: of every verb one object with the keys that docs/json.md lists, its version, its notes and its
// units, and nothing beside it.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "coenergy/base/version.hpp"
#include "tests/program.hpp"

namespace coenergy::tests {
namespace {

const std::string motor =
    "components:\n"
    "  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 18 V}\n"
    "  motor: {type: converters.DcMachine, p: a, n: gnd, shaft: wheel.shaft, k: 40 mV.s/rad, R: 0.9 ohm, L: 3 mH}\n"
    "  wheel: {type: mechanical.Inertia, J: 2e-4 kg.m2}\n"
    "  oil: {type: mechanical.RotationalDamper, a: ground, b: wheel.shaft, d: 3e-4 N.m.s/rad}\n"
    "simulate: {t_end: 20 ms, method: radau, output_step: 5 ms}\n";

const std::string sampled =
    "components:\n"
    "  r: {type: blocks.Constant, value: 2}\n"
    "  z: {type: blocks.ZeroOrderHold, u: \"r.y - 0.3*g.y\", sample: 20 ms}\n"
    "  g: {type: blocks.TransferFunction, u: z.y, den: [0.07, 1]}\n"
    "simulate: {t_end: 0.1 s, method: radau, output_step: 20 ms}\n";

// a link on a motor that knows its angle, without a Gravity: compiling it gives a note
const std::string arm =
    "components:\n"
    "  hip: {type: multibody.Revolute, parent: ground, child: leg, axis: z}\n"
    "  drive: {type: mechanical.RotationalMotion, flange: hip.shaft, phi: 0.3 rad + 1 rad*sin(2*time/(1 s))}\n"
    "  leg: {type: multibody.Body, mass: 3 kg, com: [0.2, 0, 0], inertia: [0.1, 0.2, 0.2]}\n"
    "simulate: {t_end: 0.1 s, method: radau, output_step: 20 ms}\n";
const std::string free_arm =
    "components:\n"
    "  hip: {type: multibody.Revolute, parent: ground, child: leg, axis: z, q0: 0.3}\n"
    "  leg: {type: multibody.Body, mass: 3 kg, com: [0.2, 0, 0], inertia: [0.1, 0.2, 0.2]}\n"
    "simulate: {t_end: 0.1 s, method: radau, output_step: 20 ms}\n";

const std::string hanging =
    "components:\n"
    "  m: {type: mechanical.Mass, m: 2 kg}\n"
    "  k: {type: mechanical.TranslationalSpringDamper, a: ground, b: m, k: 300 N/m, d: 4 N.s/m}\n"
    "  weight: {type: mechanical.Force, flange: m, f: -19.62 N}\n";

const std::string column =
    "parameters: {P: 3 N}\n"
    "components:\n"
    "  clamp: {type: multibody.Fixed, parent: ground, child: bar}\n"
    "  bar: {type: flexible.BeamBody, length: 0.9, elements: 2, EA: 1e4, GA: 1e4, GJ: 7, EI: 5, mass_per_length: 1, "
    "inertia_per_length: 0.1}\n"
    "  tip: {type: multibody.Force, body: bar.tip, force: [-P, 0, 0]}\n";

const std::string netlist =
    "a divider with a capacitor\n"
    "V1 a 0 dc 6 ac 1\n"
    "R1 a b 2k\n"
    "C1 b 0 1u\n"
    "R2 b 0 4k\n"
    ".op\n.dc V1 0 6 3\n.ac dec 2 10 100\n.tran 1m 4m\n.meas tran top max v(b)\n.end\n";

/// The words in backticks of the row of each verb in docs/json.md.
std::map<std::string, std::set<std::string>> read_documented() {
  std::map<std::string, std::set<std::string>> keys;
  std::ifstream file(COENERGY_SOURCE_DIR "/docs/json.md");
  static const std::regex word("`([\\w-]+)`");
  const auto words = [](const std::string& text) {
    std::set<std::string> found;
    for (auto at = std::sregex_iterator(text.begin(), text.end(), word); at != std::sregex_iterator(); ++at)
      found.insert((*at)[1]);
    return found;
  };
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("| `")) continue;
    const std::size_t bar = line.find('|', 1);
    for (const std::string& verb : words(line.substr(0, bar))) keys[verb] = words(line.substr(bar));
  }
  return keys;
}

struct Call {
  std::vector<std::string> arguments;  ///< MODEL stands for the file
  std::string text, ending = ".yaml";
  std::set<std::string> keys;  ///< that have to be there, beside version, model and notes
  bool of_model = true;
};

const std::vector<Call>& calls() {
  static const std::vector<Call> all = {
      {{"run", "MODEL"}, motor, ".yaml", {"status", "text", "rows", "method", "final", "units", "rtol", "steps"}},
      {{"run", "MODEL"}, netlist, ".cir", {"status", "final", "units", "op", "dc", "ac", "measures"}},
      {{"compare", "RESULT", "RESULT"},
       "",
       ".yaml",
       {"a", "b", "equal", "from", "to", "signals", "only_a", "only_b", "rtol", "atol", "units"},
       false},
      {{"check", "MODEL", "--tree"}, motor, ".yaml", {"states", "consistent", "text", "circuit", "tree"}},
      {{"check", "MODEL"}, arm, ".yaml", {"bodies", "counted_freedoms", "over_constrained_by", "over_constrained_in"}},
      {{"list", "MODEL"}, motor, ".yaml", {"signals", "parameters"}},
      {{"list"}, "", ".yaml", {"types"}, false},
      {{"describe", "mechanical.Mass"}, "", ".yaml", {"type", "help", "ports", "parameters", "signals"}, false},
      {{"describe", "simulate"}, "", ".yaml", {"topic", "help", "groups", "examples"}, false},
      {{"describe", "parts"}, "", ".yaml", {"topic", "help", "groups", "examples"}, false},
      {{"examples"}, "", ".yaml", {"examples"}, false},
      {{"examples", "speaker", "-o", "FOLDER"}, "", ".yaml", {"files"}, false},
      {{"equations", "MODEL"}, motor, ".yaml", {"equations", "state_equations"}},
      {{"equations", "MODEL", "--matrices"}, netlist, ".cir", {"A", "B", "C", "D", "M", "y", "w", "z"}},
      {{"convert", "MODEL"}, netlist, ".cir", {"text"}},
      {{"convert", "MODEL", "-o", "FOLDER/m2.yaml"}, netlist, ".cir", {"output"}},
      {{"linearize", "MODEL", "--input", "U.v", "--output", "wheel.w"},
       motor,
       ".yaml",
       {"operating_point", "A", "B", "C", "D", "states", "inputs", "outputs", "state_units", "input_units",
        "output_units"}},
      {{"linearize", "MODEL", "--input", "r.value"}, sampled, ".yaml", {"operating_point", "A", "sampled"}},
      {{"modes", "MODEL"}, motor, ".yaml", {"operating_point", "names", "units", "modes"}},
      {{"modes", "MODEL", "--averaged"}, sampled, ".yaml", {"operating_point", "names", "units", "modes", "averaged"}},
      {{"linearize", "MODEL", "--averaged", "--input", "r.value"}, sampled, ".yaml", {"A", "B", "averaged"}},
      {{"modes", "MODEL"}, sampled, ".yaml", {"operating_point", "names", "units", "modes", "sampled"}},
      {{"bode", "MODEL", "--input", "U.v", "--output", "wheel.w", "--points", "2"},
       motor,
       ".yaml",
       {"operating_point", "inputs", "outputs", "units", "rows"}},
      {{"bode", "MODEL", "--input", "r.value", "--output", "g.y", "--points", "2", "--to", "5"},
       sampled,
       ".yaml",
       {"operating_point", "rows", "sampled"}},
      {{"ac", "MODEL", "--input", "U.v", "--frequency", "7"},
       motor,
       ".yaml",
       {"operating_point", "frequency", "rms", "inputs", "signals", "powers", "units"}},
      {{"effective", "MODEL", "--joint", "hip"}, free_arm, ".yaml", {"operating_point", "joints"}},
      {{"reduce", "MODEL", "--theta", "hip"},
       free_arm,
       ".yaml",
       {"method", "coordinates", "sensors", "configurations"}},
      {{"design", "MODEL", "--method", "lqr", "--input", "U.v", "--signal", "wheel.w"},
       motor,
       ".yaml",
       {"operating_point", "method", "states", "inputs", "outputs", "poles", "controller", "K", "X", "margins", "bode",
        "root_locus"}},
      {{"reduce", "MODEL", "--method", "modal", "--order", "1", "--input", "U.v", "--signal", "wheel.w"},
       motor,
       ".yaml",
       {"operating_point", "method", "order", "states", "inputs", "outputs", "A", "B", "C", "D", "poles"}},
      {{"op", "MODEL"}, motor, ".yaml", {"operating_point", "time", "method", "signals", "units"}},
      {{"buckling", "MODEL", "--load", "P"},
       column,
       ".yaml",
       {"load", "value", "unit", "factor", "limit_point", "shape"}},
      {{"modes", "MODEL", "--parameter", "wheel.J", "--value", "0.1 kg.m2", "--value", "0.2 kg.m2"},
       motor,
       ".yaml",
       {"parameter", "units", "rows"}},
      {{"equilibrium", "MODEL"},
       hanging,
       ".yaml",
       {"operating_point", "time", "signals", "units", "stable", "lowest_eigenvalue", "negative_eigenvalues",
        "fastest_growth"}},
      {{"periodic", "MODEL", "--period", "0.1"},
       sampled,
       ".yaml",
       {"period", "period_unit", "smallest", "time", "states", "units", "counting", "multipliers", "iterations"}},
      {{"sweep", "MODEL", "--parameter", "U.v", "--value", "3", "--value", "5", "--signal", "wheel.w"},
       motor,
       ".yaml",
       {"parameter", "units", "rows"}},
      {{"sweep", "MODEL", "--op", "--parameter", "U.v", "--value", "3", "--signal", "motor.i"},
       motor,
       ".yaml",
       {"parameter", "units", "rows"}},
      {{"sensitivity", "MODEL", "--parameter", "motor.R", "--signal", "wheel.w", "-o", "FOLDER/s.csv"},
       motor,
       ".yaml",
       {"time", "units", "operating_point", "text", "parameters", "signals", "output"}},
      {{"sensitivity", "MODEL", "--op", "--parameter", "motor.R"}, motor, ".yaml", {"operating_point", "signals"}},
      {{"sensitivity", "MODEL", "--frequency", "7", "--input", "U.v", "--parameter", "motor.R"},
       motor,
       ".yaml",
       {"operating_point", "frequency", "inputs", "parameters", "units", "signals"}},
      {{"verify", "MODEL", "--states", "2"}, free_arm, ".yaml", {"tolerance", "equal", "comparisons"}},
      {{"verify", "MODEL", "--states", "2"}, motor, ".yaml", {"tolerance", "equal", "comparisons", "charges"}},
      {{"solve", "MODEL", "--trace"},
       "unknowns: {x: 2 m}\nresiduals: [x^2 = 9 m^2]\n",
       ".yaml",
       {"unknowns", "residuals", "units", "iterations", "damped", "roots", "trace"}},
      {{"identify", "MODEL", "--data", COENERGY_SOURCE_DIR "/tests/speeds.csv", "--parameter", "oil.d"},
       motor,
       ".yaml",
       {"parameters", "correlation", "residuals", "not_identifiable", "rank", "samples", "iterations", "cost", "data"}},
      {{"optimize", "MODEL"},
       "optimize: {variables: {x: {guess: 2, min: 1, max: 3}}, minimize: x^2}\n",
       ".yaml",
       {"objective", "maximizes", "variables", "units", "active", "method", "iterations"}},
      {{"study", "MODEL", "--vary", "motor.R=1,2", "--measure", "wheel.w", "-o", "FOLDER/rows.csv"},
       motor,
       ".yaml",
       {"variants", "failed", "seconds", "lanes", "units", "statistics", "failures", "output"}},
      {{"equations", "MODEL", "--lagrange"}, motor, ".yaml", {"lagrange"}},
      {{"generate", "MODEL", "--function", "inverse-dynamics", "-o", "FOLDER"},
       free_arm,
       ".yaml",
       {"function", "language", "parameters", "operations", "symbolic", "numeric", "constants", "seconds", "files"}},
      {{"generate", "MODEL", "--function", "step", "--prefix", "arm", "-o", "FOLDER"},
       free_arm,
       ".yaml",
       {"function", "language", "prefix", "files"}},
      {{"export-fmu", "MODEL", "--no-binary", "-o", "FOLDER/x.fmu"},
       free_arm,
       ".yaml",
       {"fmi", "kinds", "identifier", "file", "contents"}},
      {{"inverse", "MODEL", "-o", "FOLDER/f.csv"},
       arm,
       ".yaml",
       {"rows", "largest", "rms", "first", "last", "units", "output"}},
      {{"kinematics", "MODEL", "--point", "leg:0.5,0,0"}, free_arm, ".yaml", {"joints", "units", "pose"}},
      {{"kinematics", "MODEL", "--point", "leg:0.5,0,0", "--target", "0,0.5,0"},
       free_arm,
       ".yaml",
       {"joints", "units", "pose", "distance", "angle", "iterations"}},
      {{"kinematics", "MODEL", "--point", "leg:0.5,0,0", "--path", "PATH"}, free_arm, ".yaml", {"joints", "rows"}}};
  return all;
}

std::string title(const Call& call) {
  std::string text;
  for (const std::string& word : call.arguments) text += word + " ";
  return text;
}

nlohmann::json answer(const Folder& folder, const Call& call) {
  std::vector<std::string> arguments = call.arguments;
  for (std::string& word : arguments) {
    if (word == "MODEL") word = folder.write("m" + call.ending, call.text);
    if (word == "PATH") word = folder.write("path.csv", "x,y,z\nm,m,m\n0.4,0.3,0\n0.3,0.4,0\n");
    if (word == "RESULT") word = folder.write("r.csv", "time,w.q\ns,rad\n0,0.4\n1,0.3\n");
    if (word.starts_with("FOLDER")) word = (folder / ".").string() + word.substr(6);
  }
  arguments.emplace_back("--json");
  const Outcome outcome = run_program(arguments);
  EXPECT_EQ(outcome.status, 0) << title(call) << outcome.message;
  EXPECT_EQ(outcome.message, "") << title(call);
  const nlohmann::json j = nlohmann::json::parse(outcome.output, nullptr, false);
  EXPECT_TRUE(j.is_object()) << title(call) << outcome.output;
  return j;
}

/// Every number of what is named has a unit in `units`.
void expect_units(const nlohmann::json& j, const nlohmann::json& named, const std::string& what) {
  for (const auto& [name, value] : named.items()) EXPECT_TRUE(j["units"].contains(name)) << what << name;
}

TEST(Json, EveryVerbGivesOneObjectWithTheKeysThatAreDocumented) {
  const auto documented = read_documented();
  for (const Call& call : calls()) {
    const Folder folder;
    const nlohmann::json j = answer(folder, call);
    ASSERT_TRUE(documented.contains(call.arguments[0])) << call.arguments[0];
    const std::set<std::string>& known = documented.at(call.arguments[0]);
    EXPECT_EQ(j.value("version", ""), version) << title(call);
    if (call.of_model) {
      EXPECT_EQ(j.value("model", ""), (folder / ("m" + call.ending)).string()) << title(call);
      EXPECT_TRUE(j.contains("notes") && j["notes"].is_array()) << title(call);
    }
    for (const std::string& key : call.keys) EXPECT_TRUE(j.contains(key)) << title(call) << "has no " << key;
    for (const auto& [key, value] : j.items())
      EXPECT_TRUE(known.contains(key) || key == "version" || (call.of_model && (key == "model" || key == "notes")))
          << title(call) << "has " << key << ", which docs/json.md does not list for it";
    if (j.contains("operating_point") && !j["operating_point"].is_null()) {
      for (const char* key : {"kind", "time", "unit"}) EXPECT_TRUE(j["operating_point"].contains(key)) << title(call);
    }
    for (const char* key : {"final", "joints", "largest"})
      if (j.contains(key) && j[key].is_object()) expect_units(j, j[key], title(call));
    if (call.arguments[0] == "op") expect_units(j, j["signals"], title(call));
    if (j.contains("dc")) expect_units(j, j["dc"][0][0], title(call));
    if (j.contains("ac")) expect_units(j, j["ac"][0][0], title(call));
  }
}

TEST(Json, EveryVerbOfTheProgramIsInTheTable) {
  // "  verb     text" of the help
  static const std::regex line("\\n  ([a-z][a-z-]*) +");
  const std::string help = run_program({"--help"}).output;
  const std::string verbs = help.substr(std::min(help.size(), help.find("ubcommands") + 1));
  const auto documented = read_documented();
  std::set<std::string> called;
  for (const Call& call : calls()) called.insert(call.arguments[0]);
  int count = 0;
  for (auto at = std::sregex_iterator(verbs.begin(), verbs.end(), line); at != std::sregex_iterator(); ++at, ++count) {
    EXPECT_TRUE(documented.contains((*at)[1])) << (*at)[1];
    EXPECT_TRUE(called.contains((*at)[1])) << (*at)[1];
  }
  EXPECT_EQ(count, static_cast<int>(called.size())) << verbs;
}

TEST(Json, NotesOfReadingAndOfCompilingAreInTheAnswer) {
  const auto has = [](const nlohmann::json& j, const std::string& part) {
    for (const auto& note : j["notes"])
      if (note.get<std::string>().find(part) != std::string::npos) return true;
    return false;
  };
  const std::string odd = "a divider\nV1 a 0 6\nR1 a b 2k\nR2 b 0 4k\n.four 50 v(b)\n.op\n.tran 1m 4m\n.end\n";
  for (const std::string verb : {"run", "check", "list", "op", "modes", "convert"}) {
    const Folder folder;
    EXPECT_TRUE(has(answer(folder, {{verb, "MODEL"}, odd, ".cir", {}}), ".four")) << verb;
    if (verb != "modes") continue;
    EXPECT_TRUE(has(answer(folder, {{verb, "MODEL"}, free_arm, ".yaml", {}}), "gravity")) << verb;
  }
}

TEST(Json, ConvertNotesWhatAModelFileHasNoPlaceFor) {
  const Folder folder;
  const nlohmann::json notes = answer(folder, {{"convert", "MODEL"}, netlist, ".cir", {}})["notes"];
  ASSERT_EQ(notes.size(), 2u) << notes;
  EXPECT_EQ(
      notes[0],
      "a model file has no place for .ac, .dc, .meas, .op: left out; the verbs op, ac, bode and sweep do the like");
  EXPECT_EQ(notes[1], "V1: its AC value is left out; name it as --input of ac or bode");
  const Outcome text = run_program({"convert", folder.write("m.cir", netlist)});
  EXPECT_NE(text.message.find("note: V1: its AC value is left out"), std::string::npos) << text.message;
  EXPECT_EQ(text.output.find("note"), std::string::npos);
}

TEST(Json, WhatFailsIsOneObjectWithItsErrors) {
  const Folder folder;
  const std::string file = folder.write("m.yaml", "components:\n  R: {type: electrical.Resistor, p: a, R: 1 ohm}\n");
  for (const std::string verb : {"run", "check", "op", "equations", "modes", "convert", "inverse"}) {
    const Outcome outcome = run_program({verb, file, "--json"});
    EXPECT_EQ(outcome.status, 2) << verb;
    const nlohmann::json j = nlohmann::json::parse(outcome.output, nullptr, false);
    ASSERT_TRUE(j.is_object()) << verb << outcome.output;
    EXPECT_EQ(j["status"], "refused") << verb;
    EXPECT_EQ(j["errors"].size(), 1u) << verb;
    EXPECT_NE(outcome.message, "") << verb;
  }
}

TEST(Tables, HaveUnits) {
  const Folder folder;
  const std::string file = folder.write("m.yaml", motor);
  const auto has = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " is not in\n" << text;
  };
  const Outcome sweep = run_program({"sweep", file, "--parameter", "U.v", "--value", "3", "--signal", "wheel.w"});
  has(sweep.output, "wheel.w (rad/s)");
  has(run_program({"bode", file, "--input", "U.v", "--output", "wheel.w", "--points", "1"}).output, "(rad/s/V)");
  const Outcome linear = run_program({"linearize", file, "--input", "U.v", "--output", "motor.i"});
  has(linear.output, "motor.i (A)");
  has(linear.output, "U.v (V)");
  has(run_program({"run", folder.write("m.cir", netlist)}).output, "b.v (V)");
}

}  // namespace
}  // namespace coenergy::tests
