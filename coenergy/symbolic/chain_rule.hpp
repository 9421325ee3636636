#pragma once
#include "coenergy/symbolic/graph_impl.hpp"

namespace coenergy::symbolic {

/// Whether a node varies with its k-th child: false for conditions, sign and floor, which are piecewise constant.
/// Children are those of Graph::Impl::children.
bool is_differentiable(const Graph::Impl& g, Id id, std::size_t k);

/// ∂(node)/∂(k-th child) · d. Of select, min and max the side not taken contributes an exact zero, even where d is not
/// finite.
Id chain(Graph::Impl& g, Id id, std::size_t k, Id d);

/// Σₖ ∂(node)/∂(k-th child) · d[k].
Id total_differential(Graph::Impl& g, Id id, std::span<const Id> d);

}  // namespace coenergy::symbolic
