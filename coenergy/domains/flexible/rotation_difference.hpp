#pragma once
#include <array>

#include "coenergy/model/equations.hpp"

namespace coenergy::domains::flexible {

using model::Expr;
using model::Mat3;
using model::Vec3;

/// The rotation between two frames given by unit quaternions p₁, p₂ (world from frame).
struct RotationDifference {
  Vec3 psi;    ///< rotation vector of R₁ᵀR₂, |ψ| < π
  Mat3 R_mid;  ///< R₁ exp(ψ/2): halfway, the same seen from either end
};

/// Regular with all its derivatives for |ψ| < π; the signs of the quaternions do not matter.
RotationDifference make_rotation_difference(const std::array<Expr, 4>& p1, const std::array<Expr, 4>& p2);

/// asin(√u)/√u for 0 ≤ u < 1, analytic at 0.
Expr asin_ratio(const Expr& u, const Expr& c);

}  // namespace coenergy::domains::flexible
