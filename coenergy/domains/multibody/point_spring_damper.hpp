#pragma once
#include "coenergy/domains/multibody/words.hpp"

namespace coenergy::domains::multibody {

/// Spring and damper between a point of body a and a point of body b, along their line:
///   f = k |δ|ⁿ sign δ + d l̇ + b |δ|^½ l̇ + input,   l = |p_b − p_a|,   energy k |δ|ⁿ⁺¹/(n+1)
///
/// δ = l − l₀ beyond the play: δ = min(l − l₀, 0) + max(l − l₀ − slack, 0), of which `side` keeps one part (tension
/// only, compression only). k stiffness (N/m, for an exponent n ≠ 1 N/mⁿ), d damping (N.s/m) and b
/// impact damping (N.s/m^1.5, H5), which acts while δ ≠ 0 only; l₀ = length (m), f tension (N): f > 0 pulls the points
/// together. The input may be any expression, also of l and ld of this component. With length: 0 and a plain law it is
/// the linear law f = k (p_b − p_a) + d (v_b − v_a) per axis, regular also where the points meet. Signals l, ld, f.
struct PointSpringDamper {
  Frame a, b;
  Vector a_at, b_at;
  Parameter stiffness, damping, length, slack, exponent, impact, input;
  Choice side;

  void describe(Description& d);
  void equations(Equations& eq) const;
  std::vector<Shape> drawing(Equations& eq) const { return {make_line(eq, "spring", a, a_at, b, b_at)}; }

 private:
  bool is_plain(Equations& eq) const;
  Expr make_depth(Equations& eq, const Expr& l) const;
};

}  // namespace coenergy::domains::multibody
