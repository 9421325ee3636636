#pragma once
#include <functional>
#include <string>
#include <vector>

#include "coenergy/equations/system.hpp"
#include "coenergy/solve/drive_jumps.hpp"
#include "coenergy/solve/event_trace.hpp"
#include "coenergy/solve/impact.hpp"
#include "coenergy/solve/newton.hpp"
#include "coenergy/solve/options.hpp"

namespace coenergy::solve {

/// Solves for (a, λ, ẋ, y) with q, v, x frozen and the constraints at acceleration level. Starts from the values in p.
NewtonReport restart(Newton& newton, equations::Point& p);
/// The same with a Newton of its own.
NewtonReport restart(equations::Evaluator& evaluator, equations::Point& p);
/// Makes the comparisons of a start, restarting as they change, before anything is sampled or counted by them. Leaves p
/// as it is where they do not settle.
void settle_comparisons(equations::Evaluator& evaluator, Newton& newton, equations::Point& p, int most_passes);

/// What happens at an instant where something switches, in this order:
///
///   1. comparisons are decided by the values at the instant, so that what is sampled does not depend on other events
///   2. samples are taken in the order of the signal flow, each once per tick (see equations::order_samples); voltages,
///      positions and all else that is solved for has the values before
///   3. drives that jump with the new comparisons and samples move what they hold (see DriveJumps)
///   4. impacts, until none approaches (see ImpactSolver)
///   5. modes, and the restart solve for accelerations, forces, rates and algebraic variables, which may change modes
///      again, until none changes
///
/// Modes that keep switching are reported with the indicators that do not settle. A comparison that has just switched
/// does not switch back by round-off: a diode whose current begins at zero conducts.
class EventHandler {
 public:
  EventHandler(equations::Evaluator& evaluator, const Options& options, Statistics& statistics);

  struct Outcome {
    bool good = true;
    bool changed = false;  ///< a discrete variable has a new value
    bool smooth = false;   ///< and yet all rates and algebraic variables stay as they are
    std::string text;      ///< why it went wrong
  };
  /// `continues` tells whether the values at p still solve the equations with the new modes: then nothing is solved
  /// for. `samples`: clocks whose instant this is have their turn; not where they had it a moment before.
  Outcome pass(equations::Point& p, const std::function<bool(const equations::Point&)>& continues = {},
               bool samples = true);

  /// Throws coenergy::Error where p lies beyond a rigid stop.
  void check_start(const equations::Point& p);
  /// Throws coenergy::Error for entries of the model that are outside of their bounds at p; with `of_time` alone for
  /// those that depend on nothing else, where the rest of p is not known.
  void check_bounds(const equations::Point& p, bool of_time);
  /// The first requirement that is all but broken at p, where equations may have no solution any more; "" for none.
  std::string name_near_bounds(const equations::Point& p);

  /// Parameters have changed at p: modes and the restart solve, but nothing that a clock does.
  Outcome change_inputs(equations::Point& p);

  /// Sides (g > 0) of all indicators at p, 1 or 0; of comparisons as their modes are.
  void find_sides(const equations::Point& p, std::vector<char>& sides);
  Newton& newton() { return newton_; }
  /// From here on every event leaves its stages in trace(), for those who follow a run.
  void keep_traces() { keeps_traces_ = true; }
  const EventTrace& trace() const { return trace_; }
  void visit(StateArchive& archive) { archive(newton_, jumps_, g_, sides_, before_, fitting_, switched_, held_); }

 private:
  void decide_comparisons(equations::Point& p);
  Outcome pass_jumps(equations::Point& p);
  Outcome restart_and_settle(equations::Point& p, Outcome outcome);
  Outcome pass_impacts(equations::Point& p);
  void note_switched(const equations::Point& p);
  bool update_modes(equations::Point& p);
  Outcome check_requirements(const equations::Point& p, Outcome outcome);
  std::string unsettled(const equations::Point& p, const std::vector<char>& before);
  void note(EventStage::Kind kind, const equations::Point& at);

  equations::Evaluator* evaluator_;
  Options options_;
  Statistics* statistics_;
  Newton newton_;
  ImpactSolver impacts_;
  DriveJumps jumps_;
  std::vector<double> g_;
  std::vector<char> sides_;
  std::vector<double> before_, fitting_;  // discrete variables before the event, and with which p fits the constraints
  std::vector<char> switched_, held_;     // comparisons
  bool keeps_traces_ = false;
  EventTrace trace_;
};

}  // namespace coenergy::solve
