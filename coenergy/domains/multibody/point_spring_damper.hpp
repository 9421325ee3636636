#pragma once
#include "coenergy/domains/multibody/words.hpp"

namespace coenergy::domains::multibody {

/// Spring and damper between a point of body a and a point of body b, along their line:
///   f = k (l − l₀) + d l̇ + input,   l = |p_b − p_a|,   energy ½ k (l − l₀)²
///
/// k stiffness (N/m), d damping (N.s/m), l₀ = length (m), f tension (N): f > 0 pulls the points together. With
/// length: 0 it is the linear law f = k (p_b − p_a) + d (v_b − v_a) per axis, regular also where the points meet.
/// Signals l, ld, f.
struct PointSpringDamper {
  Frame a, b;
  Vector a_at, b_at;
  Parameter stiffness, damping, length, input;

  void describe(Description& d);
  void equations(Equations& eq) const;
};

}  // namespace coenergy::domains::multibody
