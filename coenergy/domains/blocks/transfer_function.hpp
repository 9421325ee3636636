#pragma once
#include "coenergy/domains/blocks/linear_system.hpp"

namespace coenergy::domains::blocks {

/// Transfer function y(s)/u(s) = (b₀ sᵐ + … + b_m)/(a₀ sⁿ + … + a_n), m ≤ n, in controllable canonical form; at rest at
/// the start (see write_transfer). With `sample` it is one of z: y(z)/u(z), held between samples.
struct TransferFunction {
  Parameter u;
  List num, den;
  Sampling sampling;

  void describe(Description& d);
  void equations(Equations& eq) const;
};

}  // namespace coenergy::domains::blocks
