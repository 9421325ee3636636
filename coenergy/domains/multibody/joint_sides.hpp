#pragma once
#include "coenergy/domains/multibody/words.hpp"

namespace coenergy::domains::multibody {

/// What all joints have: two bodies and the place of the joint frame in each of them.
/// The joint frame of the parent, moved by the joint's motions, is the joint frame of the child.
struct JointSides {
  Frame parent, child;
  Vector parent_at, parent_angles, child_at, child_angles;
  Choice reaction;

  void describe(Description& d) {
    d.port(parent, "parent", "body (or ground) the joint starts from");
    d.port(child, "child", "body that moves against the parent");
    d.parameter(parent_at, "parent_at", "m", "joint frame in the parent: position").fallback("[0, 0, 0]");
    d.parameter(parent_angles, "parent_angles", "rad",
                "joint frame in the parent: angles about its x, then y, then z: R = Rz Ry Rx")
        .structural("right angles turn exactly")
        .fallback("[0, 0, 0]");
    d.parameter(child_at, "child_at", "m", "joint frame in the child: position").fallback("[0, 0, 0]");
    d.parameter(child_angles, "child_angles", "rad",
                "joint frame in the child: angles about its x, then y, then z: R = Rz Ry Rx")
        .structural("right angles turn exactly")
        .fallback("[0, 0, 0]");
    d.choice(reaction, "reaction", {"no", "yes"},
             "shows the force fx fy fz and torque tx ty tz on the child at its joint frame, world axes");
  }

  Joint make(Equations& eq, std::vector<Motion> motions) const {
    return {parent,
            child,
            eq[parent_at],
            eq[parent_angles],
            eq[child_at],
            eq[child_angles],
            std::move(motions),
            eq[reaction] == "yes"};
  }
};

inline Motion make_spherical() { return {Motion::Kind::spherical, {}, "", {}, {}}; }

/// Start value and start rate of one motion of a joint that has several: entries q1_0, q1d_0, q2_0 …
struct MotionStart {
  Parameter value, rate;

  void describe(Description& d, const std::string& name, Motion::Kind kind) {
    const bool turns = kind == Motion::Kind::rotation;
    d.parameter(value, name + "_0", turns ? "rad" : "m", "start value of " + name).fallback("0");
    d.parameter(rate, name + "d_0", turns ? "rad/s" : "m/s", "start rate of " + name).fallback("0");
  }
  /// Of a motion that only some instances of the joint have.
  void describe_optional(Description& d, const std::string& name, const std::string& when) {
    d.parameter(value, name + "_0", "rad", "start value of " + name + when).optional();
    d.parameter(rate, name + "d_0", "rad/s", "start rate of " + name + when).optional();
  }
  Motion make(Motion::Kind kind, const Vec3& axis, const std::string& name) const {
    return {kind, axis, name, value, rate};
  }
};

}  // namespace coenergy::domains::multibody
