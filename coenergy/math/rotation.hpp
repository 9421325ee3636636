#pragma once
#include <array>

namespace coenergy::math {

using Vector3 = std::array<double, 3>;
using Matrix3 = std::array<std::array<double, 3>, 3>;  ///< rows of columns: m[i][j]
/// p0 + p1 i + p2 j + p3 k; a unit quaternion is the rotation v_A = p v_B p* from the rotated frame B to A.
using Quaternion = std::array<double, 4>;

Quaternion multiply(const Quaternion& a, const Quaternion& b);
Quaternion conjugate(const Quaternion& p);
Quaternion normalized(const Quaternion& p);  ///< (1, 0, 0, 0) for zero
/// ½ p ⊗ (0, w), w in the rotated frame.
Quaternion quaternion_rate(const Quaternion& p, const Vector3& w);
Matrix3 rotation_matrix(const Quaternion& p);
Vector3 rotate(const Quaternion& p, const Vector3& v);

/// Unit quaternion of the rotation vector ψ: angle |ψ| about ψ/|ψ|.
Quaternion exponential(const Vector3& psi);
/// Unit quaternion of turns by angles about x, then y, then z: R = Rz Ry Rx.
Quaternion quaternion_of_angles(const Vector3& angles);
/// Rotation vector of a unit quaternion, |ψ| ≤ π.
Vector3 logarithm(const Quaternion& p);

/// T(ψ) v with T = I − (1 − cos t)/t² ψ̃ + (1 − sin(t)/t)/t² ψ̃², t = |ψ|. For R = exp(ψ) the angular velocity in the
/// rotated frame is T(ψ) ψ̇.
Vector3 apply_tangent(const Vector3& psi, const Vector3& v);
/// T⁻¹(ψ) v with T⁻¹ = I + ½ ψ̃ + (1 − (t/2) cot(t/2))/t² ψ̃²; |ψ| < 2π.
Vector3 apply_inverse_tangent(const Vector3& psi, const Vector3& v);

}  // namespace coenergy::math
