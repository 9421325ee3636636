#pragma once
#include <vector>

#include "coenergy/math/matrix.hpp"
#include "coenergy/math/sparse_lu.hpp"
#include "coenergy/math/sparse_rank.hpp"
#include "coenergy/solve/constraint_rows.hpp"

namespace coenergy::solve {

/// Puts positions and velocities on the constraints with the smallest change:
///
///   ⎡W  Φ_qᵀ⎤ ⎡δq⎤   ⎡ W(q_guess − q)⎤
///   ⎣Φ_q  0 ⎦ ⎣μ ⎦ = ⎣      −Φ        ⎦ repeated,   W = diag(1/nominal²),
///
/// with the matrix of an earlier correction while that converges fast; velocities by the same matrix, with the rows A of non-holonomic constraints A v + b = 0, which positions do not
/// know, beside Φ_q. Redundant constraints are allowed. For start values see Assembly.
class ConstraintProjection {
 public:
  ConstraintProjection(equations::Evaluator& evaluator, Statistics& statistics);

  using Outcome = ConstraintRows::Outcome;
  /// Φ(q, t) = 0 by moving p.q.
  Outcome project_position(equations::Point& p);
  /// Φ̇ = 0 by changing p.v.
  Outcome project_velocity(equations::Point& p);
  /// The least changes of coordinates (or of rates, by level) with Φ_q δ = −r of each column of `r`, nl numbers;
  /// false where there are none. nv numbers for each.
  bool find_corrections(const equations::Point& p, equations::Level level, std::vector<std::vector<double>>& r);
  /// The constraint Φ that p violates most; good below 1e-6 of the coordinates it restricts.
  Outcome find_violation(const equations::Point& p);
  /// Φ_q (of a non-holonomic constraint A) at p, nl×nv. Allocates.
  math::Matrix constraint_matrix(const equations::Point& p);
  void visit(StateArchive& archive) { archive(lu_, rows_, has_matrix_here_); }
  std::vector<math::Triplet> constraint_entries(const equations::Point& p);

 private:
  bool factor(const equations::Point& p, equations::Level level);
  void correct_velocity(equations::Point& p, Outcome& outcome);

  equations::Evaluator* evaluator_;
  Statistics* statistics_;
  Tangent tangent_;
  int nv_, nl_;
  ConstraintRows rows_;
  struct Place {
    int in_matrix, in_transpose;  // of each entry of the rows
  };
  std::vector<Place> places_;
  std::vector<int> column_start_, row_, diagonal_;
  math::SparseLu<double> lu_;
  bool has_velocity_constraints_ = false;
  bool has_matrix_here_ = false;  // that was factored near the last point, and served
  std::vector<double> best_;      // configuration that violates least
  std::vector<double> values_, rhs_, moved_, trial_;
};

}  // namespace coenergy::solve
