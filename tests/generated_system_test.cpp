// Generated code of whole models: compiled without a warning, its steps are the run of the program.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <string>

#include "coenergy/io/csv.hpp"
#include "tests/program.hpp"

namespace coenergy::tests {
namespace {

/// An example, run up to `end` s: not at an instant where something switches, since there rows show either side.
struct Case {
  const char *folder, *name;
  double end;
  /// Of the program: where nothing is stiff that of order 8, which finds 1e-10 where Radau's at 1e-11 finds 1e-8.
  const char *method = "radau", *rtol = "1e-11", *atol = "1e-15";
};

constexpr Case quick[] = {{"01_pendulum", "pendulum", 9.8137},
                          {"04_four_bar_pid", "four_bar_digital", 0.98137},
                          {"06_hydraulic_cylinder", "hydraulic_cylinder", 0.49068}};

#ifdef COENERGY_ALL_EXAMPLES
/// Those of which both runs take seconds; tests/docs/generated-code.md tells of all.
constexpr Case all[] = {{"02_rlc", "rlc", 0.000981370},
                        {"03_dc_servo", "dc_servo", 0.49},
                        {"04_four_bar_pid", "four_bar_pid", 0.98137, "dop853", "1e-13", "1e-16"},
                        {"andrews", "andrews", 0.0294411},
                        {"bricard", "bricard", 9.8137},
                        {"class_e", "class_e", 9.8137e-05},
                        {"condenser_speaker", "condenser_speaker", 0.0490685, "dop853", "1e-13", "1e-18"},
                        {"induction_motor", "identification", 0.78137, "dop853", "1e-13", "1e-16"},
                        {"one_constraint", "one_constraint", 0.098137},
                        {"orthoglide", "orthoglide", 1.8137},
                        {"parts", "two_arms", 0.98137},
                        {"planar_motor", "coil_slide", 0.98137},
                        {"rlc_filter", "rlc_filter", 0.00098137},
                        {"scara", "robot", 0.98137},
                        {"scara", "scara", 0.98137},
                        {"scara", "scara_obstacle", 0.98137},
                        {"scara", "scara_sampled", 0.98137},
                        {"slider_crank", "slider_crank", 0.098137}};
#endif

const char* const warnings = "-std=c99 -O1 -ffp-contract=off -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror";

/// Both find 1e-10 of the largest value: the program by Radau's method of order 5 at a tolerance of 1e-11, the code by
/// that of order 9, whose error estimate, of order 5, is held to 1e-10. The largest value of its unit counts for a signal that is the
/// small difference of others.
void expect_same_run(const Case& c) {
  SCOPED_TRACE(std::string(c.folder) + "/" + c.name);
  const Folder folder;
  const std::string model = std::string(COENERGY_SOURCE_DIR) + "/examples/" + c.folder + "/" + c.name + ".yaml";
  constexpr int rows = 20;
  const Outcome run = run_program({"run", model, "-q", "--method", c.method, "--rtol", c.rtol, "--atol", c.atol,
                                   "--t-end", fmt::format("{}", c.end), "--output-step",
                                   fmt::format("{}", c.end / rows), "-o", (folder / "run.csv").string()});
  ASSERT_EQ(run.status, 0) << run.message;
  const Outcome made =
      run_program({"generate", model, "--function", "step", "--prefix", "plant", "-o", (folder / "code").string()});
  ASSERT_EQ(made.status, 0) << made.message;
  const std::string build = "cd " + (folder / "code").string() + " && cc " + warnings + " *.c -lm -o f && ./f " +
                            fmt::format("{}", c.end) + " " + std::to_string(rows) + " 1 1e-10 1e-14 > run.csv";
  ASSERT_EQ(std::system(build.c_str()), 0);
  const io::CsvData expected = io::read_csv(folder / "run.csv"), actual = io::read_csv(folder / "code" / "run.csv");
  ASSERT_EQ(actual.rows(), rows + 1u);
  const std::vector<double> times = expected.column("time"), at = actual.column("time");
  std::map<std::string, double> size;
  for (std::size_t k = 1; k < actual.columns(); ++k)
    for (const double value : expected.column(actual.names[k]))
      size[actual.units[k]] = std::max(size[actual.units[k]], std::abs(value));
  for (std::size_t k = 1; k < actual.columns(); ++k) {
    const std::vector<double> right = expected.column(actual.names[k]), found = actual.column(actual.names[k]);
    double largest = size[actual.units[k]];
    // what is zero but for round-off
    if (largest < 1e-9) largest = 1;
    // at the start something may switch at once, and rows show either side; the last one at its time is behind an event
    for (std::size_t i = 1; i < at.size(); ++i) {
      auto row =
          static_cast<std::size_t>(std::upper_bound(times.begin(), times.end(), at[i] + 1e-9 * c.end) - times.begin());
      ASSERT_GT(row, 0u);
      EXPECT_NEAR(found[i], right[row - 1], 1e-10 * largest) << actual.names[k] << " at " << at[i] << " s";
    }
  }
}

TEST(GeneratedSystem, StepsAreTheRunOfTheProgram) {
  if (std::system("command -v cc >/dev/null") != 0) GTEST_SKIP() << "there is no C compiler";
#ifdef COENERGY_ALL_EXAMPLES
  for (const Case& c : all) expect_same_run(c);
#else
  for (const Case& c : quick) expect_same_run(c);
#endif
}

}  // namespace
}  // namespace coenergy::tests
