#pragma once
#include <string>
#include <vector>

#include "coenergy/equations/system.hpp"

namespace coenergy::analyze {

/// What a reader of a linear model about a point must know of it: friction that sticks and contacts that are closed
/// stay so in small deviations, however small the force is that would end it; about a motion the model holds for one
/// instant.
std::vector<std::string> describe_linear_point(const equations::System& system, const equations::Point& point);

}  // namespace coenergy::analyze
