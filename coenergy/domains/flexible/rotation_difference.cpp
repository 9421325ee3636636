#include "coenergy/domains/flexible/rotation_difference.hpp"

namespace coenergy::domains::flexible {

/// With s = √u = sin(t/2) and c = cos(t/2) ≥ 0 the ratio is (t/2)/s: atan2(s, c)/s where u > 1/50, else the series
/// Σ aₙ uⁿ with aₙ = (2n)!/(4ⁿ n!² (2n+1)); its tail after n = 9 is below 1e-17 there.
Expr asin_ratio(const Expr& u, const Expr& c) {
  constexpr double limit = 0.02;
  const Expr small = less(u, limit);
  double binomial = 1;
  double a[10];
  for (int n = 0; n < 10; ++n) {
    a[n] = binomial / (2 * n + 1);
    binomial *= (2.0 * n + 1) / (2 * n + 2);
  }
  Expr series = a[9];
  for (int n = 8; n >= 0; --n) series = a[n] + u * series;
  // the other branch is kept away from its singular point, since both are evaluated
  const Expr s = sqrt(select(small, Expr(limit), u));
  return select(small, series, atan2(s, c) / s);
}

RotationDifference make_rotation_difference(const std::array<Expr, 4>& p1, const std::array<Expr, 4>& p2) {
  // p₁* ⊗ p₂ = (c, v); −p is the same rotation as p, so that c ≥ 0 can be had
  const Expr scalar = p1[0] * p2[0] + p1[1] * p2[1] + p1[2] * p2[2] + p1[3] * p2[3];
  const Expr side = select(less(scalar, 0), Expr(-1), Expr(1));
  const Expr c = side * scalar;
  const Vec3 v{{side * (p1[0] * p2[1] - p1[1] * p2[0] - p1[2] * p2[3] + p1[3] * p2[2]),
                side * (p1[0] * p2[2] + p1[1] * p2[3] - p1[2] * p2[0] - p1[3] * p2[1]),
                side * (p1[0] * p2[3] - p1[1] * p2[2] + p1[2] * p2[1] - p1[3] * p2[0])}};
  RotationDifference d;
  d.psi = (2 * asin_ratio(dot(v, v), c)) * v;

  // halfway: p₁ ⊗ (1 + c, v) = p₁ + p₂, of squared length 2 (1 + c)
  std::array<Expr, 4> m;
  for (int i = 0; i < 4; ++i) m[i] = p1[i] + side * p2[i];
  const Expr scale = 1 / (1 + c);
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const Expr &a = m[i + 1], &b = m[j + 1], &e = m[k + 1];
    d.R_mid(i, i) = 1 - scale * (b * b + e * e);
    d.R_mid(i, j) = scale * (a * b - m[0] * e);
    d.R_mid(i, k) = scale * (a * e + m[0] * b);
  }
  return d;
}

}  // namespace coenergy::domains::flexible
