#include "coenergy/domains/hydraulic/register.hpp"

#include "coenergy/domains/hydraulic/accumulator.hpp"
#include "coenergy/domains/hydraulic/cylinder.hpp"
#include "coenergy/domains/hydraulic/flow_control_valve.hpp"
#include "coenergy/domains/hydraulic/flow_source.hpp"
#include "coenergy/domains/hydraulic/ideal_cylinder.hpp"
#include "coenergy/domains/hydraulic/ideal_valve.hpp"
#include "coenergy/domains/hydraulic/inertance.hpp"
#include "coenergy/domains/hydraulic/line.hpp"
#include "coenergy/domains/hydraulic/orifice.hpp"
#include "coenergy/domains/hydraulic/poppet.hpp"
#include "coenergy/domains/hydraulic/pressure_source.hpp"
#include "coenergy/domains/hydraulic/pressure_valve.hpp"
#include "coenergy/domains/hydraulic/pump_motor.hpp"
#include "coenergy/domains/hydraulic/servo_valve.hpp"
#include "coenergy/domains/hydraulic/spool.hpp"
#include "coenergy/domains/hydraulic/tank.hpp"
#include "coenergy/domains/hydraulic/volume.hpp"

namespace coenergy::domains {

void register_hydraulic(model::Registry& registry) {
  registry.add<hydraulic::Volume>();
  registry.add<hydraulic::Accumulator>();
  registry.add<hydraulic::Orifice>();
  registry.add<hydraulic::CheckValve>();
  registry.add<hydraulic::ReliefValve>();
  registry.add<hydraulic::ServoValve>();
  registry.add<hydraulic::Cylinder>();
  registry.add<hydraulic::PressureSource>();
  registry.add<hydraulic::FlowSource>();
  registry.add<hydraulic::Tank>();
  registry.add<hydraulic::PumpMotor>();
  registry.add<hydraulic::FlowControlValve>();
  registry.add<hydraulic::IdealCheckValve>();
  registry.add<hydraulic::IdealReliefValve>();
  registry.add<hydraulic::Poppet>();
  registry.add<hydraulic::Spool>();
  registry.add<hydraulic::IdealCylinder>();
  registry.add<hydraulic::Inertance>();
  registry.add<hydraulic::Line>();
}

}  // namespace coenergy::domains
