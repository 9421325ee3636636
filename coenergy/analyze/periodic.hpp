#pragma once
#include <complex>
#include <string>
#include <vector>

#include "coenergy/equations/system.hpp"
#include "coenergy/solve/options.hpp"

namespace coenergy::analyze {

/// A periodic steady state: x(t + T) = x(t).
struct Periodic {
  bool good = false;
  std::string text;       ///< why none was found
  double period = 0;      ///< s
  std::vector<double> x;  ///< states at the start of the period
  /// Eigenvalues of the monodromy matrix ∂x(T)/∂x(0), the largest first: stable where all lie inside the unit circle
  /// (of a free oscillation one is 1).
  std::vector<std::complex<double>> multipliers;
  int iterations = 0;
};

struct PeriodicOptions {
  double period = 0;        ///< s; of a free oscillation a guess
  bool free = false;        ///< the period is unknown: no source depends on time
  double tolerance = 1e-9;  ///< last correction relative to the size of the states
  int max_iterations = 30;
};

/// Shooting: Newton's method for x(T; x₀) − x₀ = 0 from the start values of the system, for a free oscillation with T
/// as another unknown and the correction of x₀ orthogonal to ẋ. The monodromy matrix is made of central differences of
/// runs with the given options. Systems of first order only (circuits, controllers); throws Error for mechanisms.
Periodic find_periodic(equations::Evaluator& evaluator, const solve::Options& options, const PeriodicOptions& periodic);

}  // namespace coenergy::analyze
