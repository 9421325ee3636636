#pragma once
#include <string>
#include <vector>

#include "coenergy/equations/system.hpp"
#include "coenergy/math/matrix.hpp"
#include "coenergy/solve/options.hpp"

namespace coenergy::analyze {

/// A point of steady operation: everything at rest but what is free to move, which has a constant speed.
struct SteadyMotion {
  equations::Point point;
  bool good = false;
  std::string text;                 ///< why there is none
  std::vector<std::string> moving;  ///< coordinates that move at a constant speed
  math::Matrix free;                ///< N, nv × their number
};

/// Free motions N are those that no equation notices, R_q N = 0 with Φ_q N = 0: shafts that nothing winds up, masses on
/// nothing but dampers, with all their gears. Solved for is
///
///   R(t, q, N s, 0, λ, x, 0, y, d) = 0,   Nᵀ (q − q₀) = 0
///
/// by Newton's method from a start whose states are at rest; without free motions that is the static equilibrium, and
/// the operating point of a circuit. Time is held.
SteadyMotion find_steady_motion(equations::Evaluator& evaluator, const solve::Options& options);

}  // namespace coenergy::analyze
