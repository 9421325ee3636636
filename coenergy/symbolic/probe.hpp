#pragma once
#include <span>
#include <vector>

#include "coenergy/symbolic/graph_impl.hpp"

namespace coenergy::symbolic {

/// Values at one fixed pseudo-random point: a value that is zero there is zero everywhere with near certainty, a value
/// that is not zero is certainly not an identity. Symbols lie in (0.5, 1.5); external functions count as further
/// symbols. NaN where an expression has no value there.
std::vector<double> probe(Graph::Impl& g, std::span<const Id> ids);

}  // namespace coenergy::symbolic
