#pragma once
#include "coenergy/model/registry.hpp"

namespace coenergy::domains {

/// Adds all kinds of the folder converters.
void register_converters(model::Registry& registry);

}  // namespace coenergy::domains
