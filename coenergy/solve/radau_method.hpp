#pragma once
#include <complex>

namespace coenergy::solve {

/// Coefficients of Radau IIA with three stages, and the eigenvectors of its matrix: V⁻¹ A V = diag(μ₀, μ₁, μ̄₁). A stage
/// vector z and its parts in the eigenvector basis: ŵ₀ = w0·z (real), ŵ₁ = w1·z (complex), z = v0 ŵ₀ + 2 Re(v1 ŵ₁).
struct RadauMethod {
  double c[3];
  double a[3][3];
  double mu0;
  std::complex<double> mu1;
  double v0[3];
  std::complex<double> v1[3];
  double w0[3];
  std::complex<double> w1[3];
  double embedded[3];  ///< weights of the increments zᵢ − z₀ in the error estimate
};

const RadauMethod& radau_method();

}  // namespace coenergy::solve
