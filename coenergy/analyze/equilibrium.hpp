#pragma once
#include <string>

#include "coenergy/solve/options.hpp"
#include "coenergy/system/system.hpp"

namespace coenergy::analyze {

/// A point at rest: v = a = 0, ẋ = 0, all equations and constraints satisfied.
struct Equilibrium {
  system::Point point;
  bool good = false;
  std::string text;  ///< why none was found
  int iterations = 0;
};

struct EquilibriumOptions {
  double t = 0;               ///< time at which sources are taken, s
  double tolerance = 1e-10;   ///< last relative correction
  int max_newton = 50;        ///< plain Newton iterations …
  int max_relaxation = 2000;  ///< … and iterations of the relaxation that follows where they fail
};

/// Solves R(t, q, 0, 0, λ, x, 0, y, d) = 0 for q, λ, x, y, from the start values of the system.
///
/// First Newton's method with a line search. Where that fails, relaxation: implicit Euler steps from rest with the
/// matrix ∂R/∂q + ∂R/∂v/τ + ∂R/∂a/τ² and a τ that grows as the residual falls; it follows the motion of the damped
/// system to a stable equilibrium and ends as Newton's method. Free motions without a force (a rotor without a spring)
/// stay where they are. Discrete variables keep their values.
Equilibrium find_equilibrium(system::Evaluator& evaluator, const EquilibriumOptions& options = {});
/// The same from a given guess.
Equilibrium find_equilibrium(system::Evaluator& evaluator, const system::Point& guess,
                             const EquilibriumOptions& options = {});

}  // namespace coenergy::analyze
