#pragma once
#include <string>
#include <vector>

#include "coenergy/study/formulas.hpp"

namespace coenergy::study {

/// The equations of a model file:
///
///   unknowns: {x: 1 m, y: {guess: 2 m, min: 0 m, max: 5 m}}
///   residuals: ["x^2 + y^2 = 9 m^2", "x - 2*y"]       or {names: texts}
///
/// A residual is zero as it stands, or left − right of its sign. Throws Error with every mistake, also where there are
/// not as many residuals as unknowns.
Formulas read_equations(const model::Model& model);

struct RootOptions {
  double tolerance = 1e-10;  ///< of the last correction, by the sizes of the unknowns
  int most_iterations = 50;
};

/// A point of Newton's iteration.
struct RootIteration {
  std::vector<double> x, residual;
  double correction = 0;   ///< largest part of the step that led away from here, by the size of the unknown
  double step = 1;         ///< the fraction of Newton's step that was taken
  double determinant = 0;  ///< of ∂(residuals)/∂(unknowns)
};

struct Root {
  bool good = false;
  std::string text;  ///< why there is none
  std::vector<double> x, residual;
  std::vector<RootIteration> trace;  ///< of the attempt that found it, or of the last one
  bool damped = false;               ///< full steps did not lead there
};

/// Newton's method from the guesses: x ← x − J⁻¹ r. Full steps first, as they converge in the fewest; where they
/// diverge, leave the bounds or meet a value that is no number, again from the guess with a line search on Deuflhard's
/// natural level ‖J⁻¹ r‖, which does not depend on the scales of residuals, within the bounds.
Root find_root(const Formulas& equations, const std::vector<double>& guess, const RootOptions& options = {});

/// The roots that are found from `starts` points of a Sobol sequence in the box of the bounds, and from the guesses, each
/// once, in the order of the first unknown. Throws Error where an unknown has no bounds.
std::vector<Root> find_roots(const Formulas& equations, int starts, const RootOptions& options = {});

}  // namespace coenergy::study
