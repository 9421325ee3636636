#pragma once
#include <vector>

#include "coenergy/equations/system.hpp"
#include "coenergy/math/sparse_lu.hpp"

namespace coenergy::analyze {

/// A deviation of all variables of a system from a point.
struct Deviation {
  std::vector<double> q, v, a, lambda, x, xd, y;
};

/// The linearised equations at a point, constraints at acceleration level:
/// S₀ (δa, δλ, δẋ, δy) = −(∂R/∂q δq + ∂R/∂v δv + ∂R/∂x δx + ∂R/∂p δp).
class Response {
 public:
  /// Throws coenergy::Error where S₀ is singular other than by redundant constraints.
  Response(equations::Evaluator& evaluator, const equations::Point& point);
  /// Fills δa, δλ, δẋ, δy from δq, δv, δx and the given ∂R/∂p δp (empty: none).
  void complete(Deviation& deviation, const std::vector<double>& parameter_term = {});

 private:
  void add_product(const std::vector<double>& matrix, int first_column, const std::vector<double>& factors,
                   std::vector<double>& sum) const;

  const equations::System* system_;
  std::vector<double> s0_, by_v_and_x_, by_q_;
  math::SparseLu<double> lu_;
  std::vector<double> right_, solution_, residual_;
};

}  // namespace coenergy::analyze
