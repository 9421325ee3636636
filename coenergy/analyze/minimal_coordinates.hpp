#pragma once
#include <string>
#include <vector>

#include "coenergy/equations/system.hpp"
#include "coenergy/math/matrix.hpp"

namespace coenergy::analyze {

/// A minimal set of coordinates for deviations that respect the constraints.
///
/// Φ_q δq = 0 gives δq = N δq_I; Φ_q δv + ∂Φ̇/∂q δq = 0 gives δv = N δv_I + K δq_I.
///
/// Non-holonomic constraints ψ(q, v) = 0, such as rolling, leave more positions free than velocities: the first is asked
/// of Φ alone, and of Φ̇ and ψ together [Φ_q; ψ_v] δv + ∂[Φ̇; ψ]/∂q δq = 0 gives δv = N_v δv_J + K δq_I with fewer δv_J.
struct MinimalCoordinates {
  std::vector<int> independent, dependent;  ///< of positions: I and the others
  std::vector<int> rates;                   ///< J, which is I where all constraints are holonomic
  math::Matrix n, n_rate, k;                ///< N, N_v, K

  bool is_holonomic() const { return rates.size() == independent.size(); }
};

/// The coordinates are those of solve::choose_partition. Redundant constraints drop out.
MinimalCoordinates compute_minimal_coordinates(equations::Evaluator& evaluator, const equations::Point& point);

/// Names of a coordinate and of its rate as states: "j.q" and "j.qd"; of a small turn of a body or ball joint "b.turn_x" and
/// "b.wx", since b.wx is a rate wherever else it is named.
std::string position_name(const equations::System& system, int coordinate);
std::string rate_name(const equations::System& system, int coordinate);

/// Throws coenergy::Error that names a non-holonomic constraint, if there is one: `what` is not made with it.
void check_holonomic(const equations::System& system, const std::string& what);

}  // namespace coenergy::analyze
