#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::multibody {

using model::Frame;
using model::FrameMotion;
using model::Joint;
using model::Mat3;
using model::Motion;
using model::RigidBody;
using model::Shape;
using model::Vec3;
using model::Vector;

/// A point fixed to a frame: position, velocity and lever, world axes.
struct PointMotion {
  Vec3 p, v, lever;
};

inline PointMotion make_point(const FrameMotion& frame, const Vec3& at) {
  PointMotion point;
  point.lever = frame.R_WB * at;
  point.p = frame.p_WB + point.lever;
  point.v = frame.v_WB + frame.R_WB * cross(frame.w_WB_B, at);
  return point;
}

/// A force at a point of the body that carries the frame, world axes.
inline void apply_at(Equations& eq, Frame frame, const PointMotion& point, const Vec3& force) {
  eq.apply(frame, force, cross(point.lever, force));
}

}  // namespace coenergy::domains::multibody
