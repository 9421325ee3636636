#pragma once
#include <string>
#include <vector>

#include "coenergy/analyze/variation.hpp"

namespace coenergy::analyze {

/// Takes the variations of all directions over an event (see simulate_sensitivity). `before` and `after` are the points
/// of the run on both sides of it. Returns why there are no derivatives, or nothing.
std::string move_event(equations::Evaluator& evaluator, const equations::Point& before, const equations::Point& after,
                       const std::vector<int>& crossed, const std::vector<Direction>& directions,
                       std::vector<Variation>& variations);

}  // namespace coenergy::analyze
