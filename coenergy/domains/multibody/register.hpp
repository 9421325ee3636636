#pragma once
#include "coenergy/model/registry.hpp"

namespace coenergy::domains {

/// Adds all kinds of the folder multibody.
void register_multibody(model::Registry& registry);

}  // namespace coenergy::domains
