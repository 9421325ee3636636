// The verbs of studies as a user meets them: solve, identify, optimize, study.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/program.hpp"

namespace coenergy::tests {
namespace {

using Json = nlohmann::json;

const std::string circles =
    "model: two circles\n"
    "unknowns: {x: {guess: 0 m, min: 0 m, max: 20 m}, y: {guess: 0 m, min: -20 m, max: 30 m}}\n"
    "residuals: [(x - 8 m)^2 + (y - 4 m)^2 = (3 m)^2, (x - 11 m)^2 + (y - 7 m)^2 = (2 m)^2]\n";

TEST(SolveVerb, PrintsUnknownsAndTheTable) {
  const Folder folder;
  const std::string model = folder.write("quadratic.yaml", "unknowns: {x: 0}\nresiduals: [2*x^2 + 7*x + 3 = 0]\n");
  const Outcome told = run_program({"solve", model, "--trace"});
  EXPECT_EQ(told.status, 0) << told.message;
  EXPECT_NE(told.output.find("-0.42857143"), std::string::npos) << told.output;
  EXPECT_NE(told.output.find("-0.5"), std::string::npos);
  const Outcome other = run_program({"solve", model, "--guess", "x=-10", "--json", "--trace"});
  EXPECT_EQ(other.status, 0) << other.message;
  const Json j = Json::parse(other.output);
  EXPECT_NEAR(j["unknowns"]["x"].get<double>(), -3, 1e-14);
  EXPECT_NEAR(j["trace"][1]["unknowns"]["x"].get<double>(), -5.969696969697, 1e-11);
  const Outcome singular = run_program({"solve", model, "--guess", "x=-7/4"});
  EXPECT_EQ(singular.status, 1);
  EXPECT_NE(singular.message.find("solve: the Jacobian is singular at x = -1.75"), std::string::npos)
      << singular.message;
}

TEST(SolveVerb, FindsAllRootsOfABox) {
  const Folder folder;
  const std::string model = folder.write("circles.yaml", circles);
  const Outcome told = run_program({"solve", model, "--all", "--json"});
  EXPECT_EQ(told.status, 0) << told.message;
  const Json j = Json::parse(told.output);
  ASSERT_EQ(j["roots"].size(), 2u);
  EXPECT_NEAR(j["roots"][0]["unknowns"]["x"].get<double>(), 9.0076, 0.5e-4);
  EXPECT_NEAR(j["roots"][1]["unknowns"]["y"].get<double>(), 5.0076, 0.5e-4);
  EXPECT_EQ(j["units"]["x"], "m");
}

TEST(SolveVerb, RefusesWhatIsWrongByName) {
  const Folder folder;
  const auto tell = [&](const std::string& text, std::vector<std::string> more = {}) {
    std::vector<std::string> words{"solve", folder.write("m.yaml", text)};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = run_program(words);
    EXPECT_EQ(outcome.status, 2) << outcome.all();
    return outcome.message;
  };
  EXPECT_NE(tell("unknowns: {x: 1, y: 2}\nresiduals: [x + y = 3]\n")
                .find("1 residuals for 2 unknowns (x, y): there must be as many"),
            std::string::npos);
  EXPECT_NE(tell("unknowns: {x: 1 m}\nresiduals: [x = 3 s]\n")
                .find("m.yaml:2:15: residual 1: cannot subtract (3 s) from x (m)"),
            std::string::npos);
  EXPECT_NE(
      tell("unknowns: {x: {guess: 4, min: 0, max: 3}}\nresiduals: [x = 2]\n").find("the guess 4 must lie in [0, 3]"),
      std::string::npos);
  EXPECT_NE(tell("components: {}\n").find("the model has no unknowns"), std::string::npos);
  EXPECT_NE(
      tell("unknowns: {x: 1}\nresiduals: [x = 2]\n", {"--guess", "z=1"}).find("--guess z: there is no such unknown"),
      std::string::npos);
  EXPECT_NE(tell("unknowns: {x: 1}\nresiduals: [x = 2]\n", {"--all"}).find("m.yaml:1:15: unknowns.x needs min and max"),
            std::string::npos);
}

}  // namespace
}  // namespace coenergy::tests
