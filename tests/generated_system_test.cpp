// Generated code of whole models: compiled without a warning, its steps are the run of the program.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "coenergy/io/csv.hpp"
#include "tests/program.hpp"

namespace coenergy::tests {
namespace {

/// An example, run up to `end` s: not at an instant where something switches, since there rows show either side.
struct Case {
  const char *folder, *name;
  double end;
};

constexpr Case quick[] = {{"01_pendulum", "pendulum", 9.8137},
                          {"04_four_bar_pid", "four_bar_digital", 0.98137},
                          {"06_hydraulic_cylinder", "hydraulic_cylinder", 0.49068}};

const char* const warnings = "-std=c99 -O1 -ffp-contract=off -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror";

/// Both find 1e-10 of the largest value: the program by Radau's method of order 5 at a tolerance of 1e-11, the code by
/// that of order 9, whose error estimate, of order 5, is held to 1e-9.
void expect_same_run(const Case& c) {
  SCOPED_TRACE(std::string(c.folder) + "/" + c.name);
  const Folder folder;
  const std::string model = std::string(COENERGY_SOURCE_DIR) + "/examples/" + c.folder + "/" + c.name + ".yaml";
  constexpr int rows = 20;
  const Outcome run = run_program({"run", model, "-q", "--method", "radau", "--rtol", "1e-11", "--atol", "1e-13",
                                   "--t-end", fmt::format("{}", c.end), "--output-step",
                                   fmt::format("{}", c.end / rows), "-o", (folder / "run.csv").string()});
  ASSERT_EQ(run.status, 0) << run.message;
  const Outcome made =
      run_program({"generate", model, "--function", "step", "--prefix", "plant", "-o", (folder / "code").string()});
  ASSERT_EQ(made.status, 0) << made.message;
  const std::string build = "cd " + (folder / "code").string() + " && cc " + warnings + " *.c -lm -o f && ./f " +
                            fmt::format("{}", c.end) + " " + std::to_string(rows) + " 1 1e-9 > run.csv";
  ASSERT_EQ(std::system(build.c_str()), 0);
  const io::CsvData expected = io::read_csv(folder / "run.csv"), actual = io::read_csv(folder / "code" / "run.csv");
  ASSERT_EQ(actual.rows(), rows + 1u);
  const std::vector<double> times = expected.column("time"), at = actual.column("time");
  for (std::size_t k = 1; k < actual.columns(); ++k) {
    const std::vector<double> right = expected.column(actual.names[k]), found = actual.column(actual.names[k]);
    double largest = 0;
    for (const double value : right) largest = std::max(largest, std::abs(value));
    // what is zero but for round-off
    if (largest < 1e-9) largest = 1;
    for (std::size_t i = 0; i < at.size(); ++i) {
      // the first row is before what happens at the start, the last one at its time is behind an event
      auto row =
          static_cast<std::size_t>(std::upper_bound(times.begin(), times.end(), at[i] + 1e-9 * c.end) - times.begin());
      ASSERT_GT(row, 0u);
      EXPECT_NEAR(found[i], right[row - 1], 1e-10 * largest) << actual.names[k] << " at " << at[i] << " s";
    }
  }
}

TEST(GeneratedSystem, StepsAreTheRunOfTheProgram) {
  if (std::system("command -v cc >/dev/null") != 0) GTEST_SKIP() << "there is no C compiler";
  for (const Case& c : quick) expect_same_run(c);
}

}  // namespace
}  // namespace coenergy::tests
