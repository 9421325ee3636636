#pragma once
#include <string>

#include "coenergy/analyze/carried_state.hpp"
#include "coenergy/solve/options.hpp"

namespace coenergy::analyze {

/// After which time a run repeats.
struct Repetition {
  double smallest = 0;  ///< s: the period or a part of it; 0 where nothing moves
  std::string text;     ///< why it does not repeat after the period, or nothing
};

/// Compares two periods of a run at 2520 instants each, which tells parts of 2, 3, 5 and 7 of any kind. `options` are
/// those of a run over both; what counts on (marked) is left out.
Repetition find_repetition(equations::Evaluator& evaluator, const solve::Options& options, double period,
                           const CarriedState& state, const std::vector<char>& counting);

}  // namespace coenergy::analyze
