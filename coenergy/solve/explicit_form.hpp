#pragma once
#include <optional>
#include <span>

#include "coenergy/solve/newton.hpp"
#include "coenergy/solve/options.hpp"
#include "coenergy/solve/partition.hpp"
#include "coenergy/solve/projection.hpp"
#include "coenergy/solve/tree_accelerations.hpp"

namespace coenergy::solve {

/// For implicit methods, whose steps do not rest on the accelerations that an ExplicitForm completes a point with: a
/// tolerance of Newton's iteration that can be kept next to a singular position too.
Options for_completion(Options options);

/// The system as an explicit differential equation: q, v, x give a and ẋ by the restart solve (constraints at
/// acceleration level); bodies that form a tree need no matrix for it (TreeAccelerations).
///   coordinates: all      on its configuration space; a step ends with q and v put back on the constraints
///   coordinates: minimal  in the independent coordinates (see Closure): every evaluation first closes the loops, so
///                         that a method integrates an ordinary differential equation and nothing can drift. The choice
///                         is made where a smooth motion begins and made again where it becomes ill-conditioned.
class ExplicitForm {
 public:
  ExplicitForm(equations::Evaluator& evaluator, const Options& options, Statistics& statistics);

  /// The motion is smooth from p on.
  void begin(const equations::Point& p);
  /// A step ended at p.
  void accept(const equations::Point& p);
  void forget_matrix() {
    newton_.forget_matrix();
    if (tree_) tree_->forget_matrix();
  }
  void damp_multipliers(std::vector<int> spare = {}) { newton_.damp_multipliers(std::move(spare)); }

  /// Dependent positions and velocities of p = q₀ ∘ exp θ from the independent ones, θ with them; nothing to do in all
  /// coordinates. False, with the constraint in `report`, where that fails.
  bool close(const std::vector<double>& q0, std::span<double> theta, equations::Point& p, NewtonReport& report);
  bool is_independent(int i) const { return !closure_ || closure_->is_independent(i); }

  /// a, λ, ẋ, y at the q, v, x, t, d of p, starting from the ones in p.
  NewtonReport complete(equations::Point& p);
  /// Puts q and v on the constraints; false, with the constraint in `report`, where that fails.
  bool project(equations::Point& p, NewtonReport& report);
  /// Projects q and v, then complete().
  NewtonReport finish(equations::Point& p);
  void visit(StateArchive& archive);

 private:
  Newton newton_;
  std::optional<TreeAccelerations> tree_;
  ConstraintProjection projection_;
  bool projects_;
  std::optional<Closure> closure_;  ///< of minimal coordinates
};

}  // namespace coenergy::solve
