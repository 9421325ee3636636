#pragma once
#include "coenergy/model/registry.hpp"

namespace coenergy::domains {

/// Adds all kinds of the folder fmu.
void register_fmu(model::Registry& registry);

}  // namespace coenergy::domains
