#pragma once
#include <complex>
#include <string>
#include <vector>

#include "coenergy/equations/system.hpp"
#include "coenergy/solve/options.hpp"

namespace coenergy::analyze {

/// A periodic steady state: z(t + T) = z(t) of everything that carries over from one period to the next.
struct Periodic {
  bool good = false;
  std::string text;  ///< why none was found
  std::vector<std::string> notes;
  double period = 0;       ///< s
  double smallest = 0;     ///< s: the period or a part of it after which everything repeats; 0: nothing moves at all
  equations::Point point;  ///< all variables at the start of the period
  /// z there: independent coordinates, their rates, states, and what samples and modes remember.
  std::vector<std::string> names, units;
  std::vector<double> values;
  std::vector<std::string> counting;  ///< parts of z that only count on and decide nothing: the angle of a free shaft
  /// Eigenvalues of the monodromy matrix ∂z(T)/∂z(0) without these, the largest first: stable where all lie inside the
  /// unit circle (of a free oscillation one is 1).
  std::vector<std::complex<double>> multipliers;
  int iterations = 0;
};

struct PeriodicOptions {
  double period = 0;        ///< s; of a free oscillation a guess
  bool free = false;        ///< the period is unknown: no source depends on time
  double tolerance = 1e-9;  ///< last correction relative to the size of the variables
  int max_iterations = 30;
};

/// Shooting: Newton's method for z(t₁ + T) − z(t₁) = 0, for a free oscillation with T as another unknown and the
/// correction of z orthogonal to ż.
///
/// t₁ is one period after the start of the run (more where that is too far away), so that pulses, clocks and sampled
/// parts have come into their phase, and every shot goes on from there. z are independent coordinates and their rates,
/// states, and discrete variables that remember what is continuous (samples, delays, not counts and sides). An angle
/// repeats where it differs by whole turns. The monodromy matrix is that of the variational equations over all events of
/// the period (see simulate_sensitivity). What only counts on is found by its column, a unit vector, and left out.
///
/// A second period must repeat the first one, else the excitation has another period, and this one is refused.
Periodic find_periodic(equations::Evaluator& evaluator, const solve::Options& options, const PeriodicOptions& periodic);

/// Options of a run of some time from a point, as one goes on from there.
solve::Options continue_from(const solve::Options& options, equations::Evaluator& evaluator, const equations::Point& p,
                             double time);

}  // namespace coenergy::analyze
