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

/// Static equilibrium near a point: R(q, v = 0, a = 0, λ, x, ẋ = 0, y) = 0 with Φ(q) = 0, by following the motion
/// from rest with ever larger steps (pseudo-transient continuation), which ends as Newton's iteration. Free motions (a rotor
/// without spring) stay where they are: steps have the smallest length. Discrete variables and time are held.
Equilibrium find_equilibrium(system::Evaluator& evaluator, const system::Point& start, int max_iterations = 200);

}  // namespace coenergy::analyze
