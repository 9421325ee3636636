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

/// A picture between points of two bodies: a line, or a spring.
inline Shape make_line(Equations& eq, const char* kind, Frame a, Vector a_at, Frame b, Vector b_at) {
  Shape shape;
  shape.kind = kind;
  for (auto [frame, at] : {std::pair(a, a_at), std::pair(b, b_at)}) {
    const std::vector<double> x = eq.numbers(at);
    shape.points.push_back({frame, {x[0], x[1], x[2]}});
  }
  return shape;
}

}  // namespace coenergy::domains::multibody
