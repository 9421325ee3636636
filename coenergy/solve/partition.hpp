#pragma once
#include <span>
#include <string>
#include <vector>

#include "coenergy/base/state_archive.hpp"
#include "coenergy/equations/system.hpp"
#include "coenergy/math/matrix.hpp"
#include "coenergy/solve/result.hpp"
#include "coenergy/solve/tangent.hpp"

namespace coenergy::solve {

/// Independent coordinates u and dependent ones v of a mechanism: J = (J_u J_v) with J_v square and regular.
struct Partition {
  std::vector<int> independent, dependent;
  std::vector<int> rows;       ///< constraints that determine the dependent coordinates, as many as those
  std::vector<int> redundant;  ///< constraints that follow from them
  void visit(StateArchive& archive) { archive(independent, dependent, rows, redundant); }
};

/// Gaussian elimination with complete pivoting on J, its rows brought to unit size, until what is left is round-off:
/// the coordinate that a constraint moves most becomes dependent first. Columns are weighted; one of weight zero stays
/// independent.
Partition choose_partition(const math::Matrix& jacobian, std::span<const double> weights);

/// J = Φ_q (of a non-holonomic constraint A) at p, nl×nv.
math::Matrix constraint_jacobian(equations::Evaluator& evaluator, const equations::Point& p);

/// Nominal values of the coordinates, those that the user fixed at the start a thousandth: they become dependent last.
std::vector<double> partition_weights(const equations::System& system);

/// Coordinate partitioning inside a model: the dependent coordinates follow from the independent ones.
///   position   s_v ← s_v − J_v⁻¹ h     (Newton–Raphson)
///   velocity   ṡ_v = B_vu ṡ_u − J_v⁻¹ ∂h/∂t,   B_vu = −J_v⁻¹ J_u,   likewise accelerations
/// Positions are taken in the chart q = q₀ ∘ exp θ, so that rotations are partitioned by their three components of θ.
class Closure {
 public:
  /// Throws Error for a model with non-holonomic constraints, whose positions and rates differ in number.
  Closure(equations::Evaluator& evaluator, Statistics& statistics);

  /// Chooses the coordinates at p; those marked in `keep` (nv marks, or none) stay independent, those with given start
  /// values where that does no harm.
  void choose(const equations::Point& p, std::span<const char> keep = {});
  const Partition& partition() const { return partition_; }
  bool is_independent(int i) const { return position_[i] < 0; }

  struct Outcome {
    bool good = true;
    int constraint = -1;   ///< the one violated most
    double violation = 0;  ///< its value
  };
  /// Moves θ_v until q₀ ∘ exp θ satisfies the constraints at p.t, and leaves that configuration in p.q.
  Outcome close_position(const std::vector<double>& q0, std::span<double> theta, equations::Point& p);
  /// The same with q₀ = p.q, θ = 0.
  Outcome close_position(equations::Point& p);
  /// Sets the dependent velocities of p.
  Outcome close_velocity(equations::Point& p);

  /// Sets the dependent accelerations of p: s̈_v = B_vu s̈_u − J_v⁻¹ b.
  Outcome close_acceleration(equations::Point& p);

  /// B_vu at p, dependent × independent coordinates.
  math::Matrix dependence(const equations::Point& p);
  /// The largest |B_vu| in nominal units: how much a dependent coordinate moves for an independent one. It grows
  /// without bound where J_v becomes singular.
  double leverage(const equations::Point& p);
  /// Chooses again where the leverage has grown beyond what is reasonable. Returns whether the choice changed.
  bool renew(const equations::Point& p);
  void visit(StateArchive& archive) { archive(partition_, position_, keep_, chosen_leverage_, step_); }

 private:
  void choose(const equations::Point& p, std::vector<double> weights);
  void choose_best(const equations::Point& p);
  bool is_satisfied() const;
  Outcome close_rate(equations::Level level, std::vector<double>& rates, equations::Point& p);
  bool factor(const equations::Point& p, std::span<const double> theta);
  void solve();  ///< right side in step_

  equations::Evaluator* evaluator_;
  Statistics* statistics_;
  Tangent tangent_;
  int nv_, nl_;
  Partition partition_;
  std::vector<int> position_;  ///< of a coordinate among the dependent ones, −1: independent
  std::vector<char> keep_;
  double chosen_leverage_ = 1;
  math::Matrix jacobian_, block_;
  std::vector<int> order_;
  std::vector<double> residual_, step_, moved_, work_;
};

}  // namespace coenergy::solve
