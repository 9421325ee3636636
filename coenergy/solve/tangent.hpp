#pragma once
#include <span>
#include <vector>

#include "coenergy/equations/system.hpp"

namespace coenergy::solve {

/// Calculus on the configuration space: scalar coordinates are numbers, rotations are elements of SO(3).
///
/// A motion near a configuration q₀ is written q(t) = q₀ ∘ exp(θ(t)), θ with nv numbers. Then v = T(θ) θ̇ with T the
/// identity for scalar coordinates and the tangent operator of the rotation vector for rotations.
class Tangent {
 public:
  explicit Tangent(const equations::System& system)
      : rotations_(system.nq() - system.nv()), scalars_(system.nv() - 3 * rotations_) {}

  /// θ̇ = T⁻¹(θ) v.
  void rate(std::span<const double> theta, std::span<const double> v, std::span<double> theta_rate) const;
  /// v = T(θ) θ̇.
  void velocity(std::span<const double> theta, std::span<const double> theta_rate, std::span<double> v) const;
  /// The θ with q₁ = q₀ ∘ exp(θ).
  void difference(const std::vector<double>& q0, const std::vector<double>& q1, std::span<double> theta) const;
  /// Size of coordinate i for relative tolerances: |q| of a scalar, 1 of a rotation.
  double size(const std::vector<double>& q, int i) const { return i < scalars_ ? (q[i] < 0 ? -q[i] : q[i]) : 1.0; }
  bool is_rotation(int i) const { return i >= scalars_; }

 private:
  int rotations_, scalars_;  // the scalars come first in q and in v
};

}  // namespace coenergy::solve
