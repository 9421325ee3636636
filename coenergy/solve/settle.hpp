#pragma once
#include <string>

#include "coenergy/equations/system.hpp"
#include "coenergy/solve/events.hpp"
#include "coenergy/solve/options.hpp"

namespace coenergy::solve {

/// Time stands still while this lives: explicit functions of time have no rate, so that nothing changes in an operating
/// point.
class HeldTime {
 public:
  explicit HeldTime(equations::Evaluator& evaluator);
  ~HeldTime();
  HeldTime(const HeldTime&) = delete;
  HeldTime& operator=(const HeldTime&) = delete;

 private:
  equations::Evaluator& evaluator_;
  int rate_;
  double before_ = 0;
};

/// Lets the states come to rest with the time and all coordinates held: ẋ = 0, the operating point of a circuit.
///
/// By Newton's method, by gmin stepping or source stepping, at last by pseudo-transient stepping (see StaticNewton), and
/// before that by settling: implicit Euler steps x ← x + τ ẋ with a τ that grows tenfold after every step that succeeds, a
/// thousandfold where Newton's iteration had nothing to do, and shrinks where it fails: far from the solution it
/// follows the circuit as it settles, near it it is Newton's method. States that nothing depends on (integrals of
/// powers) keep their values, and so do charges that nothing can change. Nodes of options.hold are held at their
/// voltages, those of options.guess until a first solution is found. Throws coenergy::Error for names that are no
/// nodes.
/// Time is held meanwhile; what is left at p are the rates of a run that begins there, unless it is held from outside.
struct Settled {
  bool good = true;
  std::string text;    ///< why not
  std::string method;  ///< that succeeded
};
Settled settle(equations::Evaluator& evaluator, const Options& options, EventHandler& events, equations::Point& p,
               Statistics& statistics);

}  // namespace coenergy::solve
