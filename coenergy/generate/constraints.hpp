#pragma once
#include "coenergy/generate/routine.hpp"

namespace coenergy::generate {

/// Constraints of loops, struts, gears and drives of the whole model, in its coordinates and rates:
///   h(t, q) = 0,   ḣ = J q̇ + ∂h/∂t,   ḧ = J q̈ + b
/// Throws Error for a model without constraints.
Generated generate_constraints(const model::Model& model, const model::Registry& registry, const Request& request);

}  // namespace coenergy::generate
