// examples/bogie: topology of the bogie of Sass 2004, with invented data.
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "coenergy/solve/initialize.hpp"
#include "tests/example_run.hpp"
#include "tests/program.hpp"

namespace coenergy::tests {
namespace {

const std::string file = std::string(COENERGY_SOURCE_DIR) + "/examples/bogie/bogie.yaml";

TEST(Bogie, FiftySevenJointsLeaveTwentyNineDegreesOfFreedom) {
  const Outcome outcome = run_program({"check", file, "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.all();
  const auto j = nlohmann::json::parse(outcome.output);
  EXPECT_EQ(j["bodies"], 57);       // 14 real and 43 fictitious ones
  EXPECT_EQ(j["joints"], 57 + 6);   // of which six balls close loops
  EXPECT_EQ(j["loops"], 6);         //
  EXPECT_EQ(j["coordinates"], 57);  //
  EXPECT_EQ(j["constraints"], 28);  // 18 of loops, 4 wheels on rails, 2 reducers, 4 locked joints
  EXPECT_EQ(j["redundant"].size(), 0u);
  EXPECT_EQ(j["degrees_of_freedom"], 29);
  EXPECT_EQ(j["formulation"], "relative");

  // real bodies are the ones with mass
  const model::Model model = io::read_model(file);
  int real = 0, fictitious = 0;
  for (const auto& component : model.components) {
    if (component.type != "multibody.Body") continue;
    const bool is_massless = component.name[0] == 'f' && std::isdigit(component.name[1]);
    (is_massless ? fictitious : real)++;
  }
  EXPECT_EQ(real, 14);
  EXPECT_EQ(fictitious, 43);
}

TEST(Bogie, CodeIsGeneratedForItsTreeAndCompiles) {
  const Folder folder;
  for (const std::string function : {"mass_matrix", "inverse_dynamics", "kinematics"}) {
    std::string option = function;
    std::replace(option.begin(), option.end(), '_', '-');
    const Outcome outcome =
        run_program({"generate", file, "--function", option, "--language", "c", "-o", (folder / "code").string()});
    ASSERT_EQ(outcome.status, 0) << outcome.all();
    EXPECT_NE(outcome.all().find("operations"), std::string::npos) << outcome.all();
    const std::string source = (folder / "code").string() + "/" + function + ".c";
    EXPECT_EQ(std::system(("cc -std=c99 -Wall -Werror -c " + source + " -o " + source + ".o").c_str()), 0) << function;
  }
}

}  // namespace
}  // namespace coenergy::tests
