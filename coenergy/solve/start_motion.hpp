#pragma once
#include <string>
#include <vector>

#include "coenergy/equations/system.hpp"
#include "coenergy/solve/result.hpp"

namespace coenergy::solve {

/// Puts p.q and p.v on the constraints at p.t. What decides, in this order:
///   1. drives and all other constraints hold
///   2. given start values stay, or the start is refused; a given velocity of zero may yield, first where only the
///      position was given
///   3. guesses and default start values change as little as possible; what had to move is told in `notes`
///   4. what has no start value of its own follows (see Assembly)
/// Flexible bodies move as rigid ones; only where the constraints do not allow that do they strain.
/// Throws coenergy::Error where given start values contradict each other or the constraints.
void find_start_motion(equations::Evaluator& evaluator, Statistics& statistics, equations::Point& p,
                       std::vector<std::string>& notes);

}  // namespace coenergy::solve
