#include "coenergy/domains/electrical/register.hpp"

#include "coenergy/domains/electrical/capacitor.hpp"
#include "coenergy/domains/electrical/current_source.hpp"
#include "coenergy/domains/electrical/ground.hpp"
#include "coenergy/domains/electrical/inductor.hpp"
#include "coenergy/domains/electrical/resistor.hpp"
#include "coenergy/domains/electrical/voltage_source.hpp"

namespace coenergy::domains {

void register_electrical(model::Registry& registry) {
  registry.add<electrical::Resistor>();
  registry.add<electrical::Inductor>();
  registry.add<electrical::Capacitor>();
  registry.add<electrical::VoltageSource>();
  registry.add<electrical::CurrentSource>();
  registry.add<electrical::Ground>();
}

}  // namespace coenergy::domains
