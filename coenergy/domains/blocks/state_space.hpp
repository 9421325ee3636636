#pragma once
#include "coenergy/domains/blocks/linear_system.hpp"

namespace coenergy::domains::blocks {

/// Linear system ẋ = A x + B u, y = C x + D u, x(0) = x0.
///
/// The sizes follow from the lists: n states from A (n×n), m inputs from u, p outputs from C (p×n). One output is
/// called y, several y1 … yp; the states are x1 … xn. D may be left out (zero). With `sample` it is a system of samples,
/// x_{k+1} = A x_k + B u_k, y_k = C x_k + D u_k, held in between.
struct StateSpace {
  List u, A, B, C, D, x0;
  Sampling sampling;

  void describe(Description& d);
  void equations(Equations& eq) const;
};

}  // namespace coenergy::domains::blocks
