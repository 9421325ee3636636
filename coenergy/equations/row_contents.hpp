#pragma once
#include <string>
#include <vector>

#include "coenergy/equations/system.hpp"

namespace coenergy::equations {

/// The states, algebraic variables and coordinates that stand in a row, by name, in the order of the unknowns, for
/// messages about it. None of a row that elements with equations of their own (beams) add to.
std::vector<std::string> find_row_contents(const System& system, int row);

}  // namespace coenergy::equations
