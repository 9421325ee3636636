#pragma once
#include <array>
#include <string_view>

#include "coenergy/symbolic/expr.hpp"

namespace coenergy::symbolic {

/// Three expressions; a vector in some frame.
struct Vec3 {
  std::array<Expr, 3> e{};
  Expr& operator[](int i) { return e[i]; }
  const Expr& operator[](int i) const { return e[i]; }
};

/// 3×3 expressions, row-major.
struct Mat3 {
  std::array<std::array<Expr, 3>, 3> e{};
  Expr& operator()(int i, int j) { return e[i][j]; }
  const Expr& operator()(int i, int j) const { return e[i][j]; }
  static Mat3 identity() { return diagonal(1, 1, 1); }
  static Mat3 diagonal(const Expr& a, const Expr& b, const Expr& c) {
    Mat3 m;
    m(0, 0) = a, m(1, 1) = b, m(2, 2) = c;
    return m;
  }
};

inline Vec3 operator+(const Vec3& a, const Vec3& b) { return {{a[0] + b[0], a[1] + b[1], a[2] + b[2]}}; }
inline Vec3 operator-(const Vec3& a, const Vec3& b) { return {{a[0] - b[0], a[1] - b[1], a[2] - b[2]}}; }
inline Vec3 operator-(const Vec3& a) { return {{-a[0], -a[1], -a[2]}}; }
inline Vec3 operator*(const Expr& s, const Vec3& a) { return {{s * a[0], s * a[1], s * a[2]}}; }
inline Vec3& operator+=(Vec3& a, const Vec3& b) { return a = a + b; }
inline Expr dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline Vec3 cross(const Vec3& a, const Vec3& b) {
  return {{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}};
}
inline Vec3 operator*(const Mat3& m, const Vec3& a) {
  Vec3 r;
  for (int i = 0; i < 3; ++i) r[i] = m(i, 0) * a[0] + m(i, 1) * a[1] + m(i, 2) * a[2];
  return r;
}
inline Mat3 operator*(const Mat3& a, const Mat3& b) {
  Mat3 r;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) r(i, j) = a(i, 0) * b(0, j) + a(i, 1) * b(1, j) + a(i, 2) * b(2, j);
  return r;
}
inline Mat3 operator+(const Mat3& a, const Mat3& b) {
  Mat3 r;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) r(i, j) = a(i, j) + b(i, j);
  return r;
}
inline Mat3 transpose(const Mat3& m) {
  Mat3 r;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) r(i, j) = m(j, i);
  return r;
}
/// mᵀ a without forming the transpose.
inline Vec3 transpose_times(const Mat3& m, const Vec3& a) {
  Vec3 r;
  for (int i = 0; i < 3; ++i) r[i] = m(0, i) * a[0] + m(1, i) * a[1] + m(2, i) * a[2];
  return r;
}
/// ã with ã b = a × b.
inline Mat3 skew(const Vec3& a) {
  Mat3 m;
  m(0, 1) = -a[2], m(0, 2) = a[1];
  m(1, 0) = a[2], m(1, 2) = -a[0];
  m(2, 0) = -a[1], m(2, 1) = a[0];
  return m;
}
Vec3 let(Graph& g, std::string_view name, const Vec3& v);

/// Rotation matrix R_AB of a unit quaternion p = (p0, p1, p2, p3): v_A = R_AB v_B.
Mat3 rotation_of_quaternion(const std::array<Expr, 4>& p);
/// ½ p ⊗ (0, w): the rate of p for the angular velocity w given in the rotated (body) frame.
std::array<Expr, 4> quaternion_rate(const std::array<Expr, 4>& p, const Vec3& w);

}  // namespace coenergy::symbolic
