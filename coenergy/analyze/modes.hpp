#pragma once
#include <complex>
#include <string>
#include <vector>

#include "coenergy/analyze/state_space.hpp"

namespace coenergy::analyze {

/// One eigenvalue s of A (of a conjugate pair the one with positive imaginary part) and its shape over the states.
struct Mode {
  std::complex<double> eigenvalue;        ///< 1/s
  double frequency = 0;                   ///< |s|/2π of an oscillating mode, Hz; 0 otherwise
  double damping = 0;                     ///< −Re s/|s|; 1 for a real stable eigenvalue
  std::vector<std::complex<double>> shape;  ///< largest entry of the positions (or states) is 1
};

/// The modes of a linear model, slowest first (by |s|).
std::vector<Mode> compute_modes(const StateSpace& model);

}  // namespace coenergy::analyze
