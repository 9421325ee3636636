#pragma once
#include <span>
#include <vector>

#include "coenergy/equations/system.hpp"
#include "coenergy/symbolic/function.hpp"

namespace coenergy::equations {

/// Values of a few signals, by a program of their own that reads only what they depend on: for long runs of which
/// little is recorded. Parameters are those of the evaluator when the reader is made. No call allocates.
class SignalReader {
 public:
  /// Any signals but the stored energy, which is no program over the values of a point.
  SignalReader(const Evaluator& evaluator, std::span<const int> signals);
  void read(const Point& p, std::span<double> values);

  /// Indices of the values of a point that are read.
  struct Needs {
    bool motion = false;  ///< any of q, v, a
    std::vector<int> lambda, x, xd, y;
  };
  const Needs& needs() const { return needs_; }
  const symbolic::Function& function() const { return function_; }

 private:
  struct Copy {
    std::vector<double> Point::*part;
    int index;  // in that part
    int place;  // in the values of the program
  };
  symbolic::Function function_;
  std::vector<double> values_, work_;
  std::vector<Copy> copies_;
  int time_ = -1;  // its place in the values; −1: it is not read
  Needs needs_;
};

}  // namespace coenergy::equations
