#pragma once
#include <cmath>
#include <complex>

namespace coenergy::math {

/// Size of a number for the choice of pivots and scales: |x|, or |Re x| + |Im x|, which is at most √2 larger than the
/// absolute value of a complex number and needs no root.
inline double magnitude(double x) { return std::abs(x); }
inline double magnitude(const std::complex<double>& x) { return std::abs(x.real()) + std::abs(x.imag()); }

}  // namespace coenergy::math
