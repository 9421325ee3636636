#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "coenergy/equations/system.hpp"
#include "coenergy/solve/options.hpp"
#include "coenergy/study/measures.hpp"

namespace coenergy::study {

/// Many runs of a system ẋ = f(t, x, p) at once, by fixed steps of an explicit Runge–Kutta method: a whole step of one
/// variant is one straight-line program
///
///   k_i = f(t + c_i h, x + h Σ_j a_ij k_j, p),   x ← x + h Σ b_i k_i
///
/// in native code, and as many variants as the machine has lanes go through it together. A variant has the same bits in
/// every lane.
class LaneRunner {
 public:
  /// Nothing where the system or what is wanted of it is of another kind: bodies, constraints, events, samples, delays,
  /// rows that stay implicit, methods that control their steps, measures of whole courses, times between steps.
  static std::unique_ptr<LaneRunner> make(const equations::System& system, const solve::Options& options,
                                          const std::vector<RunMeasure>& measures);
  ~LaneRunner();

  static int lanes();
  /// Runs a group of lanes() variants: `points` are their start values and `parameters` those of the system, one after the
  /// other; `values` gets lanes × measures. Calls may run at the same time on several copies of `Work`.
  struct Work;
  std::shared_ptr<Work> make_work() const;
  void run(const std::vector<equations::Point>& points, const std::vector<std::vector<double>>& parameters,
           std::span<double> values, Work& work) const;

 private:
  LaneRunner();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace coenergy::study
