#pragma once
#include <string>

#include "coenergy/equations/system.hpp"

namespace coenergy::solve {

/// Coordinates that can move together, with the constraints, without moving any mass at p: the d with M d = 0, Φ_q d = 0
/// (up to 1e-12 of the inertia that each has alone), as "a.q, b.q". A point mass on three axes that meet at one point has
/// such a motion. Empty where there is none, and of models too large to look (500 coordinates).
std::string find_massless_motion(equations::Evaluator& evaluator, const equations::Point& p);

}  // namespace coenergy::solve
