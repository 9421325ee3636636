#pragma once
#include <string>

#include "coenergy/equations/system.hpp"

namespace coenergy::analyze {

/// Throws coenergy::Error where the system reads the past of a signal: no finite number of states tells what it does
/// next, which `what` (the analysis) would have to know.
void refuse_delays(const equations::System& system, const std::string& what);

}  // namespace coenergy::analyze
