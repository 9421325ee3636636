#pragma once
#include "apps/coenergy/verbs.hpp"

namespace coenergy::app {

/// The verb optimize of a model whose section asks for a motion: inputs as functions of time.
int optimize_motion(const OptimizeArguments& arguments, const model::Model& model);

}  // namespace coenergy::app
