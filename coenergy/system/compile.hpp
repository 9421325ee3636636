#pragma once
#include <string>
#include <vector>

#include "coenergy/model/model.hpp"
#include "coenergy/model/registry.hpp"
#include "coenergy/system/mechanism.hpp"
#include "coenergy/system/scene.hpp"
#include "coenergy/system/system.hpp"

namespace coenergy::system {

/// What a model consists of, for `check` and reports.
struct ModelSummary {
  int components = 0, nodes = 0;
  std::string formulation;  ///< of the mechanism; empty without one
  Mechanism::Counts mechanism;
  int degrees_of_freedom = 0;  ///< nv − nl, before redundant constraints are found
  int states = 0, algebraic = 0, constraints = 0, discrete = 0;
  struct CircuitSummary {
    int branches = 0, order = 0;    ///< order: free capacitor voltages and inductor currents
    std::vector<std::string> tree;  ///< elements of the normal tree
    /// Rows of F w + G z = 0 with entries ±1; the first variable of each is the dependent one.
    std::vector<std::vector<std::pair<std::string, int>>> constraints;
  };
  CircuitSummary circuit;
  std::vector<std::string> notes;
};

struct Compiled {
  System system;
  ModelSummary summary;
  Scene scene;
};

/// Makes the equations of a model: reads every value by the component's description, joins ports to nodes, formulates
/// the mechanism, writes all equations over one graph and turns them into programs. Throws Error with every independent
/// mistake.
Compiled compile(const model::Model& model, const model::Registry& registry);

}  // namespace coenergy::system
