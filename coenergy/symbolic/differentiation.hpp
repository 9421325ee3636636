#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "coenergy/symbolic/chain_rule.hpp"
#include "coenergy/symbolic/traverse.hpp"

namespace coenergy::symbolic {

/// Throws coenergy::Error where one is not a symbol.
void check_symbols(std::span<const Expr> symbols);

/// Forward mode: the differential of a node from those of its children (absent entries are zero).
/// That of a let `x` is bound as `dx` + suffix.
Id forward_step(Graph::Impl& g, Id id, const NodeMap& differential, std::string_view suffix);

/// Reverse mode: the adjoint ∂output/∂v of every node v of `order` (ascending; the part of the graph between the inputs
/// and the output) is put into `adjoint`. That of a let `x` is bound as `adj_x`. Children outside `order` get nothing.
void reverse_sweep(Graph::Impl& g, Id output, std::span<const Id> order, NodeMap& adjoint);

}  // namespace coenergy::symbolic
