#pragma once
#include "coenergy/model/registry.hpp"

namespace coenergy::domains {

/// Adds all kinds of the folder pneumatic.
void register_pneumatic(model::Registry& registry);

}  // namespace coenergy::domains
