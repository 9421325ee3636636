#include "coenergy/domains/standard.hpp"

#include "coenergy/domains/blocks/register.hpp"
#include "coenergy/domains/converters/register.hpp"
#include "coenergy/domains/electrical/register.hpp"
#include "coenergy/domains/hydraulic/register.hpp"
#include "coenergy/domains/mechanical/register.hpp"
#ifdef COENERGY_HAS_MULTIBODY
#include "coenergy/domains/multibody/register.hpp"
#endif
#ifdef COENERGY_HAS_FLEXIBLE
#include "coenergy/domains/flexible/register.hpp"
#endif

namespace coenergy::domains {

model::Registry make_standard_registry() {
  model::Registry registry;
  register_electrical(registry);
  register_mechanical(registry);
  register_hydraulic(registry);
  register_blocks(registry);
  register_converters(registry);
#ifdef COENERGY_HAS_MULTIBODY
  register_multibody(registry);
#endif
#ifdef COENERGY_HAS_FLEXIBLE
  register_flexible(registry);
#endif
  return registry;
}

}  // namespace coenergy::domains
