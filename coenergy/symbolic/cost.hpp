#pragma once
#include "coenergy/symbolic/graph_impl.hpp"

namespace coenergy::symbolic {

/// Work to evaluate the nodes below `root`, each once (through let): 1 for an addition or multiplication, more for a
/// division or a function. Counting stops beyond `limit`.
std::size_t compute_cost(Graph::Impl& g, Id root, std::size_t limit = ~std::size_t{0});

}  // namespace coenergy::symbolic
