#include "coenergy/mechanics/chain_pose.hpp"

namespace coenergy::mechanics {

using symbolic::Expr;
using symbolic::Mat3;
using symbolic::Vec3;

int compare_axes(const Vec3& a, const Vec3& b) { return same(a, b) ? 1 : same(a, -b) ? -1 : 0; }

void ChainPose::shift(const Vec3& d) {
  if (is_zero(d)) return;
  p_ = symbolic::let(*graph_, name_ + ".p", p_ + R() * d);
}

void ChainPose::turn(const FixedRotation& r) {
  if (r.identity) return;
  settle();
  R_ = base_ = let(*graph_, name_ + ".R", base_ * r.R);
  base_quaternion_ = multiply(base_quaternion_, r.p);
}

void ChainPose::turn(const SymbolicQuaternion& p) {
  settle();
  R_ = base_ = let(*graph_, name_ + ".R", base_ * rotation_of_quaternion(p));
  base_quaternion_ = let(*graph_, name_ + ".p", multiply(base_quaternion_, p));
}

void ChainPose::spin(const Vec3& axis, const Expr& angle, double value) {
  int side = is_zero(axis_) ? 0 : compare_axes(axis_, axis);
  if (side == 0) {
    settle();
    axis_ = axis;
    side = 1;
  }
  angle_ = side > 0 ? angle_ + angle : angle_ - angle;
  value_ += side * value;
  current_ = false;
}

void ChainPose::settle() {
  if (is_zero(axis_)) return;
  base_quaternion_ = let(*graph_, name_ + ".p", quaternion());
  base_ = R();
  axis_ = {};
  angle_ = 0;
  value_ = 0;
}

const Mat3& ChainPose::R() {
  if (!current_) R_ = let(*graph_, name_ + ".R", base_ * rotation_about(axis_, angle_));
  current_ = true;
  return R_;
}

SymbolicQuaternion ChainPose::quaternion() const {
  return is_zero(axis_) ? base_quaternion_ : multiply(base_quaternion_, quaternion_about(axis_, angle_));
}

}  // namespace coenergy::mechanics
