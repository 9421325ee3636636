#pragma once
#include <cstddef>

namespace coenergy::symbolic {

/// sine[i] = sin(x[i]), cosine[i] = cos(x[i]) for i < n; the arrays may not overlap.
///
/// x = k·π/2 + r with |r| ≤ π/4: π/2 is split in three parts, P₁ (53 bits), P₂ (32 bits, so that k·P₂ is exact) and P₃,
/// and r is carried as a double and a correction. sin r and cos r are minimax polynomials. The result is within 1 ulp
/// of the C library's for |x| ≤ 10⁶; beyond, and for infinities and NaN, the C library itself is called.
///
/// The value for one argument does not depend on its neighbours, nor on which of the two forms below computes it.
void sincos(const double* x, double* sine, double* cosine, std::size_t n);

/// The same bits without vector instructions, for machines that have none.
void sincos_portable(const double* x, double* sine, double* cosine, std::size_t n);

/// The C library, argument by argument, with the same calling convention.
void sincos_libm(const double* x, double* sine, double* cosine, std::size_t n);

}  // namespace coenergy::symbolic
