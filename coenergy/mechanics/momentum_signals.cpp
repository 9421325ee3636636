#include "coenergy/mechanics/momentum_signals.hpp"

namespace coenergy::mechanics {

using equations::Builder;
using equations::make_signal_info;
using equations::SignalKind;
using symbolic::Expr;
using symbolic::Vec3;

void declare_momentum_signals(Builder& builder) {
  for (const char* field : {"px", "py", "pz"})
    builder.declare_signal(make_signal_info("momentum", field, "N.s", SignalKind::momentum));
  for (const char* field : {"lx", "ly", "lz"})
    builder.declare_signal(make_signal_info("momentum", field, "N.m.s", SignalKind::momentum));
  for (const char* field : {"kinetic", "gravity"})
    builder.declare_signal(make_signal_info("energy", field, "J", SignalKind::energy));
}

void define_momentum_signals(Builder& builder, Mechanism& mechanism,
                             const std::vector<MechanismDescription::Body>& bodies, const Vec3& gravity) {
  Vec3 linear, angular;
  Expr kinetic = 0, potential = 0;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const model::RigidBody& body = bodies[b].properties;
    const model::FrameMotion f = mechanism.frame({static_cast<int>(b), 0});
    const Vec3 v = f.v_WB + f.R_WB * cross(f.w_WB_B, body.com), c = f.p_WB + f.R_WB * body.com;
    const Vec3 spin = body.inertia * f.w_WB_B, p = body.mass * v;
    linear += p;
    angular += cross(c, p) + f.R_WB * spin;
    kinetic += dot(p, v) / 2 + dot(f.w_WB_B, spin) / 2;
    potential -= body.mass * dot(gravity, c);
  }
  for (int i = 0; i < 3; ++i) builder.define_signal(std::string("momentum.p") + "xyz"[i], linear[i]);
  for (int i = 0; i < 3; ++i) builder.define_signal(std::string("momentum.l") + "xyz"[i], angular[i]);
  builder.define_signal("energy.kinetic", kinetic);
  builder.define_signal("energy.gravity", potential);
}

}  // namespace coenergy::mechanics
