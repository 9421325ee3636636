#pragma once
#include <string>
#include <vector>

#include "coenergy/equations/system.hpp"
#include "coenergy/solve/events.hpp"
#include "coenergy/solve/options.hpp"
#include "coenergy/solve/redundancy.hpp"

namespace coenergy::solve {

/// A consistent point to start from.
struct Start {
  equations::Point point;
  bool good = true;
  std::string text;                ///< why not
  std::vector<std::string> notes;  ///< what was changed, which constraints are redundant
  Redundancy redundancy;           ///< constraints that follow from the others
  std::string method;              ///< how a steady start was found: Newton's method, gmin stepping …
};

/// Consistent values at options.t_start from the start values of a system:
///   1. positions and velocities on the constraints, by find_start_motion
///   2. accelerations, multipliers, rates and algebraic variables by the restart solve
///   3. first samples of clocked blocks and first modes, then 2 again
/// Throws coenergy::Error where given start values contradict each other or the constraints, or where the equations do
/// not determine an unknown; the names of all concerned are in the text.
Start initialize(equations::Evaluator& evaluator, const Options& options = {});
/// The same with the event handling of a run.
Start initialize(equations::Evaluator& evaluator, const Options& options, EventHandler& events, Statistics& statistics);

/// Positions and velocities of the start alone, as find_start_motion puts them: bodies need no mass for that.
equations::Point find_start_pose(equations::Evaluator& evaluator, const Options& options = {});

/// Multipliers (from 0) of constraints that follow from the others at p.
std::vector<int> find_redundant_constraints(equations::Evaluator& evaluator, const equations::Point& p);

}  // namespace coenergy::solve
