#pragma once
#include <array>

#include "coenergy/domains/multibody/joint_sides.hpp"

namespace coenergy::domains::multibody {

/// The three free rotations of a ball joint: a unit quaternion, which has no singular position, or a chain of three
/// single turns about axes of the frames in between (massless ones), as in `as: xyz`: R = R_x(q1) R_y(q2) R_z(q3). A
/// chain has joint angles to read and to drive, and is singular where the middle turn makes the outer axes parallel.
struct FreeTurn {
  Choice as;
  std::array<MotionStart, 3> turn;

  /// The angles are named q{first}, q{first+1}, q{first+2}.
  void describe(Description& d, int first) {
    d.choice(as, "as",
             {"quaternion", "xyz", "xzy", "yxz", "yzx", "zxy", "zyx", "zxz", "zyz", "xyx", "xzx", "yxy", "yzy"},
             "quaternion: never singular; or a chain of three turns about these axes, with angles as coordinates");
    for (int k = 0; k < 3; ++k) turn[k].describe_optional(d, name(first + k), ", of a chain");
  }

  std::vector<Motion> make(Equations& eq, int first) const {
    const std::string axes = eq[as];
    if (axes == "quaternion") {
      for (const MotionStart& start : turn)
        if (eq.has(start.value) || eq.has(start.rate))
          eq.refuse(
              "start angles belong to a chain of turns (as: xyz, …); a quaternion starts from the angles and the "
              "angular_velocity of the child body");
      return {make_spherical()};
    }
    std::vector<Motion> motions;
    for (int k = 0; k < 3; ++k) {
      Vec3 axis;
      axis[axes[k] - 'x'] = 1;
      motions.push_back(turn[k].make(Motion::Kind::rotation, axis, name(first + k)));
    }
    return motions;
  }

 private:
  static std::string name(int k) { return "q" + std::to_string(k); }
};

}  // namespace coenergy::domains::multibody
