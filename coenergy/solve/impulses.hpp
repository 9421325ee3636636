#pragma once
#include <vector>

#include "coenergy/equations/system.hpp"
#include "coenergy/math/sparse_lu.hpp"

namespace coenergy::solve {

/// How velocities and states jump by impulses. All that is regular in (a, λ, ẋ, y) is scaled by the short duration of
/// what happens, so that the matrix S of a restart gives the jumps:
///
///   S (Δv, Λ, Δx, Y) = b
///
/// Constraints, gears and massless parts between the bodies take part by S: momentum is conserved through all of them.
/// Positions and modes are those of p.
class Impulses {
 public:
  Impulses(equations::Evaluator& evaluator, const equations::Point& p);
  bool good() const { return good_; }
  /// b ← S⁻¹ b. Where S is damped, because constraints may be redundant and share their impulse then, corrections by
  /// the residual of S itself bring the jumps to round-off.
  void solve(std::vector<double>& b);
  /// Adds factor times the jumps to velocities and states.
  void apply(const std::vector<double>& jumps, double factor, equations::Point& p) const;

 private:
  const equations::System& s_;
  std::vector<double> matrix_;
  math::SparseLu<double> lu_;
  bool good_;
};

}  // namespace coenergy::solve
