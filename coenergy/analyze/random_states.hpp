#pragma once
#include <random>
#include <string>

#include "coenergy/solve/newton.hpp"
#include "coenergy/solve/projection.hpp"

namespace coenergy::analyze {

struct RandomStateOptions {
  int random_states = 20;  ///< besides the start
  unsigned seed = 1;
  double spread = 0.5;  ///< of random positions and states about the start and of random velocities, in nominal units
};

/// Random states of a system about its start: positions and velocities put on the constraints, and states.
class RandomStates {
 public:
  RandomStates(equations::Evaluator& evaluator, const RandomStateOptions& options)
      : evaluator_(evaluator), options_(options), random_(options.seed) {}

  /// Moves p away from where it is; false where it could not be put on the constraints.
  bool move(equations::Point& p);

 private:
  equations::Evaluator& evaluator_;
  RandomStateOptions options_;
  std::mt19937 random_;
};

/// Accelerations, multipliers, rates and algebraic variables of p; empty, or why there are none.
std::string complete(equations::Evaluator& evaluator, solve::Newton& newton, equations::Point& p);

}  // namespace coenergy::analyze
