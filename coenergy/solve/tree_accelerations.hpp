#pragma once
#include <vector>

#include "coenergy/equations/system.hpp"
#include "coenergy/math/sparse_lu.hpp"
#include "coenergy/solve/result.hpp"

namespace coenergy::solve {

/// a, ẋ, y at given q, v, x of a system whose bodies form a tree, without its mass matrix. With z = (ẋ, y) a correction
/// solves
///
///   [A B; C D] [δa; δz] = −[r_a; r_z]      δz = −D⁻¹ r_z,   δa = −A⁻¹ (r_a + B δz)
///
/// where A⁻¹ costs as much as the system has bodies (Evaluator::solve_mass) and C = ∂R_z/∂a is left out. Rows are
/// linear in a nearly always and C = 0, so that the first correction is exact and the second shows it. Where that fails
/// (loads that depend on accelerations, bodies without inertia) Newton's iteration has to serve.
class TreeAccelerations {
 public:
  static bool serves(const equations::System& system) { return system.has_mass_solver() && system.nl() == 0; }
  TreeAccelerations(equations::Evaluator& evaluator, double tolerance, Statistics& statistics);

  /// Starts from a, ẋ, y of p and leaves them at the solution; false, with p as it was, where it does not converge.
  bool solve(equations::Point& p);
  /// To be called when R changed by itself: new modes, new parameters.
  void forget_matrix() { has_matrix_ = false; }
  void visit(StateArchive& archive) { archive(lu_, values_, has_matrix_); }

 private:
  bool iterate(equations::Point& p);
  bool update_matrix(const equations::Point& p);
  double correct(equations::Point& p);

  equations::Evaluator* evaluator_;
  double tolerance_;
  Statistics* statistics_;
  int nv_, nz_;
  std::vector<double> nominal_, residual_, values_, d_values_, a0_, xd0_, y0_;
  std::vector<int> column_start_, row_, place_;  ///< pattern of D, and its places in the system's
  math::SparseLu<double> lu_;
  bool has_matrix_ = false;
};

}  // namespace coenergy::solve
