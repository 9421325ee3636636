#pragma once
#include <vector>

#include "coenergy/equations/cascade.hpp"
#include "coenergy/equations/system.hpp"

namespace coenergy::equations {

/// The matrix of a system as implicit methods solve with it, where that is not the one of System::pattern(): the bound
/// variables of long recursions are unknowns of their own, behind those of the system.
struct SolverForm {
  Cascade cascade;
  SparsePattern pattern;
  std::vector<int> places;  ///< of the entries of the cascade
};

/// None where the matrix of the unknowns alone serves: unless a full one of many columns would be factored.
const SolverForm* solver_form(const System::Data& data);

}  // namespace coenergy::equations
