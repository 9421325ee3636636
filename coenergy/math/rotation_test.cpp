#include "coenergy/math/rotation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace coenergy::math {
namespace {

Vector3 draw(std::mt19937& random, double size) {
  std::normal_distribution<double> d;
  Vector3 v{d(random), d(random), d(random)};
  const double length = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  for (double& value : v) value *= size / length;
  return v;
}

double distance(const Vector3& a, const Vector3& b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }

const double sizes[] = {0, 1e-9, 1e-5, 0.0099999, 0.0100001, 0.3, 1.0, 3.0};

TEST(Rotation, OfAnglesTurnsAboutXThenYThenZ) {
  // R = Rz Ry Rx by hand, away from angles at which the order would not show
  const double x = 0.3, y = -0.7, z = 1.9;
  const Matrix3 r = rotation_matrix(quaternion_of_angles({x, y, z}));
  EXPECT_NEAR(r[0][0], std::cos(z) * std::cos(y), 1e-15);
  EXPECT_NEAR(r[1][0], std::sin(z) * std::cos(y), 1e-15);
  EXPECT_NEAR(r[2][0], -std::sin(y), 1e-15);
  EXPECT_NEAR(r[2][1], std::cos(y) * std::sin(x), 1e-15);
  EXPECT_NEAR(r[2][2], std::cos(y) * std::cos(x), 1e-15);
}

TEST(Rotation, LogarithmUndoesExponential) {
  std::mt19937 random(1);
  for (double size : sizes) {
    const Vector3 psi = draw(random, size);
    Quaternion p = exponential(psi);
    EXPECT_LT(distance(logarithm(p), psi), 2e-15 * (1 + size));
    for (double& value : p) value = -value;  // the same rotation
    EXPECT_LT(distance(logarithm(p), psi), 2e-15 * (1 + size));
  }
}

TEST(Rotation, InverseTangentUndoesTangent) {
  std::mt19937 random(2);
  for (double size : sizes) {
    const Vector3 psi = draw(random, size), v = draw(random, 1);
    EXPECT_LT(distance(apply_inverse_tangent(psi, apply_tangent(psi, v)), v), 3e-13)
        << size;  // (1 − cos t)/t² near 0.01
  }
}

TEST(Rotation, TangentTurnsTheRateOfTheVectorIntoAngularVelocity) {
  // central difference of exp(ψ + s ψ̇): p* ṗ = ½ (0, ω); error of the difference ~ 1e-10
  std::mt19937 random(3);
  const double s = 1e-5;
  for (double size : {1e-3, 0.5, 2.5}) {
    const Vector3 psi = draw(random, size), rate = draw(random, 1), w = apply_tangent(psi, rate);
    Vector3 before = psi, after = psi;
    for (int i = 0; i < 3; ++i) before[i] -= s * rate[i], after[i] += s * rate[i];
    const Quaternion a = exponential(before), b = exponential(after), expected = quaternion_rate(exponential(psi), w);
    for (int i = 0; i < 4; ++i) EXPECT_NEAR((b[i] - a[i]) / (2 * s), expected[i], 1e-9) << size;
  }
}

TEST(Rotation, QuaternionProductIsCompositionOfRotations) {
  std::mt19937 random(4);
  const Quaternion a = exponential(draw(random, 1)), b = exponential(draw(random, 2));
  const Vector3 v = draw(random, 1);
  EXPECT_LT(distance(rotate(multiply(a, b), v), rotate(a, rotate(b, v))), 1e-15 * 4);
  EXPECT_LT(distance(rotate(conjugate(a), rotate(a, v)), v), 1e-15 * 4);
}

TEST(Rotation, AQuarterTurnAboutZTakesXToY) {
  const Vector3 y = rotate(exponential({0, 0, std::acos(0.0)}), {1, 0, 0});
  EXPECT_LT(distance(y, {0, 1, 0}), 1e-15);
}

}  // namespace
}  // namespace coenergy::math
