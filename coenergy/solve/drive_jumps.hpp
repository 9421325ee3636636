#pragma once
#include <string>
#include <vector>

#include "coenergy/equations/system.hpp"
#include "coenergy/solve/instant.hpp"
#include "coenergy/solve/projection.hpp"

namespace coenergy::solve {

/// Positions and velocities after the modes of an event have changed the constraints: a drive that jumps, or whose
/// velocity does.
///
///   Φ̇ jumps:  S (Δv, Λ, Δx, Y) = (0, −Φ̇, 0, 0)          the drive's impulse, through the whole machine (see Impulses)
///   Φ jumps:   Φ(q, t) = 0 by the least change of q      allowed where nothing with inertia is dragged along: what
///                                                        jumps has no mass, or moves as drives alone say
///
/// A jump in no time takes an infinite velocity: where a mass, a damper, a flow or a voltage that depends on it acts on
/// anything that drives do not hold, it is refused by the name of the drive. What drives supply meanwhile is the change
/// of the stored energy.
class DriveJumps {
 public:
  DriveJumps(equations::Evaluator& evaluator, const Options& options, Statistics& statistics);

  struct Outcome {
    bool any = false;        ///< positions or velocities have changed
    bool positions = false;  ///< positions too
    bool good = true;
    std::string text;  ///< why not
  };
  /// `before`: the discrete variables until now, with which p fits.
  Outcome pass(equations::Point& p, const std::vector<double>& before);
  /// The same at a point beside one where it happened, with the modes it has afterwards. False where there is no
  /// solution.
  bool repeat(equations::Point& p, bool positions);
  void visit(StateArchive& archive) { archive(projection_, other_); }

 private:
  bool find_changes(const equations::Point& p, const std::vector<double>& before);
  std::string find_dragged(const equations::Point& from, const equations::Point& to, std::string& unit);
  bool change_velocities(equations::Point& p);

  equations::Evaluator* evaluator_;
  Options options_;
  ConstraintProjection projection_;
  equations::Point other_;
  std::vector<double> now_, then_, position_, velocity_;  // residuals; changes of Φ and Φ̇
  int worst_ = -1;                                        // constraint that jumps most …
  double jump_ = 0;                                       // … and by how much
  bool velocities_jump_ = false;
};

}  // namespace coenergy::solve
