// Machine code can be turned off, and every example then gives the same bytes; it is never writable and executable.
#include <gtest/gtest.h>

#include <fstream>

#include "coenergy/io/model_file.hpp"
#include "coenergy/io/simulation_options.hpp"
#include "coenergy/symbolic/native.hpp"
#include "tests/example_run.hpp"
#include "tests/program.hpp"

namespace coenergy::tests {
namespace {

std::vector<std::string> find_examples() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(COENERGY_SOURCE_DIR "/examples"))
    if (entry.path().extension() == ".yaml") files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

TEST(NativeSwitch, EveryExampleGivesTheSameBytesWithoutNativeCode) {
  const Folder folder;
  int runs = 0;
  for (const std::string& file : find_examples()) {
    const model::Model model = io::read_model(file);
    if (model.simulate.empty()) continue;  // a part that others include
    // a twentieth of the run; the rest repeats it
    const std::string end = std::to_string(io::read_simulation_options(model).t_end / 20) + " s";
    const std::string with = (folder / "with.csv").string(), without = (folder / "without.csv").string();
    const Outcome native = run_program({"run", file, "-q", "--t-end", end, "-o", with});
    const Outcome plain = run_program({"run", file, "-q", "--t-end", end, "--no-native", "-o", without});
    EXPECT_EQ(native.status, plain.status) << file << "\n" << native.all() << plain.all();
    EXPECT_EQ(native.message, plain.message) << file;
    if (native.status != 0) continue;
    EXPECT_TRUE(read_text(with) == read_text(without)) << file;
    ++runs;
  }
  EXPECT_GE(runs, 20);
}

TEST(NativeSwitch, CodeIsNeverWritableAndExecutable) {
  const equations::System s = compile_model(read_example("04_four_bar_pid", "four_bar_pid"));
  equations::Evaluator evaluator(s);
  solve::simulate(s, {.t_end = 0.02, .method = "radau"});
  std::ifstream maps("/proc/self/maps");
  if (!maps) GTEST_SKIP() << "there is no table of memory pages";
  int anonymous_code = 0;
  for (std::string line; std::getline(maps, line);) {
    const std::string rights = line.substr(line.find(' ') + 1, 4);
    EXPECT_FALSE(rights.find('w') != std::string::npos && rights.find('x') != std::string::npos) << line;
    const bool has_file = line.find('/') != std::string::npos || line.find('[') != std::string::npos;
    anonymous_code += rights.find('x') != std::string::npos && !has_file ? 1 : 0;
  }
  // there is code made at run time to look at, where this machine allows it
  if (symbolic::native_lanes() > 1) {
    EXPECT_GT(anonymous_code, 0);
  }
}

}  // namespace
}  // namespace coenergy::tests
