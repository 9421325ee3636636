#pragma once
#include <string>
#include <vector>

#include "coenergy/math/matrix.hpp"

namespace coenergy::analyze {

/// Linear model ż = A z + B u, w = C z + D u of small deviations, with the names and units of its variables.
struct StateSpace {
  math::Matrix a, b, c, d;
  std::vector<std::string> states, inputs, outputs;
  std::vector<std::string> state_units, input_units, output_units;
};

}  // namespace coenergy::analyze
