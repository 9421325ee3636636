#include "coenergy/domains/mechanical/register.hpp"

#include "coenergy/domains/mechanical/clearance.hpp"
#include "coenergy/domains/mechanical/damper.hpp"
#include "coenergy/domains/mechanical/effort.hpp"
#include "coenergy/domains/mechanical/fixed.hpp"
#include "coenergy/domains/mechanical/friction.hpp"
#include "coenergy/domains/mechanical/ideal_gear.hpp"
#include "coenergy/domains/mechanical/inertia.hpp"
#include "coenergy/domains/mechanical/mass.hpp"
#include "coenergy/domains/mechanical/motion.hpp"
#include "coenergy/domains/mechanical/rack_pinion.hpp"
#include "coenergy/domains/mechanical/spring.hpp"
#include "coenergy/domains/mechanical/spring_damper.hpp"
#include "coenergy/domains/mechanical/stop.hpp"

namespace coenergy::domains {

void register_mechanical(model::Registry& registry) {
  registry.add<mechanical::Inertia>();
  registry.add<mechanical::Mass>();
  registry.add<mechanical::Spring<Rotational>>();
  registry.add<mechanical::Spring<Translational>>();
  registry.add<mechanical::Damper<Rotational>>();
  registry.add<mechanical::Damper<Translational>>();
  registry.add<mechanical::SpringDamper<Rotational>>();
  registry.add<mechanical::SpringDamper<Translational>>();
  registry.add<mechanical::Clearance>();
  registry.add<mechanical::Friction<Rotational>>();
  registry.add<mechanical::Friction<Translational>>();
  registry.add<mechanical::Effort<Rotational>>();
  registry.add<mechanical::Effort<Translational>>();
  registry.add<mechanical::Motion<Rotational>>();
  registry.add<mechanical::Motion<Translational>>();
  registry.add<mechanical::Fixed<Rotational>>();
  registry.add<mechanical::Fixed<Translational>>();
  registry.add<mechanical::Stop<Rotational>>();
  registry.add<mechanical::Stop<Translational>>();
  registry.add<mechanical::IdealGear>();
  registry.add<mechanical::RackPinion>();
}

}  // namespace coenergy::domains
