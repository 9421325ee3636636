#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "coenergy/equations/system.hpp"
#include "coenergy/math/rotation.hpp"
#include "coenergy/mechanics/body_point.hpp"

namespace coenergy::analyze {

struct Pose {
  math::Vector3 position{};
  math::Quaternion rotation{1, 0, 0, 0};  ///< v_W = R v_body
};

/// Where a point shall be, and how its body shall be turned where that is asked for.
struct Target {
  math::Vector3 position{};
  std::optional<math::Quaternion> rotation;
};

/// Range of a scalar coordinate.
struct Limit {
  int coordinate = 0;
  double lower = 0, upper = 0;
};

/// Forward kinematics: the pose of a point at q of p. Throws Error for a body that is not there.
Pose find_pose(equations::Evaluator& evaluator, const equations::Point& p, const mechanics::BodyPoint& point);

struct KinematicsOptions {
  double tolerance = 1e-10;  ///< of the gap, m and rad
  int max_iterations = 200;
  int restarts = 20;  ///< from random configurations, where the start leads nowhere
  unsigned seed = 1;
};

/// A configuration that brings a point to its target, or as near as can be.
struct Reach {
  bool good = false;
  equations::Point point;          ///< q closes all loops and keeps all limits
  double distance = 0, angle = 0;  ///< gaps left, m and rad
  Pose pose;                       ///< of the point
  std::vector<int> at_limit;       ///< coordinates at one of their limits
  int iterations = 0;
};

/// Inverse kinematics by Levenberg–Marquardt on the gap e(q) and the constraints Φ(q) of closed loops together:
///   (AᵀA + μ D) δ = −Aᵀ(e; Φ),   A = (∂e/∂q; Φ_q)
/// with coordinates that would leave their range held at its end and loops closed after every step, from q of `start`.
/// Constraints that depend on time (drives) are left out: the joints shall move. Derivatives are those of the model's
/// equations, not differences.
Reach find_configuration(equations::Evaluator& evaluator, const equations::Point& start,
                         const mechanics::BodyPoint& point, const Target& target, const std::vector<Limit>& limits,
                         const KinematicsOptions& options = {});

}  // namespace coenergy::analyze
