#include "coenergy/domains/drives/register.hpp"

#include "coenergy/domains/drives/direct_torque_control.hpp"
#include "coenergy/domains/drives/induction_control.hpp"
#include "coenergy/domains/drives/pll.hpp"
#include "coenergy/domains/drives/six_step.hpp"
#include "coenergy/domains/drives/stepper_sequencer.hpp"
#include "coenergy/domains/drives/synchronous_control.hpp"
#include "coenergy/domains/drives/torque_to_currents.hpp"
#include "coenergy/domains/drives/transforms.hpp"
#include "coenergy/domains/drives/volts_per_hertz.hpp"

namespace coenergy::domains {

void register_drives(model::Registry& registry) {
  registry.add<drives::Clarke>();
  registry.add<drives::Park>();
  registry.add<drives::InversePark>();
  registry.add<drives::Pll>();
  registry.add<drives::SynchronousControl>();
  registry.add<drives::InductionControl>();
  registry.add<drives::VoltsPerHertz>();
  registry.add<drives::DirectTorqueControl>();
  registry.add<drives::SixStep>();
  registry.add<drives::StepperSequencer>();
  registry.add<drives::TorqueToCurrents>();
}

}  // namespace coenergy::domains
