#include "coenergy/domains/flexible/register.hpp"

#include "coenergy/domains/flexible/beam_body.hpp"
#include "coenergy/domains/flexible/modal_beam.hpp"
#include "coenergy/domains/flexible/superelement.hpp"

namespace coenergy::domains {

void register_flexible(model::Registry& registry) {
  registry.add<flexible::BeamBody>();
  registry.add<flexible::ModalBeam>();
  registry.add<flexible::Superelement>();
}

}  // namespace coenergy::domains
