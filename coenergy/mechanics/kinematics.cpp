#include "coenergy/mechanics/kinematics.hpp"

#include <cmath>
#include <numbers>
#include <optional>

namespace coenergy::mechanics {

using symbolic::Expr;
using symbolic::Graph;
using symbolic::Mat3;
using symbolic::Vec3;

bool is_zero(const Vec3& v) { return v[0].is_zero() && v[1].is_zero() && v[2].is_zero(); }
bool is_identity(const Mat3& m) { return same(m, Mat3::identity()); }
bool same(const Vec3& a, const Vec3& b) {
  for (int i = 0; i < 3; ++i)
    if (!same(a[i], b[i])) return false;
  return true;
}
bool same(const Mat3& a, const Mat3& b) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if (!same(a(i, j), b(i, j))) return false;
  return true;
}

Mat3 rotation_about(const Vec3& axis, const Expr& angle) {
  const Expr c = cos(angle), s = sin(angle);
  Mat3 r = symbolic::skew(axis);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) r(i, j) = s * r(i, j) + (1 - c) * (axis[i] * axis[j]) + (i == j ? c : Expr(0));
  // a principal axis: 1·1 leaves (1 − c) + c on the diagonal
  for (int k = 0; k < 3; ++k)
    if (axis[k].is_number() && std::abs(axis[k].number()) == 1) r(k, k) = 1;
  return r;
}

SymbolicQuaternion quaternion_about(const Vec3& axis, const Expr& angle) {
  const Expr c = cos(angle / 2), s = sin(angle / 2);
  return {c, s * axis[0], s * axis[1], s * axis[2]};
}

SymbolicQuaternion multiply(const SymbolicQuaternion& a, const SymbolicQuaternion& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}

SymbolicQuaternion conjugate(const SymbolicQuaternion& p) { return {p[0], -p[1], -p[2], -p[3]}; }

namespace {

/// Number of quarter turns, if the angle is a whole number of them.
std::optional<int> find_quarters(const Expr& angle) {
  if (!angle.is_number()) return std::nullopt;
  const double quarters = angle.number() / (std::numbers::pi / 2), whole = std::round(quarters);
  if (std::abs(quarters - whole) > 1e-12 || std::abs(whole) > 1e6) return std::nullopt;
  return static_cast<int>(whole);
}

Mat3 principal_rotation(int axis, const Expr& angle) {
  Expr c = cos(angle), s = sin(angle);
  if (const auto quarters = find_quarters(angle)) {
    constexpr int cosine[] = {1, 0, -1, 0}, sine[] = {0, 1, 0, -1};
    const int k = ((*quarters % 4) + 4) % 4;
    c = cosine[k], s = sine[k];
  }
  const int i = (axis + 1) % 3, j = (axis + 2) % 3;
  Mat3 r = Mat3::identity();
  r(i, i) = c, r(j, j) = c, r(i, j) = -s, r(j, i) = s;
  return r;
}

}  // namespace

Vec3 exact_angles(const Vec3& angles, const std::array<double, 3>& values) {
  Vec3 exact = angles;
  for (int i = 0; i < 3; ++i)
    if (const auto quarters = find_quarters(values[i])) exact[i] = *quarters * (std::numbers::pi / 2);
  return exact;
}

FixedRotation make_fixed_rotation(Graph& graph, const Vec3& angles) {
  FixedRotation r;
  for (int axis = 0; axis < 3; ++axis) {
    if (angles[axis].is_zero()) continue;
    Vec3 unit;
    unit[axis] = 1;
    r.R = principal_rotation(axis, angles[axis]) * r.R;
    r.p = multiply(quaternion_about(unit, angles[axis]), r.p);
  }
  r.identity = is_identity(r.R);
  if (r.identity) r.p = {1, 0, 0, 0};
  r.R = let(graph, "R", r.R);
  return r;
}

FixedRotation inverse(const FixedRotation& r) { return {transpose(r.R), conjugate(r.p), r.identity}; }

Mat3 let(Graph& graph, const std::string& name, const Mat3& m) {
  Mat3 r;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      r(i, j) = graph.let(name + "_" + std::to_string(i + 1) + std::to_string(j + 1), m(i, j));
  return r;
}

SymbolicQuaternion let(Graph& graph, const std::string& name, const SymbolicQuaternion& p) {
  SymbolicQuaternion r;
  for (int i = 0; i < 4; ++i) r[i] = graph.let(name + "_" + std::to_string(i), p[i]);
  return r;
}

Vec3 euler_torque(const Mat3& inertia, const Vec3& w, const Vec3& wd) {
  Vec3 n;
  for (int i = 0; i < 3; ++i) {
    // cyclic (i, j, k): Jii ω̇i + (Jkk − Jjj) ωj ωk + Jij (ω̇j − ωi ωk) + Jik (ω̇k + ωi ωj) + Jjk (ωj² − ωk²)
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    n[i] = inertia(i, i) * wd[i] + (inertia(k, k) - inertia(j, j)) * (w[j] * w[k]) +
           inertia(i, j) * (wd[j] - w[i] * w[k]) + inertia(i, k) * (wd[k] + w[i] * w[j]) +
           inertia(j, k) * (w[j] * w[j] - w[k] * w[k]);
  }
  return n;
}

Mat3 acceleration_matrix(const Vec3& w, const Vec3& wd) {
  Mat3 b;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    b(i, i) = -(w[j] * w[j] + w[k] * w[k]);
    b(i, j) = w[i] * w[j] - wd[k];
    b(j, i) = w[i] * w[j] + wd[k];
  }
  return b;
}

}  // namespace coenergy::mechanics
