#pragma once
#include <string>

#include "coenergy/system/system.hpp"

namespace coenergy::analyze {

struct Equilibrium {
  system::Point point;
  bool good = false;
  int iterations = 0;
  std::string text;   ///< how it ended
};

/// Static equilibrium near a point: R(q, v = 0, a = 0, λ, x, ẋ = 0, y) = 0 with Φ(q) = 0, by damped Newton steps of smallest
/// length, so that free motions (a rotor without spring) stay where they are. Discrete variables and time are held.
Equilibrium find_equilibrium(system::Evaluator& evaluator, const system::Point& start, int max_iterations = 100);

}  // namespace coenergy::analyze
