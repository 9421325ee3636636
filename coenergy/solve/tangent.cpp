#include "coenergy/solve/tangent.hpp"

#include <algorithm>

#include "coenergy/math/rotation.hpp"

namespace coenergy::solve {
namespace {

math::Vector3 take(std::span<const double> values, int first) {
  return {values[first], values[first + 1], values[first + 2]};
}

}  // namespace

void Tangent::rate(std::span<const double> theta, std::span<const double> v, std::span<double> theta_rate) const {
  std::copy(v.begin(), v.begin() + scalars_, theta_rate.begin());
  for (int k = scalars_; k < scalars_ + 3 * rotations_; k += 3) {
    const math::Vector3 r = math::apply_inverse_tangent(take(theta, k), take(v, k));
    std::copy(r.begin(), r.end(), theta_rate.begin() + k);
  }
}

void Tangent::velocity(std::span<const double> theta, std::span<const double> theta_rate, std::span<double> v) const {
  std::copy(theta_rate.begin(), theta_rate.begin() + scalars_, v.begin());
  for (int k = scalars_; k < scalars_ + 3 * rotations_; k += 3) {
    const math::Vector3 w = math::apply_tangent(take(theta, k), take(theta_rate, k));
    std::copy(w.begin(), w.end(), v.begin() + k);
  }
}

void Tangent::difference(const std::vector<double>& q0, const std::vector<double>& q1, std::span<double> theta) const {
  for (int i = 0; i < scalars_; ++i) theta[i] = q1[i] - q0[i];
  for (int k = 0; k < rotations_; ++k) {
    const int from = scalars_ + 4 * k;
    const math::Quaternion p0{q0[from], q0[from + 1], q0[from + 2], q0[from + 3]};
    const math::Quaternion p1{q1[from], q1[from + 1], q1[from + 2], q1[from + 3]};
    const math::Vector3 psi = math::logarithm(math::multiply(math::conjugate(p0), p1));
    std::copy(psi.begin(), psi.end(), theta.begin() + scalars_ + 3 * k);
  }
}

}  // namespace coenergy::solve
