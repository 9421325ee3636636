#pragma once
#include "coenergy/solve/newton.hpp"
#include "coenergy/solve/options.hpp"
#include "coenergy/solve/projection.hpp"

namespace coenergy::solve {

/// The system as an explicit differential equation on its configuration space: q, v, x give a and ẋ by the restart
/// solve (constraints at acceleration level), and a step ends with q and v put back on the constraints.
class ExplicitForm {
 public:
  ExplicitForm(system::Evaluator& evaluator, const Options& options, Statistics& statistics);

  void forget_matrix() { newton_.forget_matrix(); }
  void damp_multipliers(std::vector<int> spare = {}) { newton_.damp_multipliers(std::move(spare)); }
  /// a, λ, ẋ, y at the q, v, x, t, d of p, starting from the ones in p.
  NewtonReport complete(system::Point& p);
  /// Projects q and v, then complete().
  NewtonReport finish(system::Point& p);

 private:
  Newton newton_;
  ConstraintProjection projection_;
  bool projects_;
};

}  // namespace coenergy::solve
