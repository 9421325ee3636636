#include "coenergy/domains/pneumatic/register.hpp"

#include "coenergy/domains/pneumatic/cylinder.hpp"
#include "coenergy/domains/pneumatic/directional_valve.hpp"
#include "coenergy/domains/pneumatic/flow_source.hpp"
#include "coenergy/domains/pneumatic/orifice.hpp"
#include "coenergy/domains/pneumatic/reservoir.hpp"
#include "coenergy/domains/pneumatic/volume.hpp"

namespace coenergy::domains {

void register_pneumatic(model::Registry& registry) {
  registry.add<pneumatic::Volume>();
  registry.add<pneumatic::Orifice>();
  registry.add<pneumatic::DirectionalValve>();
  registry.add<pneumatic::Cylinder>();
  registry.add<pneumatic::Reservoir>();
  registry.add<pneumatic::FlowSource>();
}

}  // namespace coenergy::domains
