#include "coenergy/solve/radau_method.hpp"

#include <cmath>

#include "coenergy/math/decompositions.hpp"

namespace coenergy::solve {
namespace {

RadauMethod make_method() {
  const double s = std::sqrt(6.0);
  RadauMethod m{};
  const double c[3] = {(4 - s) / 10, (4 + s) / 10, 1};
  const double a[3][3] = {{(88 - 7 * s) / 360, (296 - 169 * s) / 1800, (-2 + 3 * s) / 225},
                          {(296 + 169 * s) / 1800, (88 + 7 * s) / 360, (-2 - 3 * s) / 225},
                          {(16 - s) / 36, (16 + s) / 36, 1.0 / 9}};
  math::Matrix matrix(3, 3);
  for (int i = 0; i < 3; ++i) {
    m.c[i] = c[i];
    for (int j = 0; j < 3; ++j) matrix(i, j) = m.a[i][j] = a[i][j];
  }
  const math::EigenPairs pairs = math::compute_eigenpairs(matrix);
  const auto find = [&](auto wanted) {
    for (int k = 0; k < 3; ++k)
      if (wanted(pairs.values[k].imag())) return k;
    return 0;
  };
  const int real = find([](double imaginary) { return imaginary == 0; });
  const int upper = find([](double imaginary) { return imaginary > 0; });
  m.mu0 = pairs.values[real].real(), m.mu1 = pairs.values[upper];

  // V⁻¹ from the real matrix (v0, Re v1, Im v1): z = v0 w0 + 2 Re(v1 w1)
  math::Matrix basis(3, 3);
  for (int i = 0; i < 3; ++i) {
    m.v0[i] = pairs.vectors(i, real).real(), m.v1[i] = pairs.vectors(i, upper);
    basis(i, 0) = m.v0[i], basis(i, 1) = 2 * m.v1[i].real(), basis(i, 2) = -2 * m.v1[i].imag();
  }
  const math::Matrix inverse = math::solve(basis, math::identity(3));
  for (int j = 0; j < 3; ++j) m.w0[j] = inverse(0, j), m.w1[j] = std::complex(inverse(1, j), inverse(2, j));
  m.embedded[0] = -(13 + 7 * s) / 3, m.embedded[1] = (-13 + 7 * s) / 3, m.embedded[2] = -1.0 / 3;
  double k = 0;
  for (int i = 0; i < 3; ++i) k += m.mu0 * m.embedded[i] * (std::pow(m.c[i], 4) / 24 - m.omega(m.c[i]) / 6);
  m.between = 1 / (6 * k);
  return m;
}

}  // namespace

const RadauMethod& radau_method() {
  static const RadauMethod m = make_method();
  return m;
}

}  // namespace coenergy::solve
