#include "coenergy/symbolic/sincos_avx2.hpp"

#include <cmath>

#include "coenergy/symbolic/sincos.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

// everything below this line, and nothing above it, may use AVX2 and FMA
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif
#include "coenergy/symbolic/sincos_kernel.hpp"

namespace coenergy::symbolic {
namespace {

struct Avx2Ops {
  using V = __m256d;
  static V all(double a) { return _mm256_set1_pd(a); }
  static V absolute(V a) { return _mm256_andnot_pd(_mm256_set1_pd(-0.0), a); }
  static V fma(V a, V b, V c) { return _mm256_fmadd_pd(a, b, c); }
  static void quadrants(V x, V shifted, V s, V c, V& sine, V& cosine) {
    const __m256i k = _mm256_castpd_si256(shifted);
    // odd quadrants exchange sine and cosine; the blend looks at the sign bit
    const V odd = _mm256_castsi256_pd(_mm256_slli_epi64(k, 63)), negative = _mm256_set1_pd(-0.0);
    const V flip_s = _mm256_xor_pd(_mm256_castsi256_pd(_mm256_slli_epi64(k, 62)), x);
    const V flip_c = _mm256_castsi256_pd(_mm256_slli_epi64(_mm256_add_epi64(k, _mm256_set1_epi64x(1)), 62));
    sine = _mm256_xor_pd(_mm256_blendv_pd(s, c, odd), _mm256_and_pd(flip_s, negative));
    cosine = _mm256_xor_pd(_mm256_blendv_pd(c, s, odd), _mm256_and_pd(flip_c, negative));
  }
};

/// True where every |x| is within reach of the reduction; false for NaN.
inline bool within_reach(__m256d x) {
  const __m256d u = Avx2Ops::absolute(x);
  return _mm256_movemask_pd(_mm256_cmp_pd(u, _mm256_set1_pd(sincos_kernel::largest), _CMP_LE_OQ)) == 15;
}

/// Arguments out of reach, one by one.
[[gnu::noinline, gnu::cold]] void fix_far(const double* x, double* sine, double* cosine, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    if (!(std::fabs(x[i]) <= sincos_kernel::largest)) ::sincos(x[i], sine + i, cosine + i);
}

}  // namespace

void sincos_avx2(const double* x, double* sine, double* cosine, std::size_t n) {
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    const __m256d v = _mm256_loadu_pd(x + i);
    __m256d s, c;
    sincos_kernel::evaluate<Avx2Ops>(v, s, c);
    _mm256_storeu_pd(sine + i, s);
    _mm256_storeu_pd(cosine + i, c);
    if (!within_reach(v)) [[unlikely]]
      fix_far(x + i, sine + i, cosine + i, 4);
  }
  if (i == n) return;

  // the last one to three: the other lanes compute sin 0
  const __m256i index = _mm256_set_epi64x(3, 2, 1, 0);
  const __m256i mask = _mm256_cmpgt_epi64(_mm256_set1_epi64x(static_cast<long long>(n - i)), index);
  const __m256d v = _mm256_maskload_pd(x + i, mask);
  __m256d s, c;
  sincos_kernel::evaluate<Avx2Ops>(v, s, c);
  _mm256_maskstore_pd(sine + i, mask, s);
  _mm256_maskstore_pd(cosine + i, mask, c);
  if (!within_reach(v)) [[unlikely]]
    fix_far(x + i, sine + i, cosine + i, n - i);
}

}  // namespace coenergy::symbolic
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

namespace coenergy::symbolic {
bool has_sincos_avx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
}  // namespace coenergy::symbolic

#else

namespace coenergy::symbolic {
bool has_sincos_avx2() { return false; }
void sincos_avx2(const double* x, double* sine, double* cosine, std::size_t n) { sincos_portable(x, sine, cosine, n); }
}  // namespace coenergy::symbolic

#endif
