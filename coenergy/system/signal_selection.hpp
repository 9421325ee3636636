#pragma once
#include <span>
#include <vector>

#include "coenergy/symbolic/function.hpp"
#include "coenergy/system/system.hpp"

namespace coenergy::system {

/// A program for some of the signals of a system: what the others need is no part of it.
class SignalSelection {
 public:
  SignalSelection(const System& system, std::vector<int> signals);
  /// values = the chosen signals at p, in the order they were given.
  void compute(Evaluator& evaluator, const Point& p, std::span<double> values);
  const symbolic::Function& function() const { return function_; }

 private:
  symbolic::Function function_;
  std::vector<double> work_;
  std::vector<std::size_t> energies_;  ///< places of energy.stored, which the evaluator sums up
};

}  // namespace coenergy::system
