#pragma once
#include <vector>

#include "coenergy/math/sparse_lu.hpp"
#include "coenergy/solve/stepper.hpp"

namespace coenergy::solve {

/// Solves the equations at a point inside a step, where a method only interpolates, with the factors of that step:
///
///   S δ = −R,   (a, λ, ẋ, y) += δ,   v += g δa,   q ∘ exp(g² δa),   x += g δẋ,
///   S = ∂R/∂(a, λ, ẋ, y) + g ∂R/∂(v, x) + g² ∂R/∂q,   g = hγ,
///
/// until what is left of δ, in the norm of the method's own Newton iteration, is below `limit`. States move with their
/// rates, by no more than interpolation has left them wrong: the rate of a stiff state that is only interpolated would
/// be wrong by far more than the state itself. False where that does not converge; then `at` is of no use.
bool solve_between(equations::Evaluator& evaluator, Statistics& statistics, math::SparseLu<double>& lu, double g,
                   double limit, ErrorNorm& norm, std::vector<double>& residual, equations::Point& at);

}  // namespace coenergy::solve
