#pragma once
#include "coenergy/model/registry.hpp"

namespace coenergy::domains {

/// Adds all kinds of the folder drives.
void register_drives(model::Registry& registry);

}  // namespace coenergy::domains
