#include "coenergy/domains/blocks/register.hpp"

#include "coenergy/domains/blocks/constant.hpp"
#include "coenergy/domains/blocks/gain.hpp"
#include "coenergy/domains/blocks/integrator.hpp"
#include "coenergy/domains/blocks/pid.hpp"
#include "coenergy/domains/blocks/ramp.hpp"
#include "coenergy/domains/blocks/sampled_pid.hpp"
#include "coenergy/domains/blocks/saturation.hpp"
#include "coenergy/domains/blocks/sine.hpp"
#include "coenergy/domains/blocks/state_space.hpp"
#include "coenergy/domains/blocks/step.hpp"
#include "coenergy/domains/blocks/sum.hpp"
#include "coenergy/domains/blocks/transfer_function.hpp"
#include "coenergy/domains/blocks/zero_order_hold.hpp"

namespace coenergy::domains {

void register_blocks(model::Registry& registry) {
  registry.add<blocks::Constant>();
  registry.add<blocks::Step>();
  registry.add<blocks::Sine>();
  registry.add<blocks::Ramp>();
  registry.add<blocks::Gain>();
  registry.add<blocks::Sum>();
  registry.add<blocks::Saturation>();
  registry.add<blocks::Integrator>();
  registry.add<blocks::TransferFunction>();
  registry.add<blocks::StateSpace>();
  registry.add<blocks::Pid>();
  registry.add<blocks::SampledPid>();
  registry.add<blocks::ZeroOrderHold>();
}

}  // namespace coenergy::domains
