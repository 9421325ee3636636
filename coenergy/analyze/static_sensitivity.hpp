#pragma once
#include "coenergy/analyze/variation.hpp"
#include "coenergy/math/matrix.hpp"

namespace coenergy::analyze {

/// Deviations of all variables of a point at rest for one parameter (see compute_static_sensitivity). `free` are motions
/// at constant speeds (see SteadyMotion): these change instead of the positions.
std::vector<Deviation> compute_static_deviations(equations::Evaluator& evaluator, const equations::Point& point,
                                                 const std::vector<Direction>& directions, bool hold_coordinates,
                                                 const math::Matrix& free = {});

}  // namespace coenergy::analyze
