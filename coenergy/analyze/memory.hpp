#pragma once
#include <vector>

#include "coenergy/equations/system.hpp"

namespace coenergy::analyze {

/// Marks of discrete variables that hold something continuous: samples, delays, a time or a level that was kept. All
/// others count or take sides: what they are set to is a whole number, by the graph of its expression.
std::vector<char> find_memory(const equations::System& system);

/// Marks of those that hold an instant: they are set to time, and where all of them and time move by the same, what they are
/// set to moves by it too.
std::vector<char> find_instants(const equations::System& system);

}  // namespace coenergy::analyze
