#pragma once
#include <vector>

#include "coenergy/solve/result.hpp"
#include "coenergy/solve/tangent.hpp"

namespace coenergy::solve {

/// Closes constraints that flexible bodies do not allow to be closed without strain, with the least strain energy V:
///
///   min V(q) + ½ |W(q − q₀)|²   with Φ(q, t) = 0 and fixed coordinates kept,   by Newton's method:
///   ⎡K + W²  Φ_qᵀ⎤ ⎡δq⎤     ⎡f(q) − f(q₀) + W²(q − q₀)⎤
///   ⎣Φ_q      0  ⎦ ⎣μ ⎦ = − ⎣         Φ               ⎦   (μ of K's own change with the position is left out)
///
/// f are the balances of the nodes at rest without multipliers and K their derivatives. f(q₀), of the unstrained
/// bodies, are their weight and what else acts on them; these do not count. W is small beside K and decides only what
/// strain does not. p.q is the unstrained position nearest to the constraints.
///
/// The energy that a body takes on the way q(s) = q₀ ∘ exp(s θ) is ∫ (f − f(q₀))·θ ds over its nodes.
struct StrainRelaxation {
  bool good = false;             ///< otherwise the iteration did not converge, and p is anywhere
  std::vector<double> energies;  ///< of each flexible body, J
};
StrainRelaxation relax_strain(equations::Evaluator& evaluator, Statistics& statistics, const std::vector<char>& fixed,
                              equations::Point& p);

}  // namespace coenergy::solve
