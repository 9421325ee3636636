// Public robots of ../shared/data: they load and start, or the joints that nothing with mass moves with are named; a second under
// gravity by every implicit method.
#include <cmath>
#include <filesystem>
#include <map>

#include "coenergy/analyze/inverse_kinematics.hpp"
#include "coenergy/io/robotran.hpp"
#include "coenergy/io/urdf.hpp"
#include "coenergy/solve/initialize.hpp"
#include "tests/example_run.hpp"
#include "tests/program.hpp"

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

TEST(PublicRobots, ARunThatDiesOfAMotionWithoutMassNamesIt) {
  // its head is a point on axes that meet: in its plane of symmetry roll and yaw of the neck move it alike
  const fs::path file = fs::path(COENERGY_SOURCE_DIR).parent_path() / "shared" / "data" / "icub.urdf";
  if (!fs::exists(file)) GTEST_SKIP() << "../shared/data is not there";
  const solve::Result r = solve::simulate(compile_model(read_robot(file)), {.t_end = 1});
  EXPECT_EQ(r.status, solve::Status::failed);
  EXPECT_NE(r.text.find("nothing with mass moves when these do together: neck_roll.q, neck_yaw.q; give their bodies "
                        "moments of inertia, or lock one of them"),
            std::string::npos)
      << r.text;
}

TEST(Mimics, StopTheJointThatTheyFollow) {
  // q2 = 2 q1 + 0.1 rad within −0.5 … 0.9 rad, and q3 = −q2: q1 stays within −0.3 … 0.4 rad
  const io::RobotFile robot = io::parse_urdf(R"(<robot name="r"><link name="world"/>
<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<link name="c"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<joint name="q1" type="revolute"><parent link="world"/><child link="a"/><axis xyz="0 0 1"/>
  <limit lower="-1" upper="1"/></joint>
<joint name="q2" type="revolute"><parent link="a"/><child link="b"/><origin xyz="0.5 0 0"/><axis xyz="0 0 1"/>
  <limit lower="-0.5" upper="0.9"/><mimic joint="q1" multiplier="2" offset="0.1"/></joint>
<joint name="q3" type="revolute"><parent link="b"/><child link="c"/><origin xyz="0.5 0 0"/><axis xyz="0 0 1"/>
  <limit lower="-2" upper="2"/><mimic joint="q2" multiplier="-1"/></joint></robot>)",
                                             "r.urdf");
  const equations::System system = compile_model(robot.model);
  EXPECT_NEAR(system.parameter(system.find_parameter("q1.lower")), -0.3, 1e-15);
  EXPECT_NEAR(system.parameter(system.find_parameter("q1.upper")), 0.4, 1e-15);
  equations::Evaluator evaluator(system);
  const equations::Point start = solve::find_start_pose(evaluator);
  const int q1 = 0;
  ASSERT_EQ(system.unknown(q1).name, "q1.q");
  const auto reach = [&](double angle) {
    // the tip of c, 0.5 m long, at that angle of q1
    const double second = angle + 2 * angle + 0.1;
    const analyze::Target target{{0.5 * std::cos(angle) + 0.5 * std::cos(second) + 0.5 * std::cos(angle),
                                  0.5 * std::sin(angle) + 0.5 * std::sin(second) + 0.5 * std::sin(angle), 0},
                                 {}};
    return analyze::find_configuration(evaluator, start, {"c", {0.5, 0, 0}}, target, {{q1, -0.3, 0.4}});
  };
  const analyze::Reach near = reach(0.35), far = reach(0.55);
  EXPECT_TRUE(near.good);
  EXPECT_NEAR(near.point.q[q1], 0.35, 1e-8);
  EXPECT_FALSE(far.good);
  EXPECT_EQ(far.at_limit, std::vector<int>{q1});
  EXPECT_NEAR(far.point.q[q1], 0.4, 1e-12);
  // no range in common: told, and the own one stays
  const io::RobotFile odd = io::parse_urdf(R"(<robot name="r"><link name="world"/>
<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<joint name="p" type="prismatic"><parent link="world"/><child link="a"/><axis xyz="1 0 0"/>
  <limit lower="0" upper="1"/></joint>
<joint name="s" type="prismatic"><parent link="world"/><child link="b"/><axis xyz="1 0 0"/>
  <limit lower="0" upper="1"/><mimic joint="p" multiplier="-1"/></joint></robot>)",
                                           "r.urdf");
  ASSERT_EQ(odd.notes.size(), 1u);
  EXPECT_EQ(odd.notes[0], "joint s mimics p but has no range in common with it: its limits are left out");
}

#ifdef COENERGY_ALL_ROBOTS
TEST(PublicRobots, GiveInverseDynamicsMassesAndPlacesAsCode) {
  const Folder folder;
  for (const fs::path& file : find_robots()) {
    SCOPED_TRACE(file.filename());
    const equations::System system = compile_model(read_robot(file));
    const std::string body(system.frames().back().name), out = (folder / file.stem().string()).string();
    for (const std::vector<std::string>& function : std::vector<std::vector<std::string>>{
             {"inverse-dynamics"}, {"mass-matrix"}, {"kinematics", "--points", body}}) {
      std::vector<std::string> words{"generate", file.string(), "-o", out, "--function"};
      words.insert(words.end(), function.begin(), function.end());
      const Outcome o = run_program(words);
      EXPECT_EQ(o.status, 0) << o.all();
    }
    EXPECT_EQ(std::system(("cd " + out + " && cc -c inverse_dynamics.c mass_matrix.c kinematics.c").c_str()), 0);
  }
}

TEST(PublicRobots, FallForASecondByEveryImplicitMethod) {
  for (const fs::path& file : find_robots()) {
    if (massless.count(file.stem().string()) != 0) continue;
    // see ARunThatDiesOfAMotionWithoutMassNamesIt
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
