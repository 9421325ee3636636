#include "coenergy/math/rotation.hpp"

#include <cmath>

namespace coenergy::math {
namespace {

// below this angle the next term of the series is under round-off
constexpr double series_limit = 1e-2;

Vector3 cross(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

double square(const Vector3& a) { return a[0] * a[0] + a[1] * a[1] + a[2] * a[2]; }

/// v + a ψ × v + b ψ × (ψ × v)
Vector3 combine(const Vector3& v, const Vector3& psi, double a, double b) {
  const Vector3 first = cross(psi, v), second = cross(psi, first);
  return {v[0] + a * first[0] + b * second[0], v[1] + a * first[1] + b * second[1],
          v[2] + a * first[2] + b * second[2]};
}

}  // namespace

Quaternion multiply(const Quaternion& a, const Quaternion& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}

Quaternion conjugate(const Quaternion& p) { return {p[0], -p[1], -p[2], -p[3]}; }

Quaternion normalized(const Quaternion& p) {
  const double length = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
  if (!(length > 0)) return {1, 0, 0, 0};
  return {p[0] / length, p[1] / length, p[2] / length, p[3] / length};
}

Quaternion quaternion_rate(const Quaternion& p, const Vector3& w) {
  return multiply(p, Quaternion{0, w[0] / 2, w[1] / 2, w[2] / 2});
}

Matrix3 rotation_matrix(const Quaternion& p) {
  const auto [a, b, c, d] = p;
  return {{{a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)},
           {2 * (b * c + a * d), a * a - b * b + c * c - d * d, 2 * (c * d - a * b)},
           {2 * (b * d - a * c), 2 * (c * d + a * b), a * a - b * b - c * c + d * d}}};
}

Vector3 rotate(const Quaternion& p, const Vector3& v) {
  const Matrix3 r = rotation_matrix(p);
  Vector3 result{};
  for (int i = 0; i < 3; ++i) result[i] = r[i][0] * v[0] + r[i][1] * v[1] + r[i][2] * v[2];
  return result;
}

Quaternion exponential(const Vector3& psi) {
  const double t2 = square(psi), t = std::sqrt(t2);
  // sin(t/2)/t
  const double s = t < series_limit ? 0.5 - t2 / 48 + t2 * t2 / 3840 - t2 * t2 * t2 / 645120 : std::sin(t / 2) / t;
  return {std::cos(t / 2), s * psi[0], s * psi[1], s * psi[2]};
}

Quaternion quaternion_of_angles(const Vector3& angles) {
  Quaternion p{1, 0, 0, 0};
  for (int axis = 0; axis < 3; ++axis) {
    Vector3 turn{};
    turn[axis] = angles[axis];
    p = multiply(exponential(turn), p);
  }
  return p;
}

Vector3 logarithm(const Quaternion& p) {
  // of ±p take the one with the smaller angle
  const double sign = p[0] < 0 ? -1 : 1;
  const double c = sign * p[0], s2 = p[1] * p[1] + p[2] * p[2] + p[3] * p[3], s = std::sqrt(s2);
  const double factor = sign * (s < 1e-4 ? (2 - 2 * s2 / (3 * c * c)) / c : 2 * std::atan2(s, c) / s);
  return {factor * p[1], factor * p[2], factor * p[3]};
}

Vector3 apply_tangent(const Vector3& psi, const Vector3& v) {
  const double t2 = square(psi), t = std::sqrt(t2);
  const bool series = t < series_limit;
  const double a = series ? 0.5 - t2 / 24 + t2 * t2 / 720 - t2 * t2 * t2 / 40320 : (1 - std::cos(t)) / t2;
  const double b = series ? 1.0 / 6 - t2 / 120 + t2 * t2 / 5040 - t2 * t2 * t2 / 362880 : (1 - std::sin(t) / t) / t2;
  return combine(v, psi, -a, b);
}

Vector3 apply_inverse_tangent(const Vector3& psi, const Vector3& v) {
  const double t2 = square(psi), t = std::sqrt(t2);
  const double b = t < series_limit ? 1.0 / 12 + t2 / 720 + t2 * t2 / 30240 + t2 * t2 * t2 / 1209600
                                    : (1 - t / 2 / std::tan(t / 2)) / t2;
  return combine(v, psi, 0.5, b);
}

}  // namespace coenergy::math
