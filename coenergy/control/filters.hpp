#pragma once
#include <vector>

#include "coenergy/control/linear_system.hpp"

namespace coenergy::control {

enum class FilterFamily { butterworth, chebyshev, inverse_chebyshev, elliptic, bessel };
enum class FilterPass { low, high, band, stop };

/// A filter by order and corner frequencies (rad/s; band and stop have two, and twice the order). Ripple of the pass
/// band (chebyshev, elliptic) and attenuation of the stop band (inverse_chebyshev, elliptic) in dB. The corner is where
/// the gain is −3 dB (butterworth), leaves the ripple (chebyshev, elliptic), or reaches the attenuation
/// (inverse_chebyshev); that of bessel has the group delay of low frequencies 1/corner at order-independent asymptotes: its
/// denominator ends with 1, as Butterworth's does.
struct FilterSpec {
  FilterFamily family = FilterFamily::butterworth;
  FilterPass pass = FilterPass::low;
  int order = 2;
  std::vector<double> corners;
  double ripple = 1, attenuation = 40;
};
/// Throws Error for what is no filter.
ZeroPoleGain design_filter(const FilterSpec& spec);
/// The same of samples, by the bilinear transform with both corners kept.
ZeroPoleGain design_sampled_filter(const FilterSpec& spec, double period);

TransferFunction expand(const ZeroPoleGain& zpk);

}  // namespace coenergy::control
