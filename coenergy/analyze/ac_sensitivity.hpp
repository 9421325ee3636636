#pragma once
#include <complex>
#include <functional>
#include <utility>
#include <vector>

#include "coenergy/analyze/direction.hpp"
#include "coenergy/equations/system.hpp"

namespace coenergy::analyze {

/// Phasors of signals about a point at rest (see Phasors), and how they change with entries of the model:
///
///   dZ/dp  with the point at rest following p,   d|Z|/dp = Re(Z* dZ/dp)/|Z|,   d(arg Z)/dp = Im(Z* dZ/dp)/|Z|²
///
/// by differences of fourth order over 2·10⁻³ of the value to both sides: exact to about 10⁻⁹ of Z/p.
struct AcSensitivity {
  using Complex = std::complex<double>;
  std::vector<Complex> values;                    ///< by signal
  std::vector<std::vector<Complex>> derivatives;  ///< by signal, then by direction

  double magnitude_derivative(std::size_t signal, std::size_t direction) const;
  double phase_derivative(std::size_t signal, std::size_t direction) const;  ///< rad
};

/// `find_rest` gives the point at rest for the present parameters of the evaluator; these are left as they were.
/// `signals` are indices of System::signals(), `inputs` parameters (by index) with their phasors.
AcSensitivity compute_ac_sensitivity(equations::Evaluator& evaluator,
                                     const std::function<equations::Point()>& find_rest, double omega,
                                     const std::vector<std::pair<int, std::complex<double>>>& inputs,
                                     const std::vector<int>& signals, const std::vector<Direction>& directions);

}  // namespace coenergy::analyze
