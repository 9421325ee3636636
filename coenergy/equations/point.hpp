#pragma once
#include <span>
#include <vector>

namespace coenergy::equations {

/// The values of all variables of a system at one instant.
///
/// q    configuration, nq numbers (a scalar coordinate takes one, a rotation four: a unit quaternion R_world,body)
/// v    velocities, nv numbers (a rotation takes three: angular velocity in body axes)
/// a    accelerations v̇, nv numbers
/// λ    multipliers, x states with rates ẋ, y algebraic variables, d discrete variables (held between events)
struct Point {
  double t = 0;
  std::vector<double> q, v, a, lambda, x, xd, y, d;
};

/// Weights of the partial derivatives in an assembled matrix: S = Σ weight · ∂R/∂(variable), see Evaluator::jacobian.
struct Weights {
  double q = 0, v = 0, a = 0, lambda = 0, x = 0, xd = 0, y = 0;
};

/// A matrix of partial derivatives to be filled, in System::pattern().
struct MatrixPart {
  Weights weights;
  std::span<double> values;
};

/// Which form the constraint rows take: Φ, Φ̇ or Φ̈.
enum class Level { position, velocity, acceleration };

}  // namespace coenergy::equations
