// The verb generate: files, counts, refusals.
#include <gtest/gtest.h>

#include <filesystem>

#include "coenergy/io/csv.hpp"
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

TEST(GenerateCli, TheMainProgramPrintsTheRowsOfARunOfTheModel) {
  if (std::system("command -v cc >/dev/null") != 0) GTEST_SKIP() << "there is no C compiler";
  const Folder folder;
  const std::string file = folder.write("arm.yaml", R"y(
components:
  g: {type: multibody.Gravity, g: [0, -9.81, 0]}
  upper: {type: multibody.Body, mass: 2, com: [0.2, 0, 0], inertia: [0, 0, 0.03]}
  lower: {type: multibody.Body, mass: 1, com: [0.15, 0, 0], inertia: [0, 0, 0.01]}
  shoulder: {type: multibody.Revolute, parent: ground, child: upper, q0: 30 deg, torque: "2 N.m*sin(3 rad/s*time)"
}
  elbow: {type: multibody.Revolute, parent: upper, parent_at: [0.4, 0, 0], child: lower, q0: 20 deg, stiffness: 5, damping: 0.1}
simulate: {t_start: 1 s, t_end: 2 s, output_step: 20 ms, method: dop853, rtol: 1e-11, atol: 1e-11}
)y");
  ASSERT_EQ(run_program({"run", file, "-o", (folder / "run.csv").string()}).status, 0);
  const Outcome o = run_program({"generate", file, "--function", "forward-dynamics", "-o", (folder / "code").string()});
  ASSERT_EQ(o.status, 0) << o.message;
  const std::string build = "cd " + (folder / "code").string() + " && cc -std=c99 *.c -lm -o f && ./f run > run.csv";
  ASSERT_EQ(std::system(build.c_str()), 0);
  const io::CsvData expected = io::read_csv(folder / "run.csv"), actual = io::read_csv(folder / "code" / "run.csv");
  ASSERT_EQ(actual.rows(), 51u);
  ASSERT_EQ(expected.rows(), 51u);
  for (std::size_t k = 0; k < actual.columns(); ++k) {
    const auto of_program = expected.column(actual.names[k]), of_code = actual.column(actual.names[k]);
    // Runge–Kutta of order 4 with 1 ms: h⁴ times rates of some 20/s to the fifth power
    for (std::size_t i = 0; i < of_code.size(); ++i)
      EXPECT_NEAR(of_code[i], of_program[i], 1e-7) << actual.names[k] << " " << i;
  }
  EXPECT_EQ(actual.names, (std::vector<std::string>{"time", "shoulder.q", "elbow.q", "shoulder.qd", "elbow.qd"}));
  EXPECT_EQ(actual.units, (std::vector<std::string>{"s", "rad", "rad", "rad/s", "rad/s"}));
}

TEST(GenerateCli, FunctionsOfTheWholeModelRefuseWhatTheyDoNotUse) {
  const Folder folder;
  const auto refuse = [&](std::vector<std::string> more) {
    std::vector<std::string> words{"generate", model, "-o", (folder / "code").string(), "--function"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome o = run_program(words);
    EXPECT_EQ(o.status, 2) << o.all();
    return o.message;
  };
  EXPECT_NE(refuse({"step", "--joints", "joint"})
                .find("--joints belongs to functions of a mechanism; step is one of "
                      "the whole model"),
            std::string::npos);
  EXPECT_NE(refuse({"step", "--language", "python"}).find("is written as c or cpp"), std::string::npos);
  EXPECT_NE(refuse({"step", "--prefix", "2x"}).find("prefix: \"2x\" cannot begin a name in C"), std::string::npos);
  EXPECT_NE(refuse({"steps"}).find("did you mean step?"), std::string::npos);
  EXPECT_NE(refuse({"step", "--outputs", "pivot.qd,joint.qq"}).find("did you mean joint.q"), std::string::npos);
  EXPECT_NE(refuse({"step", "--input", "motor.v"}).find("there is no"), std::string::npos);
  EXPECT_NE(refuse({"mass-matrix", "--prefix", "arm"}).find("--prefix belongs to functions of the whole model"),
            std::string::npos);
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
            "--function inverse must be one of derivatives, residual, outputs, events, step, linearize, "
            "inverse-dynamics, forward-dynamics, mass-matrix, kinematics, "
            "constraints, inverse-dynamics-derivatives, forward-dynamics-derivatives, regressor\n");
  EXPECT_EQ(refuse({"--function", "kinematics", "--points", "crank:1,2"}),
            "--points crank:1,2: write BODY:X,Y,Z in metres, such as --points hand:0,0,0.1\n");
  EXPECT_EQ(refuse({"--function", "kinematics", "--language", "fortran"}),
            "--language fortran must be one of c, cpp, matlab, python\n");
}

}  // namespace
}  // namespace coenergy::tests
