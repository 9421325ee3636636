// Public robots that fall onto the stops of their joints, by every implicit method.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "coenergy/io/urdf.hpp"
#include "tests/example_run.hpp"

namespace coenergy::tests {
namespace {

const char* const implicit_methods[] = {"radau",   "esdirk", "generalized-alpha", "hht",
                                        "newmark", "jansen", "backward-euler"};

/// The joints of a robot with rigid stops, and their ranges.
struct Range {
  std::string joint;
  double lower, upper;
};

std::vector<Range> find_ranges(const model::Model& robot) {
  std::vector<Range> ranges;
  for (const model::Component& c : robot.components) {
    Range range{c.name, NAN, NAN};
    for (const auto& [name, value] : c.values) {
      if (name == "lower") range.lower = std::stod(value.text);
      if (name == "upper") range.upper = std::stod(value.text);
    }
    if (!std::isnan(range.lower)) ranges.push_back(range);
  }
  return ranges;
}

/// One second under gravity; no joint passes its stops.
solve::Result fall(const std::string& name, const std::string& method, const model::Model& robot,
                   const equations::System& system) {
  solve::Options options;
  options.method = method, options.t_end = 1, options.output_step = 0.01;
  if (!solve::has_error_estimate(method)) options.step = 1e-3;
  const solve::Result r = solve::simulate(system, options);
  EXPECT_EQ(r.status, solve::Status::done) << name << " " << method << ": " << r.text;
  const std::vector<Range> ranges = find_ranges(robot);
  EXPECT_GT(ranges.size(), 5u);
  for (const Range& range : ranges)
    for (double q : r.signal(range.joint + ".q")) {
      // contact is held by accelerations; what is left of a rate fades within 10 ms
      EXPECT_GE(q, range.lower - 1e-6) << name << " " << method << " " << range.joint;
      EXPECT_LE(q, range.upper + 1e-6) << name << " " << method << " " << range.joint;
    }
  EXPECT_GT(r.statistics.events, 0) << name << " " << method;
  return r;
}

TEST(RobotStops, HoldByEveryImplicitMethod) {
#ifdef COENERGY_ALL_ROBOTS
  const std::vector<std::string> robots{"z1", "nao", "pr2", "talos_full_v2"};
#else
  const std::vector<std::string> robots{"z1"};
#endif
  for (const std::string& name : robots) {
    const auto file = std::filesystem::path(COENERGY_SOURCE_DIR).parent_path() / "shared" / "data" / (name + ".urdf");
    if (!std::filesystem::exists(file)) GTEST_SKIP() << "../shared/data is not there";
    const model::Model robot = io::read_urdf(file).model;
    const equations::System system = compile_model(robot);
    for (const char* method : implicit_methods) fall(name, method, robot, system);
  }
}

}  // namespace
}  // namespace coenergy::tests
