#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "coenergy/model/value.hpp"

namespace coenergy::model {

/// One plot as the user wrote it: signals over time, or over another signal.
struct Plot {
  std::vector<Value> y;                      ///< names of signals
  std::optional<Value> x;                    ///< the signal of the horizontal axis; nothing: time
  std::optional<Value> title, unit, x_unit;  ///< units: nothing is that of each signal

  Plot() = default;
  Plot(std::vector<Value> signals) : y(std::move(signals)) {}  // NOLINT: plots are written inline in C++ models
  Plot(std::initializer_list<const char*> signals) : y(signals.begin(), signals.end()) {}

  /// Calls `action` with the value of every signal that is named.
  template <class Self, class Action>
  static void visit_signals(Self& plot, Action&& action) {
    for (auto& name : plot.y) action(name);
    if (plot.x) action(*plot.x);
  }
};

}  // namespace coenergy::model
