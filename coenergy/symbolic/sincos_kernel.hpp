#pragma once

namespace coenergy::symbolic::sincos_kernel {

/// Arguments larger than this go to the C library: up to here k < 2²⁰, so that k·P₂ is exact.
inline constexpr double largest = 1e6;

inline constexpr double two_over_pi = 0x1.45f306dc9c883p-1;
/// π/2 = P₁ + P₂ + P₃ with an error of 2⁻¹⁴².
inline constexpr double pi_half_1 = 0x1.921fb54442d18p+0, pi_half_2 = 0x1.1a62633200000p-54,
                        pi_half_3 = -0x1.747f23e32ed70p-87;
/// Adding this rounds to an integer and leaves the integer in the low bits.
inline constexpr double rounder = 0x1.8p52;
/// sin r = r + r³·S(r²), relative error 2⁻⁵⁷·⁹ on |r| ≤ π/4.
inline constexpr double s[] = {-0x1.5555555555548p-3, 0x1.111111110f7c0p-7,   -0x1.a01a019bfbd31p-13,
                               0x1.71de3565ee73bp-19, -0x1.ae5e5909a53e4p-26, 0x1.5d8f5cb445d3fp-33};
/// cos r = 1 − r²/2 + r⁴·C(r²), relative error 2⁻⁶³·⁹ on |r| ≤ π/4.
inline constexpr double c[] = {0x1.555555555554bp-5,   -0x1.6c16c16c14f7fp-10, 0x1.a01a019c8273ap-16,
                               -0x1.27e4f7e96415cp-22, 0x1.1ee9d6bf454fep-29,  -0x1.8fa417e47d189p-37};

/// Sine and cosine of a vector V of |x| ≤ `largest`. Ops names the operations that differ between machines:
/// fma(a, b, c) = a·b + c, absolute, and the assembly of the quadrants.
template <class Ops, class V = typename Ops::V>
inline __attribute__((always_inline)) void evaluate(V x, V& sine, V& cosine) {
  // k = round(|x|·2/π); the sign of x belongs to the sine alone
  const V u = Ops::absolute(x);
  const V shifted = Ops::fma(u, Ops::all(two_over_pi), Ops::all(rounder));
  const V k = shifted - Ops::all(rounder);
  // r + e = |x| − k·π/2: the first two differences are exact, with the rounding of the second kept in e
  const V r1 = Ops::fma(-k, Ops::all(pi_half_1), u);
  const V w = k * Ops::all(pi_half_2);
  const V r = r1 - w;
  const V e = Ops::fma(-k, Ops::all(pi_half_3), (r1 - r) - w);

  // Horner's rule for both polynomials
  const V z = r * r;
  V ps = Ops::all(s[5]), pc = Ops::all(c[5]);
  ps = Ops::fma(ps, z, Ops::all(s[4])), pc = Ops::fma(pc, z, Ops::all(c[4]));
  ps = Ops::fma(ps, z, Ops::all(s[3])), pc = Ops::fma(pc, z, Ops::all(c[3]));
  ps = Ops::fma(ps, z, Ops::all(s[2])), pc = Ops::fma(pc, z, Ops::all(c[2]));
  ps = Ops::fma(ps, z, Ops::all(s[1])), pc = Ops::fma(pc, z, Ops::all(c[1]));
  ps = Ops::fma(ps, z, Ops::all(s[0])), pc = Ops::fma(pc, z, Ops::all(c[0]));

  // sin(r + e) = r + (r³S + e(1 − r²/2)), cos(r + e) = h + ((1 − h − r²/2) + r⁴C − r·e) with h = 1 − r²/2
  const V half = Ops::all(0.5) * z, one = Ops::all(1.0), h = one - half;
  const V sr = r + Ops::fma(r * z, ps, e * h);
  const V cr = h + Ops::fma(-r, e, Ops::fma(z * z, pc, (one - h) - half));
  Ops::quadrants(x, shifted, sr, cr, sine, cosine);
}

}  // namespace coenergy::symbolic::sincos_kernel
