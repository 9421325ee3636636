#pragma once
#include <string>
#include <vector>

#include "coenergy/math/matrix.hpp"

namespace coenergy::analyze {

/// Linear model ż = A z + B u + E u̇, w = C z + D u + F u̇ of small deviations, with the names and units of its
/// variables.
///
/// E and F are zero but for inputs that fix a state: the voltage of a source across capacitors, whose currents follow
/// from its rate.
struct StateSpace {
  math::Matrix a, b, c, d, e, f;
  bool has_rates() const;  ///< whether E or F is not zero
  std::vector<std::string> states, inputs, outputs;
  std::vector<std::string> state_units, input_units, output_units;
};

}  // namespace coenergy::analyze
