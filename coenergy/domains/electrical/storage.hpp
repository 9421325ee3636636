#pragma once
#include "coenergy/domains/component.hpp"

namespace coenergy::domains::electrical {

/// Energies of a storage whose flux linkage (charge) f is any function of its current (voltage) x, of coordinates of a
/// mechanism and of time:
///
///   co-energy  W* = ∫₀ˣ f du,   stored energy  W = x f − W*,   forces  ∂W*/∂q on the coordinates f depends on
///
/// (Sass 2004). Of the power x df/dt the part Σ ∂W*/∂q q̇ moves the mechanism; what else changes f
/// at constant x, such as time, supplies the rest. The integral is exact (symbolic/integral.hpp).
void write_storage(Equations& eq, const Expr& f, const Expr& x);

/// The same for a term c x_a x_b of the co-energy of two storages, c being a mutual inductance or capacitance.
void write_mutual_storage(Equations& eq, const Expr& c, const Expr& x_a, const Expr& x_b);

}  // namespace coenergy::domains::electrical
