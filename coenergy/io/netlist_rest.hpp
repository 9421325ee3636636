#pragma once
#include <algorithm>
#include <stdexcept>
#include <vector>

#include "coenergy/io/netlist_analyses.hpp"
#include "coenergy/solve/initialize.hpp"
#include "coenergy/solve/settle.hpp"
#include "coenergy/solve/static_newton.hpp"

namespace coenergy::io {

/// There is no operating point, for the reason given.
struct NoRest : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The circuit at rest, with values of its own for the parameters.
class NetlistAnalyses::Rest {
 public:
  Rest(const equations::System& system, const solve::Options& options)
      : options_(options), evaluator_(system), time_(evaluator_) {}

  solve::Start find() {
    solve::Start start = solve::initialize(evaluator_, options_);
    if (!start.good) throw NoRest(start.text);
    return start;
  }
  /// The point at rest that a small change of the circuit leads to from another one, so that a sweep shows hysteresis;
  /// found anew where it does not lead to any.
  equations::Point follow(const equations::Point& from) {
    constexpr double beyond_all_time_constants = 1e9;  // s
    constexpr int most_switchings = 50;
    solve::Statistics statistics;
    solve::StaticNewton newton(evaluator_, statistics);
    equations::Point p = from;
    for (int k = 0; k < most_switchings && newton.solve(p, beyond_all_time_constants, 0); ++k) {
      std::fill(p.xd.begin(), p.xd.end(), 0.0);
      if (!evaluator_.update_modes(p)) return p;
    }
    return find().point;
  }
  equations::Evaluator& evaluator() { return evaluator_; }
  /// Values of some signals, by index.
  std::vector<double> signals(const equations::Point& p, const std::vector<int>& wanted) {
    all_.resize(evaluator_.system().signals().size());
    evaluator_.signals(p, all_);
    std::vector<double> values;
    for (int k : wanted) values.push_back(all_[static_cast<std::size_t>(k)]);
    return values;
  }

 private:
  const solve::Options& options_;
  equations::Evaluator evaluator_;
  solve::HeldTime time_;
  std::vector<double> all_;
};

}  // namespace coenergy::io
