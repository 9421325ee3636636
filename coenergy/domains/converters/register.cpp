#include "coenergy/domains/converters/register.hpp"

#include "coenergy/domains/converters/brushless_dc_machine.hpp"
#include "coenergy/domains/converters/dc_machine.hpp"
#include "coenergy/domains/converters/eddy_current_brake.hpp"
#include "coenergy/domains/converters/electromagnet.hpp"
#include "coenergy/domains/converters/excited_dc_machine.hpp"
#include "coenergy/domains/converters/generalised_machine.hpp"
#include "coenergy/domains/converters/hybrid_stepper.hpp"
#include "coenergy/domains/converters/induction_machine.hpp"
#include "coenergy/domains/converters/linear_synchronous_motor.hpp"
#include "coenergy/domains/converters/permanent_magnet_machine.hpp"
#include "coenergy/domains/converters/piezo_stack.hpp"
#include "coenergy/domains/converters/plate_capacitor.hpp"
#include "coenergy/domains/converters/pwm_bridge.hpp"
#include "coenergy/domains/converters/saturated_transformer.hpp"
#include "coenergy/domains/converters/steady_induction_machine.hpp"
#include "coenergy/domains/converters/switched_reluctance_machine.hpp"
#include "coenergy/domains/converters/synchronous_machine.hpp"
#include "coenergy/domains/converters/synchronous_reluctance_machine.hpp"
#include "coenergy/domains/converters/vector_induction_machine.hpp"
#include "coenergy/domains/converters/voice_coil.hpp"
#include "coenergy/domains/converters/winding_temperature.hpp"

namespace coenergy::domains {

void register_converters(model::Registry& registry) {
  registry.add<converters::DcMachine>();
  registry.add<converters::ExcitedDcMachine>();
  registry.add<converters::InductionMachine>();
  registry.add<converters::VectorInductionMachine>();
  registry.add<converters::SteadyInductionMachine>();
  registry.add<converters::SynchronousMachine>();
  registry.add<converters::PermanentMagnetMachine>();
  registry.add<converters::SynchronousReluctanceMachine>();
  registry.add<converters::BrushlessDcMachine>();
  registry.add<converters::SwitchedReluctanceMachine>();
  registry.add<converters::HybridStepper>();
  registry.add<converters::GeneralisedMachine>();
  registry.add<converters::LinearSynchronousMotor>();
  registry.add<converters::VoiceCoil>();
  registry.add<converters::Electromagnet>();
  registry.add<converters::PlateCapacitor>();
  registry.add<converters::PiezoStack>();
  registry.add<converters::EddyCurrentBrake>();
  registry.add<converters::WindingTemperature>();
  registry.add<converters::SaturatedTransformer>();
  registry.add<converters::PwmBridge<1>>();
  registry.add<converters::PwmBridge<2>>();
  registry.add<converters::PwmBridge<3>>();
}

}  // namespace coenergy::domains
