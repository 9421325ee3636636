#pragma once
#include "coenergy/symbolic/expr.hpp"

namespace coenergy::symbolic {

/// ∫₀ˣ f du: the integral over the symbol x, from zero to the value of x, of an f that may depend on other symbols.
///
/// A polynomial in x is integrated symbolically. Any other f becomes a call that integrates when it is evaluated: by
/// Gauss–Kronrod rules of 7 and 15 points (Piessens et al.: QUADPACK, 1983), the interval halved until both agree to
/// what rounding leaves, and divided beforehand where f has corners (points of tables, abs, min, max, comparisons)
/// whose place in u is known. So the value is right to round-off, whatever the law. Derivatives are exact: f itself
/// by the upper end, and the integral of ∂f/∂p by any other symbol p.
Expr integral(const Expr& f, const Expr& x);

/// Whether an external function is such a call.
bool is_integral(const External& function);
/// Its value, and its derivative by argument k as a node; only for these.
double evaluate_integral(const External& function, const double* arguments);
Expr differentiate_integral(const External& function, std::span<const Expr> arguments, std::size_t k);

}  // namespace coenergy::symbolic
