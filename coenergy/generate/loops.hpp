#pragma once
#include "coenergy/generate/routine.hpp"
#include "coenergy/mechanics/mechanism_model.hpp"

namespace coenergy::generate {

/// Whether a mechanism needs more than its tree: loops, gears, drives, or inertias on shafts.
bool is_constrained(const mechanics::MechanismModel& mechanism);

/// Forward or inverse dynamics of a mechanism with constraints, by coordinate partitioning (Sass 2004, 4.1.3). Two
/// straight programs
///   closure (q, t) → h, J, ∂h/∂t          terms (q, q̇, t) → M, f = Q − c of the model, b
/// are put together by printed code: Newton–Raphson for the dependent coordinates, then the reduced equations
///   B = −J_v⁻¹ J_u,   T = (E; B),   TᵀM T s̈_u = Tᵀ(Q + f − M s̈₀),   s̈₀ = (0; −J_v⁻¹ b)
/// with small dense LU. The coordinates are chosen at the assembled start of the model, redundant constraints drop out.
/// Throws Error for wrong choices, non-holonomic constraints and quaternions.
Generated generate_loops(const model::Model& model, const model::Registry& registry, const Request& request,
                         mechanics::MechanismModel mechanism);

}  // namespace coenergy::generate
