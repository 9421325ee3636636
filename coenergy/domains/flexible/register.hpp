#pragma once
#include "coenergy/model/registry.hpp"

namespace coenergy::domains {

/// Adds all kinds of the folder flexible.
void register_flexible(model::Registry& registry);

}  // namespace coenergy::domains
