#pragma once
#include <string>
#include <vector>

#include "coenergy/analyze/random_states.hpp"
#include "coenergy/equations/system.hpp"

namespace coenergy::analyze {

using CompareOptions = RandomStateOptions;

/// The largest difference of one kind and where it is.
struct Difference {
  double value = 0;
  std::string where;  ///< unknown or row: "elbow.q", "C position x"
  int state = 0;      ///< 0: the start, then the random states
};

/// How far two formulations of one model differ.
struct Comparison {
  int states = 0;           ///< at which both were compared
  int skipped = 0;          ///< random states that could not be put on the constraints
  Difference position;      ///< constraints of the other one violated by the motion of the reference, m or rad
  Difference velocity;      ///< their rates, relative to the largest velocity (at least 1 m/s, 1 rad/s)
  Difference acceleration;  ///< relative to the largest acceleration of the same unit (at least 1 m/s², 1 rad/s²)
  Difference energy;        ///< stored energy less its value at the start, relative to the largest (at least 1 J)
  std::vector<std::string> failures;  ///< states that one of the two could not compute

  const Difference& largest() const;
};

/// Puts two formulations of one model in the same states and compares what they compute. The states are those of
/// `reference`: its consistent start, and random positions, velocities and states put on its constraints. They reach `other` by
/// name: unknowns of the same name, else the signals of bodies (x, p0, vx, wx) and joints (q, qd). Accelerations of
/// unknowns that only `other` has are compared with the time derivative of the reference's velocity signals.
/// Throws coenergy::Error where the start cannot be made consistent.
Comparison compare(equations::Evaluator& reference, equations::Evaluator& other, const CompareOptions& options = {});

}  // namespace coenergy::analyze
