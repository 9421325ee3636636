#pragma once
#include <string>
#include <vector>

#include "coenergy/model/circuit.hpp"
#include "coenergy/model/model.hpp"
#include "coenergy/model/registry.hpp"
#include "coenergy/system/freedom_count.hpp"
#include "coenergy/system/mechanism.hpp"
#include "coenergy/system/scene.hpp"
#include "coenergy/system/system.hpp"

namespace coenergy::system {

/// What a model consists of, for `check` and reports.
struct ModelSummary {
  int components = 0, nodes = 0;
  std::string formulation;  ///< of the mechanism; empty without one
  Mechanism::Counts mechanism;
  int degrees_of_freedom = 0;                 ///< nv − nl, before redundant constraints are found
  std::optional<FreedomCount> freedom_count;  ///< of rigid bodies
  int states = 0, algebraic = 0, constraints = 0, discrete = 0;
  struct CircuitSummary {
    /// One branch of an element, from p to n; all grounds are the last node.
    struct Branch {
      std::string element;
      model::BranchKind kind;
      int p = 0, n = 0;
    };
    std::vector<Branch> branches;
    int nodes = 0;                  ///< with the ground
    int order = 0;                  ///< free capacitor voltages and inductor currents
    std::vector<std::string> tree;  ///< elements of the normal tree
    /// Rows of F w + G z = 0 with entries ±1; the first variable of each is the dependent one.
    std::vector<std::vector<std::pair<std::string, int>>> constraints;
  };
  CircuitSummary circuit;
  std::vector<std::string> notes;
};

/// "L1.i = L2.i - L3.i" of a row of CircuitSummary::constraints.
std::string make_relation_text(const std::vector<std::pair<std::string, int>>& row);

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
