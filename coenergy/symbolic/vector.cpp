#include "coenergy/symbolic/vector.hpp"

#include <string>

namespace coenergy::symbolic {

Vec3 let(Graph& g, std::string_view name, const Vec3& v) {
  Vec3 r;
  for (int i = 0; i < 3; ++i) r[i] = g.let(std::string(name) + std::to_string(i + 1), v[i]);
  return r;
}

Mat3 rotation_of_quaternion(const std::array<Expr, 4>& p) {
  // R = (2 p0² − 1) E + 2 (p pᵀ + p0 p̃); with |p| = 1 the diagonal is 1 − 2 (pj² + pk²)
  Mat3 r;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const Expr &a = p[i + 1], &b = p[j + 1], &c = p[k + 1];
    r(i, i) = 1 - 2 * (b * b + c * c);
    r(i, j) = 2 * (a * b - p[0] * c);
    r(i, k) = 2 * (a * c + p[0] * b);
  }
  return r;
}

std::array<Expr, 4> quaternion_rate(const std::array<Expr, 4>& p, const Vec3& w) {
  const Expr half = 0.5;
  return {-half * (p[1] * w[0] + p[2] * w[1] + p[3] * w[2]),  //
          half * (p[0] * w[0] + p[2] * w[2] - p[3] * w[1]), half * (p[0] * w[1] + p[3] * w[0] - p[1] * w[2]),
          half * (p[0] * w[2] + p[1] * w[1] - p[2] * w[0])};
}

}  // namespace coenergy::symbolic
