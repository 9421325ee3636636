#pragma once
#include "coenergy/analyze/compare.hpp"
#include "coenergy/compile/compile.hpp"

namespace coenergy::analyze {

/// How far the charge formulation (compile/charges.hpp) differs from the equations of the system: what is left of its
/// rows at motions of the system, relative to the sum of the absolute values of their terms (at least 1 mV, 1 mA, 1 mW).
struct ChargeCheck {
  int states = 0;      ///< at which both were compared
  int skipped = 0;     ///< random states that could not be put on the constraints
  Difference voltage;  ///< around meshes
  Difference current;  ///< of charges
  Difference power;    ///< of components
  std::vector<std::string> failures, left_out;

  const Difference& largest() const;
};

/// At the consistent start and at random positions, velocities, currents and voltages. Throws coenergy::Error where the
/// start cannot be made consistent.
ChargeCheck check_charges(equations::Evaluator& evaluator, const compile::ChargeFormulation& charges,
                          const CompareOptions& options = {});

}  // namespace coenergy::analyze
