#pragma once
#include "apps/coenergy/verbs.hpp"

namespace coenergy::app {

/// A compiled model at the point where it is to be linearised.
struct OperatingPoint {
  system::Compiled compiled;
  system::Evaluator evaluator;
  system::Point point;
};

/// Consistent start, static equilibrium or a time of a run, as the arguments say. Throws Error where there is none.
OperatingPoint find_operating_point(const LinearizeArguments& arguments);

}  // namespace coenergy::app
