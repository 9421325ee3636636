#pragma once
#include <complex>
#include <string>
#include <vector>

#include "coenergy/analyze/linearize.hpp"

namespace coenergy::analyze {

/// One eigenvalue λ of ż = A z with Im λ ≥ 0 (its conjugate is not listed).
struct Mode {
  std::complex<double> eigenvalue;          ///< 1/s
  double frequency = 0;                     ///< undamped, |λ|/2π, Hz
  double damping = 0;                       ///< ratio −Re λ/|λ|; 1 for real decay, 0 where λ = 0
  std::vector<std::complex<double>> shape;  ///< deviations of Modes::names, the largest is 1
};

struct Modes {
  std::vector<std::string> names;  ///< all coordinates (dependent ones too), then the states of first order
  std::vector<Mode> modes;         ///< by rising |λ|
};

Modes compute_modes(const equations::System& system, const Linearization& linearization);
/// Of a model by itself: names are those of its states.
Modes compute_modes(const StateSpace& model);

}  // namespace coenergy::analyze
