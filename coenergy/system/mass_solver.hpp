#pragma once
#include <memory>

#include "coenergy/system/body_tree.hpp"
#include "coenergy/system/layout.hpp"
#include "coenergy/system/lazy_function.hpp"

namespace coenergy::system {

/// M⁻¹ r of a system whose bodies form a tree, by articulated bodies (forward_dynamics.hpp) at rest and without
/// gravity: O(N) operations in place of an O(N³) factorisation. M = ∂R/∂a is the tree's mass matrix and, on the
/// diagonal, what the first `component_balances` balances of the set add to their own coordinates, such as rotors on a
/// joint. A coordinate that no link has is a rotor by itself.
///
/// Inputs are the value array and r, by unknown. None where a coordinate has no inertia at all.
LazyFunction make_mass_solver(const std::shared_ptr<EquationSet>& set, const Layout& layout, const BodyTree& tree,
                              std::size_t component_balances);

}  // namespace coenergy::system
