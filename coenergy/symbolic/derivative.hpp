#pragma once
#include <span>
#include <vector>

#include "coenergy/symbolic/expr.hpp"

namespace coenergy::symbolic {

/// ∂e/∂s. Derivatives go through let (the derivative of a bound expression is itself bound), select, tables and
/// externals.
Expr derivative(const Expr& e, const Expr& symbol);

/// Σ ∂e/∂sᵢ · seedᵢ for many expressions at once (forward mode, one memoised sweep).
std::vector<Expr> directional_derivative(std::span<const Expr> e, std::span<const Expr> symbols,
                                         std::span<const Expr> seeds);

/// ∇e with respect to many symbols (reverse mode: cost independent of their number).
std::vector<Expr> gradient(const Expr& e, std::span<const Expr> symbols);

/// One structurally non-zero entry of a Jacobian.
struct JacobianEntry {
  int row, column;
  Expr value;
};

/// Sparse Jacobian ∂eᵢ/∂sⱼ: only structurally non-zero entries, ordered by row then column.
/// The pattern is found symbolically; forward or reverse is chosen by estimated cost.
std::vector<JacobianEntry> jacobian(std::span<const Expr> e, std::span<const Expr> symbols);

/// How much a derivation may cost: it is too much beyond `visits` nodes visited in all and `visits_per_node` of the
/// graph.
struct JacobianLimit {
  std::size_t visits = 0;
  double visits_per_node = 0;
};
/// As jacobian(), if that keeps the limit; otherwise every entry that can be different from zero, with the value 0.
struct LimitedJacobian {
  std::vector<JacobianEntry> entries;
  bool has_values = true;
};
LimitedJacobian jacobian(std::span<const Expr> e, std::span<const Expr> symbols, const JacobianLimit& limit);

/// Dense Jacobian, row-major.
std::vector<Expr> dense_jacobian(std::span<const Expr> e, std::span<const Expr> symbols);

/// Symmetric Hessian of a scalar, row-major n×n.
std::vector<Expr> hessian(const Expr& e, std::span<const Expr> symbols);

/// Total time derivative: de/dt = Σ ∂e/∂sᵢ·rateᵢ (+ ∂e/∂t by giving t with rate 1).
Expr time_derivative(const Expr& e, std::span<const Expr> symbols, std::span<const Expr> rates);

}  // namespace coenergy::symbolic
