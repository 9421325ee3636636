#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::electrical {

/// Energy W of a storage whose flux (charge) f is any function of its current (voltage) x: W = x f − ∫₀ˣ f(u) du, the
/// co-energy by Gauss quadrature with five points. Exact where f is a polynomial of degree 9 or less in x.
Expr compute_stored_energy(const Expr& f, const Expr& x);

}  // namespace coenergy::domains::electrical
