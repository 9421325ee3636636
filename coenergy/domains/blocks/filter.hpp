#pragma once
#include "coenergy/domains/blocks/linear_system.hpp"

namespace coenergy::domains::blocks {

/// Filter by type, order and corner frequencies, as a chain of sections (Oppenheim, Schafer: Discrete-Time Signal
/// Processing, 1989).
///
/// The low-pass prototype of order n has the corner 1 rad/s and the poles
///
///   butterworth  exp(iθ_k), θ_k = π (2k + n − 1)/(2n)           −3.01 dB at the corner, flat below
///   chebyshev    −sinh μ sin γ_k + i cosh μ cos γ_k,             −ripple at the corner, waves of that size below
///                μ = asinh(1/ε)/n, γ_k = π (2k − 1)/(2n), ε² = 10^{ripple/10 dB} − 1
///
/// s becomes s/ω (low), ω/s (high), (s² + ω₁ω₂)/(s (ω₂ − ω₁)) (band) or its inverse (stop). The gain is 1 in the middle of
/// what passes (of a Chebyshev filter of even order at the bottom of a wave). With `sample` T each s is replaced by
/// 2/T (z − 1)/(z + 1), and corners are shifted to 2/T tan(ωT/2) before, so that they are where they should be.
struct Filter {
  Parameter u, order, ripple;
  List corners;
  Choice passes, family;
  Sampling sampling;

  void describe(Description& d);
  void equations(Equations& eq) const;

 private:
  std::vector<double> read_corners(Equations& eq) const;
};

}  // namespace coenergy::domains::blocks
