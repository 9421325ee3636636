#pragma once
#include <string_view>

namespace coenergy::generate {

/// C text that makes a functional mock-up unit of generated code of a model (see system_runtime.hpp); '@' is the prefix.
/// Types and functions are those of the standards, declared anew: nothing else is needed to compile it.
extern const std::string_view fmu_core;  ///< an instance and what both versions do with it
extern const std::string_view fmi2_functions;
extern const std::string_view fmi3_types, fmi3_functions;
extern const std::string_view fmi3_other_types;  ///< functions for variables and clocks that no model has

}  // namespace coenergy::generate
