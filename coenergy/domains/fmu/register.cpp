#include "coenergy/domains/fmu/register.hpp"

#include "coenergy/domains/fmu/import.hpp"

namespace coenergy::domains {

void register_fmu(model::Registry& registry) { registry.add<fmu::Import>(); }

}  // namespace coenergy::domains
