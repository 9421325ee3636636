#pragma once
#include <complex>
#include <vector>

#include "coenergy/analyze/state_space.hpp"

namespace coenergy::analyze {

/// H(jω) = C (jω − A)⁻¹ B + D at an angular frequency ω (rad/s): row-major, outputs × inputs.
/// Throws coenergy::Error where jω is an eigenvalue of A.
std::vector<std::complex<double>> compute_frequency_response(const StateSpace& model, double omega);

}  // namespace coenergy::analyze
