#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::blocks {

/// Transfer function y(s)/u(s) = (b₀ sᵐ + … + b_m)/(a₀ sⁿ + … + a_n), m ≤ n, in controllable canonical form; at rest at
/// the start.
///
/// With a₀ = 1 and b padded to degree n:  ẋᵢ = xᵢ₊₁,  ẋ_n = u − Σ a_{n+1−i} xᵢ,  y = b₀ u + Σ (b_{n+1−i} − a_{n+1−i}
/// b₀) xᵢ.
struct TransferFunction {
  Parameter u;
  List num, den;

  void describe(Description& d);
  void equations(Equations& eq) const;
};

}  // namespace coenergy::domains::blocks
