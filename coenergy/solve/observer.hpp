#pragma once
#include <functional>
#include <vector>

#include "coenergy/equations/point.hpp"
#include "coenergy/solve/event_trace.hpp"

namespace coenergy::solve {

/// Follows a run point by point, for analyses that go along with it. Calls come in this order: begin; then for every
/// accepted step: step, the rows inside it, and at its end either a row or (row, event, row).
class Observer {
 public:
  /// All variables at from.t + s·(to.t − from.t), 0 < s ≤ 1, of the step just made.
  using Interpolate = std::function<equations::Point(double s)>;

  virtual ~Observer() = default;
  /// Whether the stages of events are wanted too; else their traces are empty.
  virtual bool wants_traces() const { return false; }
  /// The consistent start; `trace`: its first samples and modes.
  virtual void begin(const equations::Point& /*start*/, const EventTrace& /*trace*/) {}
  virtual void step(const equations::Point& /*from*/, const equations::Point& /*to*/, const Interpolate&) {}
  /// Clocks and modes changed at an instant; `crossed` are the indicators that changed sides.
  virtual void event(const equations::Point& /*before*/, const equations::Point& /*after*/,
                     const std::vector<int>& /*crossed*/, const EventTrace& /*trace*/) {}
  virtual void row(const equations::Point&) {}
};

}  // namespace coenergy::solve
