#pragma once
#include <string>
#include <vector>

#include "coenergy/analyze/variation.hpp"
#include "coenergy/solve/options.hpp"

namespace coenergy::analyze {

/// How the start values of a run change with each direction, before anything is sampled.
///
/// Without constraints: those that follow the parameter. With constraints the start is assembled (see
/// solve::find_start_motion), which leaves a choice to weights where it moves more than it must: its derivative is that
/// of the assembly itself, by differences of fourth order over 2·10⁻³ of the value to both sides, then put on
///
///   Φ_q δq + Φ_p = 0,   Φ_q δv + ∂Φ̇/∂q δq + Φ̇_p = 0
///
/// with the least change. Throws coenergy::Error where a start beside this one cannot be assembled.
std::vector<Variation> compute_start_variations(equations::Evaluator& evaluator, const solve::Options& options,
                                                const equations::Point& start,
                                                const std::vector<Direction>& directions);

/// Puts variations on the constraints, linearised at p, by the least change: integration lets them drift off.
void project_variations(equations::Evaluator& evaluator, const equations::Point& p,
                        const std::vector<Direction>& directions, std::vector<Variation>& variations);

}  // namespace coenergy::analyze
