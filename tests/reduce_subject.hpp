#pragma once
#include "coenergy/reduce/local_model.hpp"
#include "coenergy/solve/initialize.hpp"
#include "tests/example_run.hpp"

namespace coenergy::tests {

/// A mechanism that is reduced, from its start pose on.
struct Subject {
  equations::System system;
  equations::Point start;
  reduce::Mechanism mechanism;

  Subject(const model::Model& model, const reduce::Choice& choice)
      : system(compile_model(model)), start(pose_of(system)), mechanism(system, choice, start) {}
  static equations::Point pose_of(const equations::System& system) {
    equations::Evaluator evaluator(system);
    return solve::find_start_pose(evaluator);
  }
  reduce::LocalModel at(const std::vector<double>& theta) {
    const reduce::Pose pose = find_pose(mechanism, start, theta);
    EXPECT_TRUE(pose.good) << pose.text;
    return make_local_model(mechanism, pose.point);
  }
};

inline reduce::Choice fb1_choice() {
  return {.theta = {"h1"}, .directions = {"tip.z"}, .gravity = {"gravity.g[0]", "gravity.g[1]", "gravity.g[2]"}};
}
inline const reduce::Choice og1_choice{.theta = {"rail_x", "rail_y", "rail_z"}};

}  // namespace coenergy::tests
