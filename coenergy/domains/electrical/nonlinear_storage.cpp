#include "coenergy/domains/electrical/nonlinear_storage.hpp"

#include <cmath>

#include "coenergy/symbolic/algebra.hpp"

namespace coenergy::domains::electrical {

Expr compute_stored_energy(const Expr& f, const Expr& x) {
  // Gauss–Legendre on (0, 1): nodes ½(1 ± r), r = √(5 ∓ 2√(10/7))/3
  const double inner = std::sqrt(5 - 2 * std::sqrt(10.0 / 7)) / 3, outer = std::sqrt(5 + 2 * std::sqrt(10.0 / 7)) / 3;
  const double w_inner = (322 + 13 * std::sqrt(70.0)) / 1800, w_outer = (322 - 13 * std::sqrt(70.0)) / 1800;
  const double nodes[] = {(1 - outer) / 2, (1 - inner) / 2, 0.5, (1 + inner) / 2, (1 + outer) / 2};
  const double weights[] = {w_outer, w_inner, 64.0 / 225, w_inner, w_outer};
  Expr coenergy = 0;
  for (int k = 0; k < 5; ++k) {
    const Expr scaled = nodes[k] * x;
    coenergy += weights[k] * (f.is_number() ? f : symbolic::substitute(f, std::span(&x, 1), std::span(&scaled, 1)));
  }
  return x * f - x * coenergy;
}

}  // namespace coenergy::domains::electrical
