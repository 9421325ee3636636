#pragma once
#include <string>
#include <vector>

#include "coenergy/circuits/circuit_summary.hpp"
#include "coenergy/compile/charge_formulation.hpp"
#include "coenergy/equations/system.hpp"
#include "coenergy/mechanics/freedom_count.hpp"
#include "coenergy/mechanics/mechanism.hpp"
#include "coenergy/mechanics/mechanism_model.hpp"
#include "coenergy/mechanics/scene.hpp"
#include "coenergy/model/model.hpp"
#include "coenergy/model/registry.hpp"

namespace coenergy::compile {

/// What a model consists of, for `check` and reports.
struct ModelSummary {
  int components = 0, nodes = 0;
  std::string formulation;  ///< of the mechanism; empty without one
  mechanics::Mechanism::Counts mechanism;
  int degrees_of_freedom = 0;                            ///< nv − nl, before redundant constraints are found
  std::optional<mechanics::FreedomCount> freedom_count;  ///< of rigid bodies
  int states = 0, algebraic = 0, constraints = 0, discrete = 0;
  circuits::CircuitSummary circuit;
  std::vector<std::string> notes;
};

struct Compiled {
  equations::System system;
  ModelSummary summary;
  mechanics::Scene scene;
  ChargeFormulation charges;  ///< where it was asked for
};

struct CompileOptions {
  /// Entries of components that are to be inputs, "Ux.v": each is a parameter of the system, whatever it is in the
  /// model. One that is an expression of signals follows it until Evaluator::open_inputs cuts it open.
  std::vector<std::string> inputs;
  bool cut = false;      ///< inputs are parameters from the beginning, and never follow their expressions
  bool charges = false;  ///< adds the rows of the charge formulation as signals
};

/// Makes the equations of a model: reads every value by the component's description, joins ports to nodes, formulates
/// the mechanism, writes all equations over one graph and turns them into programs. Throws Error with every independent
/// mistake.
Compiled compile(const model::Model& model, const model::Registry& registry, const CompileOptions& options = {});

/// The bodies and joints alone. Throws Error with every mistake of the model, and where it has no rigid bodies, or
/// flexible ones.
/// `inputs`: entries that are parameters from the beginning, whatever they are in the model.
mechanics::MechanismModel read_mechanism(const model::Model& model, const model::Registry& registry,
                                         const std::vector<std::string>& inputs = {});

}  // namespace coenergy::compile
