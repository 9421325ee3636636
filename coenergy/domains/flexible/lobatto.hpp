#pragma once
#include <vector>

namespace coenergy::domains::flexible {

/// Points and weights of a formula Σ w f(ξ) for the integral over −1 ≤ ξ ≤ 1.
struct Quadrature {
  std::vector<double> at, weight;
};
Quadrature make_gauss(int n);    ///< exact up to degree 2n − 1
Quadrature make_lobatto(int n);  ///< with both ends, n ≥ 2; exact up to degree 2n − 3

/// Lagrange's polynomials over nodes, each 1 at its own node and 0 at the others, and their slopes, at ξ.
struct Basis {
  std::vector<double> value, slope;
};
Basis make_basis(const std::vector<double>& nodes, double xi);

}  // namespace coenergy::domains::flexible
