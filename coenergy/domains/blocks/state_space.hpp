#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::blocks {

/// Linear system ẋ = A x + B u, y = C x + D u, x(0) = x0.
///
/// The sizes follow from the lists: n states from A (n×n), m inputs from u, p outputs from C (p×n). One output is
/// called y, several y1 … yp; the states are x1 … xn. D may be left out (zero).
struct StateSpace {
  List u, A, B, C, D, x0;

  void describe(Description& d);
  void equations(Equations& eq) const;
};

}  // namespace coenergy::domains::blocks
