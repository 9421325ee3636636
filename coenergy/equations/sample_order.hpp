#pragma once
#include <vector>

#include "coenergy/equations/variables.hpp"
#include "coenergy/symbolic/expr.hpp"

namespace coenergy::equations {

/// A new value of a discrete variable: of a clock, or a mode.
struct DiscreteUpdate {
  int discrete, clock;  ///< clock −1: a mode
  symbolic::Expr value;
  int comparison = -1;  ///< indicator of a mode g > 0
  int owner = -1;       ///< component that a clocked one belongs to
};

/// The turn of every clocked update among those of one instant, in the order of the signal flow: an update whose value
/// depends on discrete variables that others set at their clocks, itself or through comparisons, comes after those, so
/// that holds in a row have no hidden delay. What belongs to one component is its memory and read as it was before.
/// Updates that depend on each other in a circle have the same turn: each reads the others as they were. Modes have
/// turn 0.
std::vector<int> order_samples(const Variables& variables, const std::vector<DiscreteUpdate>& updates);

}  // namespace coenergy::equations
