#pragma once
#include <complex>

namespace coenergy::math {

/// 1/x, of complex numbers without the guards against overflow of a division: for pivots of equilibrated matrices,
/// which are of moderate size.
inline double unguarded_reciprocal(double x) { return 1 / x; }
inline std::complex<double> unguarded_reciprocal(const std::complex<double>& x) { return std::conj(x) / std::norm(x); }

/// a b, of complex numbers without the operator's search for infinities.
inline double unguarded_product(double a, double b) { return a * b; }
inline std::complex<double> unguarded_product(const std::complex<double>& a, const std::complex<double>& b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

}  // namespace coenergy::math
