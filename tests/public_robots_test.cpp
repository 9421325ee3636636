// Public robots of ../shared/data: they load and start, or the joints that nothing with mass moves with are named; a second under
// gravity by every implicit method.
#include <cmath>
#include <filesystem>
#include <map>

#include "coenergy/io/robotran.hpp"
#include "coenergy/io/urdf.hpp"
#include "coenergy/solve/initialize.hpp"
#include "tests/example_run.hpp"

namespace coenergy::tests {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> find_robots() {
  std::vector<fs::path> files;
  const fs::path folder = fs::path(COENERGY_SOURCE_DIR).parent_path() / "shared" / "data";
  std::error_code absent;
  for (const auto& entry : fs::directory_iterator(folder, absent))
    if (entry.path().extension() == ".urdf" || entry.path().extension() == ".mbs") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

model::Model read_robot(const fs::path& file) {
  return file.extension() == ".mbs" ? io::read_robotran(file).model : io::read_urdf(file).model;
}

/// Robots with joints that carry links without mass, and one of these joints.
const std::map<std::string, std::string> massless = {{"romeo", "RThumb3"}, {"widowx", "gripper_revolute_joint"}};

TEST(PublicRobots, StartOrNameWhatHasNoMass) {
  const std::vector<fs::path> files = find_robots();
  if (files.empty()) GTEST_SKIP() << "../shared/data is not there";
  EXPECT_EQ(files.size(), 18u);
  for (const fs::path& file : files) {
    SCOPED_TRACE(file.filename());
    const equations::System system = compile_model(read_robot(file));
    EXPECT_GT(system.nv(), 5);
    EXPECT_GT(system.frames().size(), 5u);  // what is animated
    equations::Evaluator evaluator(system);
    EXPECT_EQ(solve::find_start_pose(evaluator).q.size(),
              static_cast<std::size_t>(system.nq()));  // geometry needs no mass
    const auto named = massless.find(file.stem().string());
    std::string told;
    try {
      EXPECT_TRUE(solve::initialize(evaluator).good);
    } catch (const Error& e) {
      told = e.what();
    }
    if (named == massless.end())
      EXPECT_EQ(told, "");
    else
      EXPECT_NE(told.find("the equations do not determine " + named->second + ".q"), std::string::npos) << told;
  }
}

#ifdef COENERGY_ALL_ROBOTS
TEST(PublicRobots, FallForASecondByEveryImplicitMethod) {
  for (const fs::path& file : find_robots()) {
    if (massless.count(file.stem().string()) != 0) continue;
    // its head is a point on three axes that meet: about the line to it the neck turns without inertia
    if (file.stem() == "icub") continue;
    const equations::System system = compile_model(read_robot(file));
    for (const char* method : {"radau", "esdirk", "generalized-alpha", "hht", "newmark", "jansen", "backward-euler"}) {
      solve::Options options;
      options.method = method, options.t_end = 1, options.output_step = 0.1;
      if (!solve::has_error_estimate(method)) options.step = 1e-3;
      const solve::Result r = solve::simulate(system, options);
      EXPECT_EQ(r.status, solve::Status::done) << file.filename() << " " << method << ": " << r.text;
      std::printf("%s %s %s %.1f s\n", file.stem().c_str(), method, r.text.c_str(), r.statistics.wall_time);
      for (const double x : r.row(r.times.size() - 1))
        EXPECT_TRUE(std::isfinite(x)) << file.filename() << " " << method;
    }
  }
}
#endif

}  // namespace
}  // namespace coenergy::tests
