#include "coenergy/mechanics/mechanism_signals.hpp"

#include "coenergy/base/error.hpp"

namespace coenergy::mechanics {

using equations::Builder;
using equations::make_signal_info;
using equations::SignalInfo;
using equations::SignalKind;
using equations::Variables;

using symbolic::Expr;

namespace {

struct Field {
  const char *name, *unit;
  SignalKind kind;
};

constexpr int turn = 3, velocity = 7, rate = 10;  ///< first fields of these in a frame
constexpr Field frame_fields[] = {
    {"x", "m", SignalKind::pose},     {"y", "m", SignalKind::pose},      {"z", "m", SignalKind::pose},
    {"p0", "", SignalKind::pose},     {"p1", "", SignalKind::pose},      {"p2", "", SignalKind::pose},
    {"p3", "", SignalKind::pose},     {"vx", "m/s", SignalKind::rate},   {"vy", "m/s", SignalKind::rate},
    {"vz", "m/s", SignalKind::rate},  {"wx", "rad/s", SignalKind::rate}, {"wy", "rad/s", SignalKind::rate},
    {"wz", "rad/s", SignalKind::rate}};
constexpr Field reaction_fields[] = {{"fx", "N", SignalKind::reaction}, {"tx", "N.m", SignalKind::reaction},
                                     {"fy", "N", SignalKind::reaction}, {"ty", "N.m", SignalKind::reaction},
                                     {"fz", "N", SignalKind::reaction}, {"tz", "N.m", SignalKind::reaction}};

Expr value_of(const FrameSymbols& frame, int field) {
  return field < turn       ? frame.motion.p_WB[field]
         : field < velocity ? frame.p[static_cast<std::size_t>(field - turn)]
         : field < rate     ? frame.motion.v_WB[field - velocity]
                            : frame.motion.w_WB_B[field - rate];
}

/// The name of a frame's field; it belongs to the body.
SignalInfo make_info(const std::string& body, const std::string& frame, const Field& field) {
  return {frame + "." + field.name, field.unit, field.kind, model::Domain::frame, static_cast<int>(body.size())};
}

bool is_turn(int field) { return field >= turn && field < velocity; }

}  // namespace

void declare_frame_signals(Builder& builder, const std::string& body, const std::string& frame,
                           const std::function<FrameSymbols()>& early) {
  for (int k = 0; k < static_cast<int>(std::size(frame_fields)); ++k)
    builder.declare_signal(make_info(body, frame, frame_fields[k]), [early, k] { return value_of(early(), k); });
}

void define_frame_signals(Builder& builder, const std::string& frame, const FrameSymbols& symbols) {
  builder.begin_frame(frame);
  for (int k = 0; k < static_cast<int>(std::size(frame_fields)); ++k)
    builder.define_signal(frame + "." + frame_fields[k].name, value_of(symbols, k));
}

void declare_joint_signals(Builder& builder, const std::string& joint, const model::Motion& motion,
                           const std::function<LinkAngle()>& early) {
  const bool turns = motion.kind == model::Motion::Kind::rotation;
  const model::Domain domain = turns ? model::Domain::rotational : model::Domain::translational;
  builder.declare_signal(make_signal_info(joint, motion.name, turns ? "rad" : "m", SignalKind::coordinate, domain),
                         [early] { return early().q; });
  builder.declare_signal(make_signal_info(joint, motion.name + "d", turns ? "rad/s" : "m/s", SignalKind::rate, domain),
                         [early] { return early().v; });
  builder.declare_signal(
      make_signal_info(joint, motion.name + "dd", turns ? "rad/s2" : "m/s2", SignalKind::acceleration, domain),
      [early] { return early().a; });
}

void define_joint_signals(Builder& builder, const std::string& joint, const model::Motion& motion,
                          const LinkAngle& angle) {
  const std::string name = joint + "." + motion.name;
  builder.define_signal(name, angle.q);
  builder.define_signal(name + "d", angle.v);
  builder.define_signal(name + "dd", angle.a);
}

namespace {

FrameSymbols symbols_of(const Variables::Rotation& rotation) {
  FrameSymbols symbols;
  symbols.p = rotation.p;
  symbols.motion.w_WB_B = rotation.w;
  return symbols;
}

}  // namespace

void declare_rotation_signals(Builder& builder, const std::string& joint, int rotation) {
  for (int k = turn; k < static_cast<int>(std::size(frame_fields)); ++k)
    if (is_turn(k) || k >= rate)
      builder.declare_signal(make_info(joint, joint, frame_fields[k]), [&builder, rotation, k] {
        return value_of(symbols_of(builder.variables().rotation(rotation)), k);
      });
}

void define_rotation_signals(Builder& builder, const std::string& joint, int rotation) {
  const FrameSymbols symbols = symbols_of(builder.variables().rotation(rotation));
  for (int k = turn; k < static_cast<int>(std::size(frame_fields)); ++k)
    if (is_turn(k) || k >= rate) builder.define_signal(joint + "." + frame_fields[k].name, value_of(symbols, k));
}

void declare_reaction_signals(Builder& builder, const std::string& joint, const std::string& refusal) {
  for (const Field& field : reaction_fields) {
    const SignalInfo info = make_info(joint, joint, field);
    if (refusal.empty())
      builder.declare_signal(info);
    else
      builder.declare_signal(info, [text = info.name + ": " + refusal]() -> Expr { throw Error(text); });
  }
}

void define_reaction_signals(Builder& builder, const std::string& joint, const symbolic::Vec3& force_W,
                             const symbolic::Vec3& torque_W) {
  for (int i = 0; i < 3; ++i) {
    builder.define_signal(joint + "." + reaction_fields[2 * i].name, force_W[i]);
    builder.define_signal(joint + "." + reaction_fields[2 * i + 1].name, torque_W[i]);
  }
}

}  // namespace coenergy::mechanics
