#pragma once
#include "coenergy/symbolic/expr.hpp"

namespace coenergy::model {

/// The row of a force f that holds a motion with the velocity v: v̇ + v/T − α f = 0 with T = 10 ms and α = 1e-12 (SI).
/// What is left of v fades, and where several hold the same motion their forces are equal instead of undetermined; it
/// creeps by 1e-14 m/s per newton.
inline symbolic::Expr make_held_motion(const symbolic::Expr& acceleration, const symbolic::Expr& v,
                                       const symbolic::Expr& f) {
  return acceleration + 100 * v - 1e-12 * f;
}

}  // namespace coenergy::model
