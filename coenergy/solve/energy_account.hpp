#pragma once
#include <optional>
#include <string>
#include <vector>

#include "coenergy/base/state_archive.hpp"
#include "coenergy/equations/system.hpp"
#include "coenergy/solve/options.hpp"
#include "coenergy/solve/result.hpp"

namespace coenergy::solve {

/// Whether the energy account of a run closes: stored − supplied + dissipated stays as it was at the start, but for
/// what events add or take at an instant (impacts, sampled values).
///
/// Sizes of energies are the largest that are seen of those, and of the kinetic energy ½ vᵀM v, for a potential may be
/// counted from anywhere. Steps explain an error of 2 rtol of the energies each, at most a hundredth in all; fixed
/// steps a hundredth.
class EnergyAccount {
 public:
  explicit EnergyAccount(equations::Evaluator& evaluator);

  /// The run begins at p, or goes on there after an event.
  void enter(const equations::Point& p);
  /// A step ended at p.
  void watch(const equations::Point& p);
  /// An event, or the end, is at p.
  void leave(const equations::Point& p);
  /// "the energy account does not close: …" where it does not.
  std::optional<std::string> find_gap(const Options& options, const Statistics& statistics) const;
  void visit(StateArchive& archive) { archive(steps_, before_, error_, largest_); }

 private:
  double read(const equations::Point& p);

  equations::Evaluator* evaluator_;
  int stored_, supplied_ = -1, dissipated_ = -1;  // signals; −1: no account is kept
  std::vector<double> row_;
  std::vector<double> matrix_;
  long steps_ = 0;
  double before_ = 0, error_ = 0, largest_ = 0;
};

}  // namespace coenergy::solve
