#pragma once
#include <span>
#include <vector>

#include "coenergy/math/matrix.hpp"
#include "coenergy/math/sparse_lu.hpp"
#include "coenergy/solve/result.hpp"
#include "coenergy/solve/tangent.hpp"
#include "coenergy/system/system.hpp"

namespace coenergy::solve {

/// Puts positions and velocities on the constraints with the smallest change:
///
///   ⎡W  Φ_qᵀ⎤ ⎡δq⎤   ⎡ W(q_guess − q)⎤
///   ⎣Φ_q  0 ⎦ ⎣μ ⎦ = ⎣      −Φ        ⎦ repeated,   W = diag(1/nominal²),
///
/// velocities by the same matrix once, with the rows A of non-holonomic constraints A v + b = 0, which positions do not
/// know, beside Φ_q. Coordinates marked as fixed do not move. Redundant constraints are allowed.
class ConstraintProjection {
 public:
  ConstraintProjection(system::Evaluator& evaluator, Statistics& statistics);

  struct Outcome {
    bool good = true;
    int constraint = -1;   ///< the one violated most, counted from 0
    double violation = 0;  ///< its value
  };
  /// Φ(q, t) = 0 by moving p.q. `fixed` has nv marks, or none.
  Outcome project_position(system::Point& p, std::span<const char> fixed = {});
  /// Φ̇ = 0 by changing p.v.
  Outcome project_velocity(system::Point& p, std::span<const char> fixed = {});
  /// The constraint Φ that p violates most; good below 1e-6 of the coordinates it restricts.
  Outcome find_violation(const system::Point& p);
  /// Φ_q (of a non-holonomic constraint A) at p, nl×nv. Allocates.
  math::Matrix constraint_matrix(const system::Point& p);

 private:
  bool factor(const system::Point& p, std::span<const char> fixed, system::Level level);
  void measure_gradients(const system::Point& p);
  Outcome violation(system::Level level, const system::Point& p);
  double relative_size(const Outcome& outcome) const;
  bool is_satisfied(const Outcome& outcome, const system::Point& p, bool velocity, double limit) const;

  system::Evaluator* evaluator_;
  Statistics* statistics_;
  Tangent tangent_;
  int nv_, nl_;
  struct Entry {
    int constraint, coordinate, in_system, in_matrix, in_transpose;
  };
  std::vector<Entry> entries_;
  std::vector<int> column_start_, row_, diagonal_;
  math::SparseLu<double> lu_;
  std::vector<double> best_;  // configuration that violates least
  std::vector<double> system_values_, values_, residual_, rhs_, moved_, trial_, gradient_size_;
};

}  // namespace coenergy::solve
