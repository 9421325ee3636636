#pragma once
#include <functional>
#include <string>
#include <vector>

#include "coenergy/solve/impact.hpp"
#include "coenergy/solve/newton.hpp"
#include "coenergy/solve/options.hpp"
#include "coenergy/system/system.hpp"

namespace coenergy::solve {

/// Solves for (a, λ, ẋ, y) with q, v, x frozen and the constraints at acceleration level. Starts from the values in p.
NewtonReport restart(Newton& newton, system::Point& p);
/// The same with a Newton of its own.
NewtonReport restart(system::Evaluator& evaluator, system::Point& p);
/// Makes the comparisons of a start, restarting as they change, before anything is sampled or counted by them. Leaves p
/// as it is where they do not settle.
void settle_comparisons(system::Evaluator& evaluator, Newton& newton, system::Point& p, int most_passes);

/// What happens at an instant where something switches.
///
///   clocked updates, all from the values before the event; then impacts, until none approaches; then modes; then the
///   restart solve, which may change modes again, until none changes.
///
/// Modes that keep switching are reported with the indicators that do not settle.
class EventHandler {
 public:
  EventHandler(system::Evaluator& evaluator, const Options& options, Statistics& statistics);

  struct Outcome {
    bool good = true;
    bool changed = false;  ///< a discrete variable has a new value
    bool smooth = false;   ///< and yet all rates and algebraic variables stay as they are
    std::string text;      ///< why it went wrong
  };
  /// `continues` tells whether the values at p still solve the equations with the new modes: then nothing is solved
  /// for.
  Outcome pass(system::Point& p, const std::function<bool(const system::Point&)>& continues = {});

  /// Sides (g > 0) of all indicators at p, 1 or 0.
  void find_sides(const system::Point& p, std::vector<char>& sides);
  Newton& newton() { return newton_; }

 private:
  Outcome pass_impacts(system::Point& p);
  std::string unsettled(const system::Point& p, const std::vector<char>& before);

  system::Evaluator* evaluator_;
  Options options_;
  Statistics* statistics_;
  Newton newton_;
  ImpactSolver impacts_;
  std::vector<double> g_;
  std::vector<char> sides_;
};

}  // namespace coenergy::solve
