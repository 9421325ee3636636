#pragma once
#include <cstddef>

namespace coenergy::symbolic {

/// True where the machine has AVX2 and FMA, and the build can use them.
bool has_sincos_avx2();
/// Four arguments at a time; only where has_sincos_avx2().
void sincos_avx2(const double* x, double* sine, double* cosine, std::size_t n);

}  // namespace coenergy::symbolic
