#pragma once
#include <vector>

#include "coenergy/system/mechanism.hpp"

namespace coenergy::system {

/// Sums over all rigid bodies, world axes, about the world's origin:
///   momentum.px py pz   Σ m v_c               N.s
///   momentum.lx ly lz   Σ c × m v_c + R I ω   N.m.s
///   energy.kinetic      Σ ½ m v_c² + ½ ω·I ω  J
///   energy.gravity      −Σ m g·c              J
void add_momentum_signals(Builder& builder, Mechanism& mechanism, const std::vector<MechanismDescription::Body>& bodies,
                          const symbolic::Vec3& gravity);

}  // namespace coenergy::system
