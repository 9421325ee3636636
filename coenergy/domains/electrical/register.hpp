#pragma once
#include "coenergy/model/registry.hpp"

namespace coenergy::domains {

/// Adds all kinds of the folder electrical.
void register_electrical(model::Registry& registry);

}  // namespace coenergy::domains
