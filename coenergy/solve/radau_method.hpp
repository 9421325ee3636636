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
  /// The collocation polynomial is wrong by −h⁴z⁗ ω(s)/6, ω(s) = ∫₀ˢ Π(t − cᵢ) dt, at a part s of a step, and the
  /// error estimate is K h⁴z⁗: this is 1/(6K), the factor of ω(s) times the estimate that makes up for it.
  double between;
  double omega(double s) const {
    return s * (s * (s * (s / 4 - (c[0] + c[1] + c[2]) / 3) + (c[0] * c[1] + c[0] * c[2] + c[1] * c[2]) / 2) -
                c[0] * c[1] * c[2]);
  }
};

const RadauMethod& radau_method();

}  // namespace coenergy::solve
