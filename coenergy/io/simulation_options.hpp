#pragma once
#include <string>
#include <vector>

#include "coenergy/model/model.hpp"
#include "coenergy/solve/options.hpp"

namespace coenergy::io {

/// The `simulate:` entries of a model as options of a run. Throws Error for unknown names, wrong units and values out
/// of range.
solve::Options read_simulation_options(const model::Model& model);

/// Changes the method of a model, as `--method` does. Entries that only the old method can use (rho_inf, alpha_m,
/// alpha_f, tolerances of a method with an error estimate, the first step of one) go with it: the names of those.
std::vector<std::string> change_method(model::Model& model, const model::Value& method);

/// Names and help of the entries, for `describe simulate` and the manual. Unit: "word" for a text; fallback: what holds
/// where the entry is not written.
struct SimulationEntry {
  std::string name, unit, help, fallback;
};
const std::vector<SimulationEntry>& simulation_entries();

}  // namespace coenergy::io
