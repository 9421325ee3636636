#pragma once
#include <span>
#include <vector>

#include "coenergy/symbolic/program.hpp"

namespace coenergy::generate {

/// Expressions split by what they depend on: whatever depends on `parameters` alone and is not a plain parameter
/// becomes a symbol k1, k2, …
struct Split {
  std::vector<symbolic::Expr> values;          ///< the expressions, with the symbols
  std::vector<symbolic::Expr> symbols;         ///< k1, k2, …, and the parameters that are still needed themselves
  std::vector<symbolic::NamedExpr> constants;  ///< what they stand for
};
Split split_constants(symbolic::Graph& graph, std::span<const symbolic::Expr> values,
                      std::span<const symbolic::Expr> parameters);

}  // namespace coenergy::generate
