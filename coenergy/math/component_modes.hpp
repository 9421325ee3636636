#pragma once
#include <memory>
#include <vector>

#include "coenergy/math/matrix.hpp"
#include "coenergy/math/sparse_matrix.hpp"

namespace coenergy::math {

/// Component modes of a structure M ü + K u = f: what the directions G u that are held from outside make of it.
///
/// K is symmetric and may be indefinite: constraints Φ_q δq = 0 with their multipliers are rows and columns of it, and M is
/// zero there. Of the held directions all answers follow from one factorisation of
///
///   ⎡K  Gᵀ⎤ ⎡u⎤   ⎡f⎤
///   ⎣G   0⎦ ⎣r⎦ = ⎣g⎦
///
///   static mode j    f = 0, g = e_j     displaced by one along direction j, the other directions at rest; −r are the forces
///                                       that hold it. Without strain anywhere it is a rigid mode.
///   internal modes   K ψ = ω² M ψ with G ψ = 0, ψᵀ M ψ = 1, the lowest ones. μ = 1/ω² are the largest eigenvalues of
///                    u ← (matrix)⁻¹ M u, which is symmetric in the product of M: block Krylov spaces from fixed random
///                    vectors, orthonormal in M, until ω² of all wanted modes stay. The block finds equal frequencies.
///
/// Redundant rows of constraints are allowed: `multipliers` names unknowns of K that may not be unique.
class ComponentModes {
 public:
  /// `held`: the rows of G. Where the structure still moves freely it is not regular, and weakest() says where; then
  /// there are no modes.
  ComponentModes(const SparseMatrix& k, std::vector<std::vector<double>> held, std::vector<int> multipliers = {});
  ~ComponentModes();
  ComponentModes(ComponentModes&&) noexcept;

  struct Solution {
    std::vector<double> displacement, reaction;  ///< u, r
  };
  Solution solve(const std::vector<double>& force, const std::vector<double>& held) const;
  Solution static_mode(int direction) const;

  struct Internal {
    std::vector<double> squares;              ///< ω², rising
    std::vector<std::vector<double>> shapes;  ///< ψ
  };
  /// At most `count`: fewer where less can move, or has mass.
  Internal internal_modes(const SparseMatrix& m, int count) const;

  bool is_regular() const;
  /// Unknown of K, or K's size + direction, of the smallest pivot.
  int weakest() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace coenergy::math
