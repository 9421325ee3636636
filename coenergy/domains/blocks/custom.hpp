#pragma once
#include "coenergy/domains/blocks/sampling.hpp"

namespace coenergy::domains::blocks {

/// A block of your own, by expressions, which may name its own states x1, x2, …, memories z1, z2, … and any signals:
///
///   dx_i/dt = rates_i            from x0
///   z_i ← updates_i              from z0, all at once: at samples (`sample`, `offset`), or when `trigger` rises above 0.5
///   y_i = outputs_i              y where there is one, else y1, y2, …
///
///   s: {type: blocks.Custom, rates: [s.x2, "u.y - 4*s.x1 - s.x2"], x0: [0, 0], outputs: [s.x1 + 3*s.x2]}
///
/// All in SI and without units of their own. In a part (`parts:`) it is a kind of its own with ports and parameters;
/// functions of a C library (`functions:`) may stand in every expression, with the memories as arguments.
struct Custom {
  List rates, x0, updates, z0, outputs;
  Sampling sampling;
  Parameter trigger;

  void describe(Description& d);
  void equations(Equations& eq) const;
};

}  // namespace coenergy::domains::blocks
