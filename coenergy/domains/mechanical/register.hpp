#pragma once
#include "coenergy/model/registry.hpp"

namespace coenergy::domains {

/// Adds all kinds of the folder mechanical.
void register_mechanical(model::Registry& registry);

}  // namespace coenergy::domains
