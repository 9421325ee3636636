#pragma once
#include <string>

#include "coenergy/model/multibody.hpp"
#include "coenergy/system/builder.hpp"
#include "coenergy/system/kinematics.hpp"

namespace coenergy::system {

/// A coordinate of a joint and its rates.
struct LinkAngle {
  symbolic::Expr q, v, a;
};

/// x y z, p0 … p3, vx vy vz (world axes), wx wy wz (body axes).
void add_frame_signals(Builder& builder, const std::string& name, const model::FrameMotion& frame,
                       const SymbolicQuaternion& p);
/// q qd qdd, or the motion's own name instead of q.
void add_joint_signals(Builder& builder, const std::string& joint, const model::Motion& motion, const LinkAngle& angle);
/// p0 … p3, wx wy wz of a spherical motion: child against parent, in child axes.
void add_rotation_signals(Builder& builder, const std::string& name, const Variables::Rotation& rotation);

}  // namespace coenergy::system
