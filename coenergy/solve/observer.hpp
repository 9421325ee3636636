#pragma once
#include <functional>
#include <vector>

#include "coenergy/system/point.hpp"

namespace coenergy::solve {

/// Follows a run point by point, for analyses that go along with it. Calls come in this order: begin; then for every
/// accepted step: step, the rows inside it, and at its end either a row or (row, event, row).
class Observer {
 public:
  /// All variables at from.t + s·(to.t − from.t), 0 < s ≤ 1, of the step just made.
  using Interpolate = std::function<system::Point(double s)>;

  virtual ~Observer() = default;
  virtual void begin(const system::Point&) {}
  virtual void step(const system::Point& /*from*/, const system::Point& /*to*/, const Interpolate&) {}
  /// Clocks and modes changed at an instant; `crossed` are the indicators that changed sides.
  virtual void event(const system::Point& /*before*/, const system::Point& /*after*/,
                     const std::vector<int>& /*crossed*/) {}
  virtual void row(const system::Point&) {}
};

}  // namespace coenergy::solve
