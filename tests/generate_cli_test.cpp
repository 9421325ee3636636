// The verb generate: files, counts, refusals.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/program.hpp"

namespace coenergy::tests {
namespace {

const std::string model = std::string(COENERGY_SOURCE_DIR) + "/examples/04_four_bar_pid/four_bar_pid.yaml";

TEST(GenerateCli, WritesSourcesAndPrintsCounts) {
  const Folder folder;
  const Outcome o = run_program({"generate", model, "--function", "mass-matrix", "--language", "python", "-o",
                                 (folder / "code").string(), "--json"});
  EXPECT_EQ(o.status, 0) << o.message;
  for (const char* key : {"\"operations\"", "\"multiplications\"", "\"symbolic\"", "\"numeric\"", "\"constants\""})
    EXPECT_NE(o.output.find(key), std::string::npos) << key;
  EXPECT_TRUE(std::filesystem::exists(folder / "code" / "mass_matrix.py"));
  EXPECT_TRUE(std::filesystem::exists(folder / "code" / "mass_matrix_main.py"));
  EXPECT_NE(o.output.find("loops are cut at"), std::string::npos);
}

TEST(GenerateCli, WrongArgumentsAreRefused) {
  const auto refuse = [](std::vector<std::string> more) {
    std::vector<std::string> words{"generate", model};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome o = run_program(words);
    EXPECT_EQ(o.status, 2);
    return o.message;
  };
  EXPECT_EQ(refuse({"--function", "inverse"}),
            "--function inverse must be one of inverse-dynamics, forward-dynamics, mass-matrix, kinematics, "
            "constraints\n");
  EXPECT_EQ(refuse({"--function", "kinematics", "--points", "crank:1,2"}),
            "--points crank:1,2: write BODY:X,Y,Z in metres, such as --points hand:0,0,0.1\n");
  EXPECT_EQ(refuse({"--function", "kinematics", "--language", "fortran"}),
            "--language fortran must be one of c, cpp, matlab, python\n");
}

}  // namespace
}  // namespace coenergy::tests
