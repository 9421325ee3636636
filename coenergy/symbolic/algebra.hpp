#pragma once
#include <optional>
#include <span>
#include <vector>

#include "coenergy/symbolic/expr.hpp"

namespace coenergy::symbolic {

/// Replaces symbols (or any nodes) `from[i]` by `to[i]`, simultaneously. Goes through let: a changed bound value is
/// bound anew.
std::vector<Expr> substitute(std::span<const Expr> e, std::span<const Expr> from, std::span<const Expr> to);
Expr substitute(const Expr& e, std::span<const Expr> from, std::span<const Expr> to);

/// Symbols an expression depends on, in index order (through let).
std::vector<Expr> free_symbols(std::span<const Expr> e);
bool depends_on(const Expr& e, const Expr& symbol);
/// All reachable nodes of a kind, in index order (through let).
std::vector<Expr> find_nodes(std::span<const Expr> e, Op op);

/// Products over sums and positive integer powers of sums multiplied out (through let only when asked).
Expr expand(const Expr& e, bool through_let = false);
/// Sum of coefficients times powers of x: {c0, c1, …} with e = Σ cₖ xᵏ; nothing if e is not a polynomial in x.
std::optional<std::vector<Expr>> collect(const Expr& e, const Expr& x);
/// One fraction over a common denominator, with a·b/b cancelled.
struct Fraction {
  Expr numerator, denominator;
};
Fraction together(const Expr& e);
/// Removes let nodes.
Expr unbind(const Expr& e);
/// Rewrites with trigonometric and factoring rules while that lowers the operation count.
Expr simplify(const Expr& e);

/// Solves A x = b symbolically (row-major n×n, small n). Pivots are chosen structurally: ±1 first, then numbers, then
/// the simplest entry, so that no division is made where one can be avoided. Intermediate results are bound with let.
/// Throws coenergy::Error naming the row when the matrix is structurally singular.
std::vector<Expr> solve_linear(std::span<const Expr> a, std::span<const Expr> b, int n);
std::vector<Expr> inverse(std::span<const Expr> a, int n);
/// By minors, without division; n ≤ 16.
Expr determinant(std::span<const Expr> a, int n);

}  // namespace coenergy::symbolic
