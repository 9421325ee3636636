#pragma once
#include "coenergy/model/registry.hpp"

namespace coenergy::domains {

/// Adds all kinds of the folder blocks.
void register_blocks(model::Registry& registry);

}  // namespace coenergy::domains
