#pragma once
#include <vector>

#include "coenergy/mechanics/mechanism.hpp"

namespace coenergy::mechanics {

/// Sums over all rigid bodies, world axes, about the world's origin:
///   momentum.px py pz   Σ m v_c               N.s
///   momentum.lx ly lz   Σ c × m v_c + R I ω   N.m.s
///   energy.kinetic      Σ ½ m v_c² + ½ ω·I ω  J
///   energy.gravity      −Σ m g·c              J
void declare_momentum_signals(equations::Builder& builder);
void define_momentum_signals(equations::Builder& builder, Mechanism& mechanism,
                             const std::vector<MechanismDescription::Body>& bodies, const symbolic::Vec3& gravity);

}  // namespace coenergy::mechanics
