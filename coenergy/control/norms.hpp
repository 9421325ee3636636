#pragma once
#include "coenergy/control/linear_system.hpp"

namespace coenergy::control {

/// P with A P + P Aᵀ + B Bᵀ = 0 (A P Aᵀ − P + B Bᵀ = 0); of the transposed system the one of what outputs see. Throws Error
/// where the system is unstable, naming its pole.
math::Matrix find_gramian(const LinearSystem& system);

/// (1/2π ∫ tr GᴴG dω)^½ = (tr C P Cᵀ)^½: the output's size for white noise. Infinite where a continuous system has a direct
/// gain.
double find_h2_norm(const LinearSystem& system);

/// The largest gain over all frequencies, and where: by the imaginary eigenvalues of the Hamiltonian matrix (Boyd,
/// Balakrishnan 1990; Bruinsma, Steinbuch 1990), then the top of the curve itself. Samples by Cayley's transform.
struct PeakGain {
  double gain = 0, omega = 0;  ///< rad/s
};
PeakGain find_hinf_norm(const LinearSystem& system);
/// The same of an unstable system: its gain on the imaginary axis, which is no norm.
PeakGain find_peak_gain(const LinearSystem& system);

/// s = (2/T)(z − 1)/(z + 1) of samples.
LinearSystem find_cayley_transform(const LinearSystem& sampled);

/// Frequencies at which a singular value of G(jω) is γ, rising, rad/s.
std::vector<double> find_gain_crossings(const LinearSystem& continuous, double gamma);

}  // namespace coenergy::control
