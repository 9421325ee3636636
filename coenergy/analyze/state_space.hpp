#pragma once
#include <string>
#include <vector>

#include "coenergy/math/matrix.hpp"

namespace coenergy::analyze {

/// ẋ = A x + B u, y = C x + D u: deviations from an operating point, with names and units.
struct StateSpace {
  math::Matrix A, B, C, D;
  std::vector<std::string> states, inputs, outputs;
  std::vector<std::string> state_units, input_units, output_units;
};

}  // namespace coenergy::analyze
