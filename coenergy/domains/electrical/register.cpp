#include "coenergy/domains/electrical/register.hpp"

#include "coenergy/domains/electrical/bipolar_transistor.hpp"
#include "coenergy/domains/electrical/capacitor.hpp"
#include "coenergy/domains/electrical/coenergy_windings.hpp"
#include "coenergy/domains/electrical/coupling.hpp"
#include "coenergy/domains/electrical/current_source.hpp"
#include "coenergy/domains/electrical/diode.hpp"
#include "coenergy/domains/electrical/ground.hpp"
#include "coenergy/domains/electrical/gyrator.hpp"
#include "coenergy/domains/electrical/ideal_diode.hpp"
#include "coenergy/domains/electrical/ideal_switch.hpp"
#include "coenergy/domains/electrical/ideal_transformer.hpp"
#include "coenergy/domains/electrical/inductor.hpp"
#include "coenergy/domains/electrical/jfet.hpp"
#include "coenergy/domains/electrical/junction_capacitor.hpp"
#include "coenergy/domains/electrical/mosfet.hpp"
#include "coenergy/domains/electrical/mutual_capacitance.hpp"
#include "coenergy/domains/electrical/nonlinear_capacitor.hpp"
#include "coenergy/domains/electrical/nonlinear_inductor.hpp"
#include "coenergy/domains/electrical/nonlinear_resistor.hpp"
#include "coenergy/domains/electrical/permanent_magnet.hpp"
#include "coenergy/domains/electrical/pwm.hpp"
#include "coenergy/domains/electrical/resistor.hpp"
#include "coenergy/domains/electrical/short_mosfet.hpp"
#include "coenergy/domains/electrical/smooth_switch.hpp"
#include "coenergy/domains/electrical/switch.hpp"
#include "coenergy/domains/electrical/temperature_dependent_resistor.hpp"
#include "coenergy/domains/electrical/transmission_line.hpp"
#include "coenergy/domains/electrical/voltage_source.hpp"
#include "coenergy/domains/electrical/voltmeter.hpp"
#include "coenergy/domains/electrical/waveform.hpp"

namespace coenergy::domains {

void register_electrical(model::Registry& registry) {
  registry.add<electrical::Resistor>();
  registry.add<electrical::Inductor>();
  registry.add<electrical::Capacitor>();
  registry.add<electrical::VoltageSource>();
  registry.add<electrical::CurrentSource>();
  registry.add<electrical::Ground>();
  registry.add<electrical::Voltmeter>();
  // couplings and two-ports
  registry.add<electrical::Coupling>();
  registry.add<electrical::MutualCapacitance>();
  registry.add<electrical::PermanentMagnet>();
  registry.add<electrical::CoenergyWindings>();
  registry.add<electrical::IdealTransformer>();
  registry.add<electrical::Gyrator>();
  registry.add<electrical::TransmissionLine>();
  // any characteristic
  registry.add<electrical::TemperatureDependentResistor>();
  registry.add<electrical::NonlinearResistor>();
  registry.add<electrical::NonlinearInductor>();
  registry.add<electrical::NonlinearCapacitor>();
  // sources with corners
  registry.add<electrical::PulseVoltage>();
  registry.add<electrical::PulseCurrent>();
  registry.add<electrical::PwlVoltage>();
  registry.add<electrical::PwlCurrent>();
  registry.add<electrical::Pwm>();
  // switches
  registry.add<electrical::Switch>();
  registry.add<electrical::SmoothSwitch>();
  registry.add<electrical::IdealSwitch>();
  registry.add<electrical::IdealDiode>();
  // semiconductors
  registry.add<electrical::Diode>();
  registry.add<electrical::Zener>();
  registry.add<electrical::JunctionCapacitor>();
  registry.add<electrical::Mosfet>();
  registry.add<electrical::ChargedMosfet>();
  registry.add<electrical::GeometricMosfet>();
  registry.add<electrical::EmpiricalMosfet>();
  registry.add<electrical::BipolarTransistor>();
  registry.add<electrical::Jfet>();
}

}  // namespace coenergy::domains
