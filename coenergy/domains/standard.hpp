#pragma once
#include "coenergy/model/registry.hpp"

namespace coenergy::domains {

/// All kinds of components this program comes with.
model::Registry make_standard_registry();

}  // namespace coenergy::domains
