#pragma once
#include <functional>

#include "coenergy/equations/system.hpp"
#include "coenergy/solve/observer.hpp"
#include "coenergy/solve/options.hpp"
#include "coenergy/solve/recorder.hpp"
#include "coenergy/solve/result.hpp"

namespace coenergy::solve {

struct Progress {
  double t = 0;
  double fraction = 0;  ///< of the time from t_start to t_end
  const Statistics* statistics = nullptr;
};

/// What a caller wants to hear of while a simulation runs.
struct Hooks {
  std::function<bool(const Progress&)> progress;  ///< after every step; false stops the run
  RowSink row;                                    ///< every recorded row
  bool keep_rows = true;                          ///< also store the rows in the result
  Observer* observer = nullptr;                   ///< every step, event and row, with all variables
};

/// Runs a system from options.t_start to options.t_end.
/// Throws coenergy::Error for options or models that are wrong; a computation that fails on the way ends with status
/// and text in the result, and the rows up to there.
Result simulate(const equations::System& system, const Options& options, const Hooks& hooks = {});
/// The same with an evaluator whose parameters may have been changed.
Result simulate(equations::Evaluator& evaluator, const Options& options, const Hooks& hooks = {});

}  // namespace coenergy::solve
