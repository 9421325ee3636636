#pragma once
#include "apps/coenergy/verbs.hpp"

namespace coenergy::app {

/// A compiled model at the point where it is to be linearised.
struct OperatingPoint {
  compile::Compiled compiled;
  equations::Evaluator evaluator;
  equations::Point point;
  std::vector<std::string> inputs, outputs;  ///< as the arguments say, else as the model declares
};

/// Consistent start, static equilibrium or a time of a run, as the arguments say; there, inputs that follow expressions
/// are cut open. Throws Error where there is none.
OperatingPoint find_operating_point(const LinearizeArguments& arguments);

}  // namespace coenergy::app
