#pragma once
#include <string>
#include <utility>
#include <vector>

#include "coenergy/equations/system.hpp"
#include "coenergy/model/model.hpp"
#include "coenergy/model/registry.hpp"

namespace coenergy::analyze {

/// How a system changes with one entry of its model: the derivatives of its parameters and start values.
///
/// An entry of a component is one parameter of the system, or a start value, or both; a parameter of the model reaches
/// all that it was written into.
struct Direction {
  std::string name, unit;  ///< of the entry
  double value = 0;        ///< SI
  std::vector<std::pair<int, double>> parameters;
  std::vector<double> q, v, x, d;  ///< of the start values
};

/// The direction of `component.entry` or of a parameter of the model, a number each: the parameter of the system, and
/// what follows it (see Evaluator::parameter_slopes). Nothing is compiled again. Throws coenergy::Error for names that
/// are none, for values that are no numbers, and for entries that are built into the equations (points of a table,
/// counts).
Direction find_direction(const model::Model& model, const model::Registry& registry, const equations::System& system,
                         const std::string& path);

}  // namespace coenergy::analyze
