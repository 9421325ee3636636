#pragma once
#include <vector>

#include "coenergy/equations/system.hpp"
#include "coenergy/math/matrix.hpp"

namespace coenergy::analyze {

/// A minimal set of coordinates for deviations that respect the constraints.
///
/// Φ_q δq = 0 gives δq = N δq_I; Φ_q δv + ∂Φ̇/∂q δq = 0 gives δv = N δv_I + K δq_I.
struct MinimalCoordinates {
  std::vector<int> independent, dependent;
  math::Matrix n, k;
};

/// The coordinates are those of solve::choose_partition. Redundant constraints drop out.
MinimalCoordinates compute_minimal_coordinates(equations::Evaluator& evaluator, const equations::Point& point);

}  // namespace coenergy::analyze
