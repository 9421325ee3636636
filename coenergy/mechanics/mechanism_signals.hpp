#pragma once
#include <functional>
#include <string>

#include "coenergy/equations/builder.hpp"
#include "coenergy/mechanics/kinematics.hpp"
#include "coenergy/model/multibody.hpp"

namespace coenergy::mechanics {

// Signals of bodies and joints. Each kind is declared when the mechanism is made, so that expressions may use it, and
// defined when all forces are known; `early` tells a value that is known before.

/// A coordinate of a joint and its rates.
struct LinkAngle {
  symbolic::Expr q, v, a;
};

/// Motion and turn of a frame.
struct FrameSymbols {
  model::FrameMotion motion;
  SymbolicQuaternion p;
};

/// FRAME.x y z, p0 … p3, vx vy vz (world axes), wx wy wz (body axes) of a body, or of a frame that it names.
void declare_frame_signals(equations::Builder& builder, const std::string& body, const std::string& frame,
                           const std::function<FrameSymbols()>& early);
void define_frame_signals(equations::Builder& builder, const std::string& frame, const FrameSymbols& symbols);

/// q qd qdd, or the motion's own name instead of q.
void declare_joint_signals(equations::Builder& builder, const std::string& joint, const model::Motion& motion,
                           const std::function<LinkAngle()>& early);
void define_joint_signals(equations::Builder& builder, const std::string& joint, const model::Motion& motion,
                          const LinkAngle& angle);

/// p0 … p3, wx wy wz of a spherical motion: child against parent, in child axes.
void declare_rotation_signals(equations::Builder& builder, const std::string& joint, int rotation);
void define_rotation_signals(equations::Builder& builder, const std::string& joint, int rotation);

/// fx fy fz, tx ty tz that a joint carries, on the child at its joint frame, world axes. A `refusal` says why this
/// formulation does not know them.
void declare_reaction_signals(equations::Builder& builder, const std::string& joint, const std::string& refusal = "");
void define_reaction_signals(equations::Builder& builder, const std::string& joint, const symbolic::Vec3& force_W,
                             const symbolic::Vec3& torque_W);

}  // namespace coenergy::mechanics
