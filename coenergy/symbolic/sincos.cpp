#include "coenergy/symbolic/sincos.hpp"

#include <bit>
#include <cmath>
#include <cstdint>

#include "coenergy/symbolic/sincos_avx2.hpp"
#include "coenergy/symbolic/sincos_kernel.hpp"

namespace coenergy::symbolic {
namespace {

struct ScalarOps {
  using V = double;
  static double all(double a) { return a; }
  static double absolute(double a) { return std::fabs(a); }
  static double fma(double a, double b, double c) { return std::fma(a, b, c); }
  static void quadrants(double x, double shifted, double s, double c, double& sine, double& cosine) {
    const auto k = std::bit_cast<std::uint64_t>(shifted);
    if (k & 1) std::swap(s, c);
    const std::uint64_t negative = std::uint64_t{1} << 63;
    const auto flip = [](double a, std::uint64_t sign) {
      return std::bit_cast<double>(std::bit_cast<std::uint64_t>(a) ^ sign);
    };
    sine = flip(s, ((k << 62) ^ std::bit_cast<std::uint64_t>(x)) & negative);
    cosine = flip(c, ((k + 1) << 62) & negative);
  }
};

}  // namespace

void sincos_portable(const double* x, double* sine, double* cosine, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    if (std::fabs(x[i]) <= sincos_kernel::largest)
      sincos_kernel::evaluate<ScalarOps>(x[i], sine[i], cosine[i]);
    else
      sine[i] = std::sin(x[i]), cosine[i] = std::cos(x[i]);
  }
}

void sincos_libm(const double* x, double* sine, double* cosine, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) ::sincos(x[i], sine + i, cosine + i);
}

void sincos(const double* x, double* sine, double* cosine, std::size_t n) {
  static const auto best = has_sincos_avx2() ? sincos_avx2 : sincos_portable;
  best(x, sine, cosine, n);
}

}  // namespace coenergy::symbolic
