#pragma once
#include "coenergy/model/registry.hpp"

namespace coenergy::domains {

/// Adds all kinds of the folder hydraulic.
void register_hydraulic(model::Registry& registry);

}  // namespace coenergy::domains
