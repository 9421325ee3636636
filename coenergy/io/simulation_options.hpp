#pragma once
#include <string>
#include <vector>

#include "coenergy/model/model.hpp"
#include "coenergy/solve/options.hpp"

namespace coenergy::io {

/// The `simulate:` entries of a model as options of a run. Throws Error for unknown names, wrong units and values out
/// of range.
solve::Options read_simulation_options(const model::Model& model);

/// Names and help of the entries, for `describe simulate` and the manual.
struct SimulationEntry {
  std::string name, unit, help;
};
const std::vector<SimulationEntry>& simulation_entries();

}  // namespace coenergy::io
