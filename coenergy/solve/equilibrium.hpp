#pragma once
#include <string>

#include "coenergy/equations/system.hpp"

namespace coenergy::solve {

/// A point at rest: v = a = 0, ẋ = 0, all equations and constraints satisfied.
struct Equilibrium {
  equations::Point point;
  bool good = false;
  std::string text;  ///< why none was found
  int iterations = 0;
  std::string method;  ///< that succeeded: Newton's method, load stepping, relaxation
};

struct EquilibriumOptions {
  double t = 0;               ///< time at which sources are taken, s
  double tolerance = 1e-10;   ///< last relative correction
  int max_newton = 50;        ///< plain Newton iterations …
  int max_load_steps = 400;   ///< … load steps where they fail …
  int max_relaxation = 2000;  ///< … and iterations of the relaxation that follows where these fail too
};

/// Solves R(t, q, 0, 0, λ, x, 0, y, d) = 0 for q, λ, x, y, from the start values of the system.
///
/// First Newton's method with a line search. Where that fails, load stepping: R(z) − (1 − s) R(z₀) = 0 is followed from
/// s = 0, where the guess z₀ solves it, to s = 1; what is left of a system in a position without strain are its loads,
/// so these grow from zero, and the equilibrium is the one that slow loading leads to. Where the path turns back (a
/// structure that snaps through), relaxation: implicit Euler steps from rest with the matrix
/// ∂R/∂q + ∂R/∂v/τ + ∂R/∂a/τ² and a τ that grows as the residual falls; it follows the motion of the damped system to a
/// stable equilibrium and ends as Newton's method. Free motions without a force (a rotor without a spring) stay where
/// they are. Discrete variables keep their values. Constraints hold at the time t.
Equilibrium find_equilibrium(equations::Evaluator& evaluator, const equations::Point& guess,
                             const EquilibriumOptions& options = {});

}  // namespace coenergy::solve
