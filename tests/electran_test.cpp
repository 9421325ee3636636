// Electran circuit descriptions as printed in the thesis (Sass 2004).
#include "coenergy/io/electran.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>

#include "coenergy/equations/state_equations.hpp"
#include "tests/example_run.hpp"

namespace coenergy::tests {
namespace {

/// Lines of the thesis, without what is no part of the listing (fences of the text, page breaks).
std::string thesis_lines(int first, int last) {
  const std::filesystem::path folder = COENERGY_SOURCE_DIR "/../shared/sources";
  std::string text;
  if (!std::filesystem::exists(folder)) return text;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (!entry.path().filename().string().starts_with("000_")) continue;
    std::ifstream file(entry.path());
    int number = 0;
    for (std::string line; std::getline(file, line);)
      if (++number >= first && number <= last && !line.starts_with("```")) text += line + "\n";
  }
  return text;
}

compile::Compiled compile(model::Model model) { return compile::compile(model, domains::make_standard_registry()); }

TEST(Electran, TheRlcExampleHasTheEquationsOfItsModelFile) {
  model::Model model = io::read_electran(COENERGY_SOURCE_DIR "/examples/rlc_filter/rlc_filter.electran");
  for (const auto& [path, value] :
       Settings{{"U1.v", "12 V"}, {"R1.R", "5 ohm"}, {"L1.L", "2 mH"}, {"R2.R", "7 ohm"}, {"C1.C", "3 uF"}})
    model.set(path, value);
  const compile::Compiled electran = compile(model), file = compile(read_example("rlc_filter", "rlc_filter"));
  EXPECT_EQ(make_state_equations(electran.system).text, make_state_equations(file.system).text);
  // and the steady state, with a row at its end
  const solve::Result result = run_model(model, {.t_end = 5e-3, .method = "radau", .output_step = 5e-3});
  EXPECT_NEAR(value_at(result, "C1.v", 5e-3), 7, 1e-5);
}

TEST(Electran, MissingValuesAreAskedForByTheirLine) {
  try {
    compile(io::read_electran(COENERGY_SOURCE_DIR "/examples/rlc_filter/rlc_filter.electran"));
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("rlc_filter.electran:18"), std::string::npos) << e.what();  // R1
    EXPECT_NE(std::string(e.what()).find("R1"), std::string::npos) << e.what();
  }
}

TEST(Electran, TheMotorOfTheThesisIsReadAsPrinted) {
  const std::string text = thesis_lines(6033, 6219);
  if (text.empty()) GTEST_SKIP() << "the thesis is not here";
  model::Model model = io::parse_electran(text, "motor.electran");
  // two circuits of nine elements, three mutual inductances in each and nine between them
  EXPECT_EQ(model.components.size(), 2u * 9 + 3 + 3 + 9);
  // identified values (6.14): L + 2 M = 0, so the inductance matrix itself is singular
  for (auto& c : model.components) {
    if (c.type == "electrical.Resistor") c.values.emplace_back("R", "2 ohm");
    if (c.type == "electrical.VoltageSource") c.values.emplace_back("v", "1 V*sin(300 1/s*time)");
    if (c.type == "electrical.Inductor") c.values.emplace_back("L", "2.204 H");
    if (c.type == "electrical.Coupling")
      c.values.emplace_back("M", c.name <= "M6" && c.name.size() == 2 ? "-1.102 H" : "0 H");
  }
  const auto summary = compile(model).summary.circuit;
  EXPECT_EQ(summary.order, 4);  // six currents, two star points without a neutral
  ASSERT_EQ(summary.constraints.size(), 2u);
  // (6.10), (6.11): the currents of each star add up to zero; the first of each is the dependent one, so that i of L2, L3,
  // L5 and L6 are left (6.12)
  for (std::size_t k = 0; k < 2; ++k) {
    const auto& row = summary.constraints[k];
    ASSERT_EQ(row.size(), 3u);
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_EQ(row[j].first, "L" + std::to_string(3 * k + j + 1) + ".i");
      EXPECT_EQ(row[j].second, row[0].second);
    }
  }
}

TEST(Electran, TheSpeakerOfTheThesisIsReadAsPrinted) {
  const std::string text = thesis_lines(6255, 6285);
  if (text.empty()) GTEST_SKIP() << "the thesis is not here";
  const model::Model model = io::parse_electran(text, "speaker.electran");
  ASSERT_EQ(model.components.size(), 4u);
  EXPECT_EQ(model.components.back().name, "magnet1_L1");
  EXPECT_EQ(model.components.back().type, "electrical.PermanentMagnet");
}

TEST(Electran, MistakesAreToldByLine) {
  const std::pair<const char*, const char*> cases[] = {
      {"% interaction\n0\n1\n0\n2\n0\nU\n1\nX\n", "m.electran:9: the type of element 2 = X must be one of RLCUI"},
      {"% interaction\n0\n1\n0\n1\n3\n", "m.electran:6: the parent of element 1 = 3 must be from 0 to 0"},
      {"% interaction\nzero\n",
       "m.electran:2: \"zero\" is no whole number; the joint variable of the electromechanical "
       "interaction is expected"},
      {"% interaction\n0\n1\n0\n1\n0\nR\n1\n1\n", "m.electran:9: the file ends where a node of loop 1 is expected"},
      {"% interaction\n0\n1\n0\n2\n0\nR\n1\nL\n0\n1\nL\n1\n2\n",
       "m.electran:13: element 1 is R1; an influence of type L needs elements of that type"},
      {"% interaction\n0\n1\n0\n1\n0\nR\n0\n0\n7\n", "m.electran:10: the description ends before this line"},
  };
  for (const auto& [text, message] : cases) {
    try {
      io::parse_electran(text, "m.electran");
      ADD_FAILURE() << text;
    } catch (const Error& e) {
      EXPECT_STREQ(e.what(), message);
    }
  }
}

TEST(Electran, LoopsJoinNodesThatAreJoinedAlready) {
  // loops (3,1) and (1,0) put node 3 on the ground by way of node 1: R3 is shorted between 2 and 0
  const std::string text =
      "% interaction\n0\n%circuits\n1\n%magnets\n0\n%elements\n3\n0\nR\n0\nR\n2\nR\n%loops\n2\n3\n1\n1\n0\n"
      "%influences\n0\n";
  const model::Model model = io::parse_electran(text, "loops.electran");
  const auto pins = [&](const char* name) {
    const model::Component* c = model.find(name);
    return c->values[0].second.text + " " + c->values[1].second.text;
  };
  EXPECT_EQ(pins("R1"), "gnd gnd");
  EXPECT_EQ(pins("R2"), "gnd n2");
  EXPECT_EQ(pins("R3"), "n2 gnd");
}

}  // namespace
}  // namespace coenergy::tests
