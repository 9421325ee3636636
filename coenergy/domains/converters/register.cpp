#include "coenergy/domains/converters/register.hpp"

#include "coenergy/domains/converters/dc_machine.hpp"

namespace coenergy::domains {

void register_converters(model::Registry& registry) { registry.add<converters::DcMachine>(); }

}  // namespace coenergy::domains
