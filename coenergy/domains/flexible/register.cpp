#include "coenergy/domains/flexible/register.hpp"

#include "coenergy/domains/flexible/beam_body.hpp"

namespace coenergy::domains {

void register_flexible(model::Registry& registry) { registry.add<flexible::BeamBody>(); }

}  // namespace coenergy::domains
