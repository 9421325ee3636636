#pragma once
#include <memory>

#include "coenergy/equations/layout.hpp"
#include "coenergy/equations/lazy_function.hpp"
#include "coenergy/mechanics/body_tree.hpp"

namespace coenergy::mechanics {

/// M⁻¹ r of a system whose bodies form a tree, by articulated bodies (forward_dynamics.hpp) at rest and without
/// gravity: O(N) operations in place of an O(N³) factorisation. M = ∂R/∂a is the tree's mass matrix and, on the
/// diagonal, what the first `component_balances` balances of the set add to their own coordinates, such as rotors on a
/// joint. A coordinate that no link has is a rotor by itself.
///
/// Inputs are the value array and r, by unknown. None where a coordinate has no inertia at all.
equations::LazyFunction make_mass_solver(const std::shared_ptr<equations::EquationSet>& set,
                                         const equations::Layout& layout, const BodyTree& tree,
                                         std::size_t component_balances);

}  // namespace coenergy::mechanics
