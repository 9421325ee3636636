#include "coenergy/domains/standard.hpp"

#include "coenergy/domains/blocks/register.hpp"
#include "coenergy/domains/converters/register.hpp"
#include "coenergy/domains/drives/register.hpp"
#include "coenergy/domains/electrical/register.hpp"
#include "coenergy/domains/flexible/register.hpp"
#include "coenergy/domains/fmu/register.hpp"
#include "coenergy/domains/hydraulic/register.hpp"
#include "coenergy/domains/mechanical/register.hpp"
#include "coenergy/domains/multibody/register.hpp"
#include "coenergy/domains/pneumatic/register.hpp"

namespace coenergy::domains {

model::Registry make_standard_registry() {
  model::Registry registry;
  register_electrical(registry);
  register_mechanical(registry);
  register_hydraulic(registry);
  register_pneumatic(registry);
  register_blocks(registry);
  register_converters(registry);
  register_drives(registry);
  register_multibody(registry);
  register_flexible(registry);
  register_fmu(registry);
  return registry;
}

}  // namespace coenergy::domains
