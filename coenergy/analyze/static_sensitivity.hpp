#pragma once
#include "coenergy/analyze/variation.hpp"

namespace coenergy::analyze {

/// Deviations of all variables of a point at rest for one parameter (see compute_static_sensitivity).
std::vector<Deviation> compute_static_deviations(equations::Evaluator& evaluator, const equations::Point& point,
                                                 const std::vector<Direction>& directions, bool hold_coordinates);

}  // namespace coenergy::analyze
