#include "coenergy/system/mechanism_signals.hpp"

namespace coenergy::system {

namespace {
const char* const axis[] = {"x", "y", "z"};
}

void add_frame_signals(Builder& builder, const std::string& name, const model::FrameMotion& frame,
                       const SymbolicQuaternion& p) {
  for (int i = 0; i < 3; ++i) builder.add_signal(name + "." + axis[i], "m", frame.p_WB[i]);
  for (int i = 0; i < 4; ++i) builder.add_signal(name + ".p" + std::to_string(i), "", p[i]);
  for (int i = 0; i < 3; ++i) builder.add_signal(name + ".v" + axis[i], "m/s", frame.v_WB[i]);
  for (int i = 0; i < 3; ++i) builder.add_signal(name + ".w" + axis[i], "rad/s", frame.w_WB_B[i]);
}

void add_joint_signals(Builder& builder, const std::string& joint, const model::Motion& motion,
                       const LinkAngle& angle) {
  const bool turns = motion.kind == model::Motion::Kind::rotation;
  const std::string name = joint + "." + motion.name;
  builder.add_signal(name, turns ? "rad" : "m", angle.q);
  builder.add_signal(name + "d", turns ? "rad/s" : "m/s", angle.v);
  builder.add_signal(name + "dd", turns ? "rad/s2" : "m/s2", angle.a);
}

void add_rotation_signals(Builder& builder, const std::string& name, const Variables::Rotation& rotation) {
  for (int i = 0; i < 4; ++i) builder.add_signal(name + ".p" + std::to_string(i), "", rotation.p[i]);
  for (int i = 0; i < 3; ++i) builder.add_signal(name + ".w" + axis[i], "rad/s", rotation.w[i]);
}

}  // namespace coenergy::system
