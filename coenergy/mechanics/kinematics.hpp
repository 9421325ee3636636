#pragma once
#include <array>
#include <string>

#include "coenergy/math/rotation.hpp"
#include "coenergy/symbolic/vector.hpp"

namespace coenergy::mechanics {

using SymbolicQuaternion = std::array<symbolic::Expr, 4>;

bool is_zero(const symbolic::Vec3& v);      ///< structurally
bool is_identity(const symbolic::Mat3& m);  ///< structurally
bool same(const symbolic::Vec3& a, const symbolic::Vec3& b);
bool same(const symbolic::Mat3& a, const symbolic::Mat3& b);

/// R with v_before = R v_after for a turn by `angle` about the unit vector `axis` (Rodrigues):
/// R = cos E + (1 − cos) a aᵀ + sin ã. Zeros and ones of the axis stay zeros and ones of R.
symbolic::Mat3 rotation_about(const symbolic::Vec3& axis, const symbolic::Expr& angle);
/// The same turn as a unit quaternion (cos angle/2, axis sin angle/2).
SymbolicQuaternion quaternion_about(const symbolic::Vec3& axis, const symbolic::Expr& angle);
SymbolicQuaternion multiply(const SymbolicQuaternion& a, const SymbolicQuaternion& b);
SymbolicQuaternion conjugate(const SymbolicQuaternion& p);

/// The angles with whole multiples of 90° replaced by numbers, which make_fixed_rotation() takes as exact.
symbolic::Vec3 exact_angles(const symbolic::Vec3& angles, const std::array<double, 3>& values);

/// A constant rotation given by angles about x, then y, then z: R = Rz Ry Rx. Frames turned by whole multiples of 90°
/// (given as numbers) cost nothing.
struct FixedRotation {
  symbolic::Mat3 R = symbolic::Mat3::identity();
  SymbolicQuaternion p{1, 0, 0, 0};
  bool identity = true;
};
FixedRotation make_fixed_rotation(symbolic::Graph& graph, const symbolic::Vec3& angles);
FixedRotation inverse(const FixedRotation& r);

symbolic::Mat3 let(symbolic::Graph& graph, const std::string& name, const symbolic::Mat3& m);
SymbolicQuaternion let(symbolic::Graph& graph, const std::string& name, const SymbolicQuaternion& p);

/// J ω̇ + ω × J ω for a symmetric J, written with the products of ω so that no term is computed twice.
symbolic::Vec3 euler_torque(const symbolic::Mat3& inertia, const symbolic::Vec3& w, const symbolic::Vec3& wd);
/// β = ω̇~ + ω̃ ω̃, with the acceleration of a point at r being β r.
symbolic::Mat3 acceleration_matrix(const symbolic::Vec3& w, const symbolic::Vec3& wd);

}  // namespace coenergy::mechanics
