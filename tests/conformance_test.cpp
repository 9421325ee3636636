// Every registered kind of component is held to the same rules, before its author writes a test of its own.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>
#include <set>

#include "coenergy/compile/compile.hpp"
#include "coenergy/domains/standard.hpp"
#include "coenergy/equations/data.hpp"
#include "coenergy/model/expression.hpp"
#include "coenergy/solve/initialize.hpp"
#include "coenergy/solve/simulate.hpp"
#include "tests/component_bench.hpp"

namespace {
std::atomic<bool> counting{false};
std::atomic<long> allocations{0};
void* allocate(std::size_t n) {
  if (counting) ++allocations;
  if (void* p = std::malloc(n > 0 ? n : 1)) return p;
  throw std::bad_alloc();
}
}  // namespace

void* operator new(std::size_t n) { return allocate(n); }
void* operator new[](std::size_t n) { return allocate(n); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }

namespace coenergy::conformance {
namespace {

using equations::Evaluator;
using equations::Level;
using equations::Point;
using equations::System;
using equations::Weights;
using symbolic::Expr;

const model::Registry& registry() {
  static const model::Registry all = domains::make_standard_registry();
  return all;
}

/// Two storages of one kind, each beside a resistor and a source, for couplings between them.
std::vector<Component> coupled(const std::string& kind, const std::string& value, const std::string& start) {
  std::vector<Component> parts;
  for (const char* side : {"a", "b"}) {
    const std::string node = std::string("node_") + side;
    parts.push_back({value + side,
                     "electrical." + kind,
                     {{"p", node}, {"n", "gnd"}, {value, side[0] == 'a' ? "1.3" : "0.8"}, {start, "0.6"}},
                     {},
                     {}});
    parts.push_back({node + "_R", "electrical.Resistor", {{"p", node}, {"n", "gnd"}, {"R", "1.7 ohm"}}, {}, {}});
    parts.push_back(
        {node + "_I", "electrical.CurrentSource", {{"p", "gnd"}, {"n", node}, {"i", "0.9 A*cos(2 1/s*time)"}}, {}, {}});
  }
  return parts;
}

/// Of machines: their pins by name, to be left open.
std::vector<std::pair<std::string, Value>> with_open(std::vector<std::pair<std::string, Value>> values,
                                                     std::initializer_list<const char*> ports) {
  for (const char* port : ports) values.emplace_back(port, "open");
  return values;
}

std::vector<Case> machine_cases() {
  using Values = std::vector<std::pair<std::string, Value>>;
  const Values induction{{"L_s", "1.2"},  {"M_s", "-0.4"}, {"L_r", "1.1"}, {"M_r", "-0.35"},
                         {"M_sr", "0.6"}, {"R_s", "0.4"},  {"R_r", "0.3"}, {"pole_pairs", "2"}};
  const Values magnets{{"L_d", "0.4"}, {"L_q", "0.9"}, {"L_0", "0.2"},
                       {"psi", "0.6"}, {"R_s", "0.3"}, {"pole_pairs", "3"}};
  const auto with = [](Values values, const Values& more) {
    values.insert(values.end(), more.begin(), more.end());
    return values;
  };
  return {
      {"limited",
       "converters.DcMachine",
       {{"R", "0.4 ohm"}, {"L", "0.2 H"}, {"i_max", "0.2 A"}, {"torque_factor", "0.9"}}},
      {"limited_without_inductance", "converters.DcMachine", {{"R", "0.4 ohm"}, {"i_max", "0.2 A"}}},
      {"", "converters.ExcitedDcMachine", {{"M_af", "0.7 H"}, {"J", "0.3"}, {"d", "0.1"}}},
      {"saturated", "converters.ExcitedDcMachine", {{"G", "0.7 V.s/rad*tanh(subject.i_f/(2 A))"}}},
      {"", "converters.InductionMachine", induction},
      {"with_cage", "converters.InductionMachine",
       with_open(with(induction, {{"J", "0.2"}, {"d", "0.1"}}), {"n", "ra", "rb", "rc", "rn"})},
      {"with_wound_rotor_and_harmonics", "converters.InductionMachine",
       with_open(with(induction, {{"harmonics", std::vector<Value>{"1", "0", "-0.15"}}}), {"n", "rn"})},
      {"in_delta", "converters.InductionMachine",
       with_open(with(induction, {{"connection", "delta"}, {"rconnection", "delta"}}), {"n", "rn"})},
      {"",
       "converters.VectorInductionMachine",
       {{"L_0", "0.3"}, {"pole_pairs", "2"}, {"frame", "2 rad*sin(3 1/s*time) + rotor.phi"}}},
      {"isolated", "converters.VectorInductionMachine", with_open({{"pole_pairs", "2"}}, {"n"})},
      {"",
       "converters.SynchronousMachine",
       {{"L_d", "1.5"},
        {"L_q", "1.1"},
        {"L_0", "0.3"},
        {"L_f", "1.4"},
        {"R_f", "0.3"},
        {"M_f", "0.6"},
        {"pole_pairs", "2"}}},
      {"with_dampers", "converters.SynchronousMachine",
       with_open({{"L_d", "1.5"},
                  {"L_q", "1.1"},
                  {"L_f", "1.4"},
                  {"M_f", "0.5"},
                  {"L_D", "1.2"},
                  {"R_D", "0.4"},
                  {"M_D", "0.4"},
                  {"M_fD", "0.3"},
                  {"L_Q", "1.3"},
                  {"R_Q", "0.2"},
                  {"M_Q", "0.5"}},
                 {"n"})},
      {"", "converters.PermanentMagnetMachine", with(magnets, {{"cogging", "0.2"}, {"cogging_periods", "2"}})},
      {"isolated", "converters.PermanentMagnetMachine", with_open(magnets, {"n"})},
      {"in_delta", "converters.PermanentMagnetMachine", with_open(with(magnets, {{"connection", "delta"}}), {"n"})},
      {"with_flux_maps", "converters.PermanentMagnetMachine",
       with_open({{"R_s", "0.3"},
                  {"map_i_d", std::vector<Value>{"-4", "0", "4"}},
                  {"map_i_q", std::vector<Value>{"-4", "0", "4"}},
                  {"psi_d_map", std::vector<Value>{"-1", "-1", "-1", "0.5", "0.5", "0.5", "1.7", "1.7", "1.7"}},
                  {"psi_q_map", std::vector<Value>{"-3", "0", "3", "-3", "0", "3", "-3", "0", "3"}}},
                 {"n"})},
      {"", "converters.SynchronousReluctanceMachine", {{"L_d", "1.5"}, {"L_q", "0.4"}, {"L_0", "0.2"}}},
      {"", "converters.BrushlessDcMachine", {{"L", "0.8"}, {"M", "-0.2"}}},
      {"", "converters.SwitchedReluctanceMachine", {{"L_a", "1.4"}, {"L_u", "0.5"}, {"poles", "4"}}},
      {"saturated",
       "converters.SwitchedReluctanceMachine",
       {{"L_a", "1.4"}, {"L_u", "0.5"}, {"poles", "4"}, {"psi_s", "0.6"}, {"L_sat", "0.2"}}},
      {"", "converters.HybridStepper", {{"teeth", "3"}, {"detent", "0.2"}}},
      {"",
       "converters.GeneralisedMachine",
       {{"L_ds", "1.4"},
        {"L_qs", "1.2"},
        {"M_d", "0.6"},
        {"M_q", "0.5"},
        {"L_r", "1.1"},
        {"L_r2", "0.2"},
        {"pole_pairs", "2"}}},
      {"", "converters.LinearSynchronousMotor", {{"L_0", "0.3"}, {"pitch", "1.3"}}},
      {"", "converters.Electromagnet", {{"turns", "1000"}, {"area", "1"}, {"gap", "1.5"}, {"iron_length", "3"}}},
      {"saturated",
       "converters.Electromagnet",
       {{"turns", "1000"}, {"area", "1"}, {"gap", "1.5"}, {"iron_length", "3"}, {"B_s", "1e-3"}}},
      {"", "converters.PlateCapacitor", {{"area", "1"}, {"gap", "1.5"}, {"epsilon_r", "1e11"}}},
      {"saturated",
       "converters.SaturatedTransformer",
       {{"ratio", "2"}, {"L_m", "1.6"}, {"psi_s", "0.5"}, {"L_sat", "0.2"}}},
      {"",
       "electrical.CoenergyWindings",
       {{"coenergy",
         "1 H*(subject.i1^2 + subject.i2^2 + subject.i3^2 + subject.i4^2 + subject.i5^2 + subject.i6^2)"
         " + 0.3 H*subject.i1*subject.i2*cos(rotor.phi) + 0.2 J*log(1 + (subject.i3/(1 A))^2)"}}},
      {"by_inductances", "electrical.CoenergyWindings",
       with_open({{"L", std::vector<Value>{"1.2", "0.4", "0.4", "0.9"}},
                  {"flux", std::vector<Value>{"0.2 Wb*sin(rotor.phi)", "0.1 Wb*cos(rotor.phi)"}},
                  {"R", std::vector<Value>{"0.3", "0.2"}},
                  {"energy", "0.2 J*cos(3*rotor.phi)"}},
                 {"p3", "n3", "p4", "n4", "p5", "n5", "p6", "n6"})},
  };
}

/// Entries that cannot be guessed, and variants whose equations differ from the plain case.
std::vector<Case> special_cases() {
  const std::pair<std::string, Value> area{"area", "1.3e-4 m2"};
  return {
      {"", "hydraulic.Orifice", {area}},
      {"by_nominal_flow", "hydraulic.Orifice", {{"q_nominal", "20 l/min"}, {"dp_nominal", "5 bar"}}},
      {"", "hydraulic.CheckValve", {area}},
      {"", "hydraulic.ReliefValve", {area, {"p_set", "1 kPa"}}},
      {"", "hydraulic.ServoValve", {area}},
      {"",
       "hydraulic.Cylinder",
       {{"d", "3"}, {"leakage", "1e-6"}, {"beta", "3000 bar"}, {"p_a0", "120 bar"}, {"p_b0", "70 bar"}}},
      {"at_its_stop", "hydraulic.Cylinder", {{"offset", "-3 m"}, {"V_a0", "20 m3"}, {"stop_stiffness", "5"}}},
      {"on_the_ground", "hydraulic.Cylinder", {{"housing", "ground"}}},
      {"", "hydraulic.Accumulator", {{"precharge", "40 bar"}, {"p0", "60 bar"}}},
      {"tension_only", "mechanical.TranslationalSpring", {{"side", "tension"}, {"rest", "-1 m"}}},
      {"compression_only", "mechanical.RotationalSpring", {{"side", "compression"}, {"rest", "3 rad"}}},
      {"power_law", "mechanical.TranslationalSpring", {{"exponent", "1.5"}}},
      {"with_slack_and_impact_damper",
       "mechanical.TranslationalSpring",
       {{"rest", "-1 m"}, {"slack", "0.1 m"}, {"impact_damping", "0.6"}}},
      {"stribeck",
       "mechanical.TranslationalFriction",
       {{"breakaway", "3 N"}, {"stribeck", "1 m/s"}, {"v_eps", "0.5 m/s"}}},
      {"lugre",
       "mechanical.RotationalFriction",
       {{"law", "lugre"}, {"breakaway", "3 N.m"}, {"stribeck", "1"}, {"sigma0", "20"}, {"sigma1", "2"}, {"d", "0.3"}}},
      {"stick",
       "mechanical.TranslationalFriction",
       {{"law", "stick"}, {"breakaway", "3 N"}, {"stribeck", "1 m/s"}, {"exponent", "1"}}},
      {"", "mechanical.TranslationalStop", {{"upper", "0.01"}, {"lower", "-0.5"}, {"stop_stiffness", "40"}}},
      {"", "mechanical.RotationalStop", {{"upper", "5"}, {"stop_restitution", "0.5"}}},
      {"between_parts", "mechanical.Torque", {}},
      {"negative_ratio", "mechanical.IdealGear", {{"ratio", "-3"}}},
      {"",
       "blocks.TransferFunction",
       {{"u", "rotor.w"}, {"num", std::vector<Value>{"2", "4"}}, {"den", std::vector<Value>{"2", "3", "5"}}}},
      {"without_states", "blocks.TransferFunction", {{"u", "rotor.w"}, {"den", std::vector<Value>{"2"}}}},
      {"",
       "blocks.StateSpace",
       {{"u", std::vector<Value>{"rotor.w", "rotor.phi"}},
        {"A", std::vector<Value>{std::vector<Value>{"-1", "2"}, std::vector<Value>{"0", "-3"}}},
        {"B", std::vector<Value>{"1", "2", "3", "4"}},
        {"C", std::vector<Value>{"1", "2", "3", "4"}},
        {"D", std::vector<Value>{"0", "1", "0", "0.5"}},
        {"x0", std::vector<Value>{"0.3", "-0.2"}}}},
      {"with_limits", "blocks.Integrator", {{"u", "rotor.w"}, {"lower", "-1"}, {"upper", "1"}}},
      {"with_everything",
       "blocks.Pid",
       {{"measure", "rotor.phi"}, {"ki", "2"}, {"kd", "0.5"}, {"limit", "0.1"}, {"tracking", "0.3 s"}}},
      {"with_rate", "blocks.Pid", {{"measure", "rotor.phi"}, {"rate", "rotor.w"}, {"ki", "2"}, {"kd", "0.5"}}},
      {"with_everything",
       "blocks.SampledPid",
       {{"measure", "rotor.phi"}, {"ki", "2"}, {"kd", "0.5"}, {"limit", "0.1"}}},
      {"with_rate", "blocks.SampledPid", {{"measure", "rotor.phi"}, {"rate", "rotor.w"}, {"kd", "0.5"}}},
      {"with_delay", "blocks.ZeroOrderHold", {{"u", "rotor.w"}, {"delay", "3"}}},
      {"with_everything",
       "converters.DcMachine",
       {{"R", "0.4 ohm"}, {"L", "0.2 H"}, {"J", "0.3 kg.m2"}, {"gear", "2.5"}, {"i0", "0.6 A"}}},
      {"with_resistance", "converters.DcMachine", {{"R", "0.4 ohm"}, {"support", "ground"}}},
      {"", "electrical.Coupling", {{"a", "La"}, {"b", "Lb"}, {"k", "0.7"}}, coupled("Inductor", "L", "i0")},
      {"varying",
       "electrical.Coupling",
       {{"a", "La"}, {"b", "Lb"}, {"M", "0.5 H*sin(rotor.phi)"}},
       coupled("Inductor", "L", "i0")},
      {"",
       "electrical.MutualCapacitance",
       {{"a", "Ca"}, {"b", "Cb"}, {"C", "-0.3 F*cos(rotor.phi)"}},
       coupled("Capacitor", "C", "v0")},
      {"",
       "electrical.PermanentMagnet",
       {{"winding", "La"}, {"flux", "0.5 Wb*sin(rotor.phi)"}, {"energy", "0.2 J*cos(3*rotor.phi)"}},
       coupled("Inductor", "L", "i0")},
      {"", "electrical.NonlinearResistor", {{"i", "0.3 A*tanh(subject.v/(2 V))"}}},
      {"by_voltage", "electrical.NonlinearResistor", {{"v", "2 V*(subject.i/(1 A))^3 + 1 ohm*subject.i"}}},
      {"",
       "electrical.NonlinearInductor",
       {{"flux", "2 Wb*tanh(subject.i/(3 A)) + 0.1 Wb*sin(rotor.phi)*(subject.i/(1 A))"}}},
      {"", "electrical.NonlinearCapacitor", {{"charge", "2 C*tanh(subject.v/(3 V)) + 0.1 C*rotor.phi"}}},
      {"", "electrical.Diode", {{"Is", "1 mA"}, {"N", "12"}, {"Rs", "0.2 ohm"}}},
      {"with_charge",
       "electrical.Diode",
       {{"Is", "1 mA"}, {"N", "12"}, {"Cj0", "0.3 F"}, {"TT", "0.2 s"}, {"BV", "3 V"}, {"Nbv", "9"}}},
      {"with_charge_and_resistance",
       "electrical.Diode",
       {{"Is", "1 mA"}, {"N", "12"}, {"Rs", "0.2 ohm"}, {"Cj0", "0.3 F"}, {"TT", "0.2 s"}}},
      {"warm",
       "electrical.Diode",
       {{"Is", "1 mA"}, {"N", "12"}, {"Cj0", "0.3 F"}, {"TT", "0.2 s"}, {"T", "320 K"}, {"Tnom", "310 K"}}},
      {"", "electrical.Zener", {{"Is", "1 mA"}, {"N", "12"}, {"BV", "1.5 V"}, {"Nbv", "9"}}},
      {"with_charge",
       "electrical.Zener",
       {{"Is", "1 mA"}, {"N", "12"}, {"BV", "1.5 V"}, {"Nbv", "9"}, {"Cj0", "0.3 F"}, {"TT", "0.2 s"}}},
      {"warm", "electrical.Zener", {{"Is", "1 mA"}, {"N", "12"}, {"BV", "1.5 V"}, {"Nbv", "9"}, {"T", "320 K"}}},
      {"", "electrical.JunctionCapacitor", {{"Cj0", "0.3 F"}, {"TT", "0.2 s"}, {"Is", "1 mA"}, {"N", "12"}}},
      {"with_factor",
       "electrical.JunctionCapacitor",
       {{"Cj0", "0.3 F"}, {"TT", "0.2 s"}, {"Is", "1 mA"}, {"N", "12"}, {"factor", "1 + 0.3*sin(rotor.phi)"}}},
      {"",
       "electrical.Mosfet",
       {{"Kp", "0.4 A/V2"},
        {"Vto", "0.5 V"},
        {"lambda", "0.1 1/V"},
        {"gamma", "0.4"},
        {"Is", "1 mA"},
        {"Is_d", "2 mA"},
        {"N", "12"}}},
      {"p_channel",
       "electrical.Mosfet",
       {{"channel", "p"}, {"Kp", "0.4 A/V2"}, {"Vto", "-0.5 V"}, {"Is", "1 mA"}, {"N", "12"}}},
      {"warm",
       "electrical.Mosfet",
       {{"channel", "p"},
        {"Kp", "0.4 A/V2"},
        {"Vto", "-0.5 V"},
        {"gamma", "0.4"},
        {"Is", "1 mA"},
        {"N", "12"},
        {"T", "310 K"}}},
      {"",
       "electrical.ChargedMosfet",
       {{"Kp", "0.4 A/V2"},
        {"Vto", "0.5 V"},
        {"lambda", "0.1 1/V"},
        {"gamma", "0.4"},
        {"Is", "1 mA"},
        {"Is_d", "2 mA"},
        {"N", "12"},
        {"Cox", "0.3 F"},
        {"Cgs", "0.1 F"}}},
      {"p_channel",
       "electrical.ChargedMosfet",
       {{"channel", "p"}, {"Kp", "0.4 A/V2"}, {"Vto", "-0.5 V"}, {"Is", "1 mA"}, {"N", "12"}, {"Cox", "0.3 F"}}},
      {"", "electrical.Jfet", {{"beta", "0.4 A/V2"}, {"lambda", "0.1 1/V"}, {"Is", "1 mA"}, {"N", "12"}}},
      {"p_channel_with_tail",
       "electrical.Jfet",
       {{"channel", "p"}, {"beta", "0.4 A/V2"}, {"B", "0.6"}, {"Is", "1 mA"}, {"N", "12"}, {"T", "310 K"}}},
      {"with_knees_and_recombination",
       "electrical.Diode",
       {{"Is", "1 mA"},
        {"N", "12"},
        {"Cj0", "0.3 F"},
        {"TT", "0.2 s"},
        {"Isr", "2 mA"},
        {"Nr", "24"},
        {"Ikf", "5 mA"},
        {"Ikr", "3 mA"}}},
      {"blocking_with_knee",
       "electrical.Diode",
       {{"Is", "1 mA"}, {"N", "12"}, {"Cj0", "0.3 F"}, {"Rs", "2 ohm"}, {"Ikr", "0.1 mA"}, {"v0", "-2 V"}}},
      {"blocking_with_knee",
       "electrical.Zener",
       {{"Is", "1 mA"},
        {"N", "12"},
        {"BV", "9 V"},
        {"Cj0", "0.3 F"},
        {"Rs", "2 ohm"},
        {"Ikr", "1 mA"},
        {"v0", "-2 V"}}},
      {"with_knees_and_recombination",
       "electrical.Zener",
       {{"Is", "1 mA"}, {"N", "12"}, {"BV", "1.5 V"}, {"Isr", "2 mA"}, {"Nr", "24"}, {"Ikf", "5 mA"}, {"Ikr", "3 mA"}}},
      {"", "electrical.BipolarTransistor", {{"Is", "1 mA"}, {"Nf", "12"}, {"Nr", "13"}}},
      {"warm",
       "electrical.BipolarTransistor",
       {{"Is", "1 mA"}, {"Nf", "12"}, {"Nr", "13"}, {"Ise", "1 mA"}, {"Ne", "15"}, {"XTB", "1.5"}, {"T", "310 K"}}},
      {"warm",
       "electrical.JunctionCapacitor",
       {{"Cj0", "0.3 F"}, {"TT", "0.2 s"}, {"Is", "1 mA"}, {"N", "12"}, {"T", "310 K"}}},
      {"", "electrical.TemperatureDependentResistor", {{"TC1", "0.01 1/K"}, {"T", "310 K + 5 K*sin(rotor.phi)"}}},
      {"pnp_with_everything",
       "electrical.BipolarTransistor",
       {{"kind", "pnp"},
        {"Is", "1 mA"},
        {"Nf", "12"},
        {"Nr", "13"},
        {"Vaf", "20 V"},
        {"Var", "30 V"},
        {"Ikf", "3 A"},
        {"Ikr", "4 A"},
        {"Ise", "0.1 mA"},
        {"Ne", "15"},
        {"Isc", "0.2 mA"},
        {"Nc", "16"}}},
      {"", "electrical.Switch", {{"control", "rotor.w"}, {"R_off", "100 ohm"}, {"R_on", "0.3 ohm"}}},
      {"with_ramp",
       "electrical.Switch",
       {{"control", "rotor.w"}, {"R_off", "100 ohm"}, {"rise", "1 s"}, {"fall", "2 s"}, {"ramp", "logarithmic"}}},
      {"",
       "electrical.SmoothSwitch",
       {{"control", "rotor.w"}, {"R_off", "100 ohm"}, {"R_on", "0.3 ohm"}, {"width", "3"}}},
      {"", "electrical.IdealSwitch", {{"control", "rotor.w"}, {"R_on", "0.01 ohm"}, {"G_off", "0.01 S"}}},
      {"", "electrical.IdealDiode", {{"V_f", "0.3 V"}, {"R_on", "0.01 ohm"}, {"G_off", "0.01 S"}}},
      {"", "electrical.PulseVoltage", {{"rise", "0.1 s"}, {"fall", "0.1 s"}, {"width", "0.3 s"}, {"period", "2 s"}}},
      {"", "electrical.PulseCurrent", {{"rise", "1 s"}, {"fall", "1 s"}, {"width", "0.3 s"}}},
      {"",
       "electrical.PwlVoltage",
       {{"times", std::vector<Value>{"0", "1", "2"}}, {"values", std::vector<Value>{"1", "2", "-1"}}}},
      {"repeated",
       "electrical.PwlVoltage",
       {{"times", std::vector<Value>{"0", "1", "2"}},
        {"values", std::vector<Value>{"1", "2", "-1"}},
        {"repeat_from", "0.5"}}},
      {"", "electrical.Pwm", {{"duty", "0.4"}}},
      {"",
       "electrical.PwlCurrent",
       {{"times", std::vector<Value>{"-1", "1", "2"}},
        {"values", std::vector<Value>{"1", "2", "-1"}},
        {"repeat_from", "0"}}},
      {"",
       "multibody.Body",
       {{"mass", "1.2 kg"},
        {"com", std::vector<Value>{"0.1", "0.2", "-0.3"}},
        {"inertia", std::vector<Value>{"0.3", "0.4", "0.5", "0.02", "-0.03", "0.04"}}}},
      {"with_spring",
       "multibody.Revolute",
       {{"axis", std::vector<Value>{"1", "2", "2"}},
        {"stiffness", "3"},
        {"damping", "0.4"},
        {"torque", "2 N.m*cos(2 1/s*time)"}}},
      {"with_spring",
       "multibody.Prismatic",
       {{"axis", std::vector<Value>{"1", "2", "2"}},
        {"stiffness", "3"},
        {"damping", "0.4"},
        {"force", "2 N*cos(2 1/s*time)"}}},
      {"",
       "multibody.PointSpringDamper",
       {{"a_at", std::vector<Value>{"2", "1", "0"}},
        {"stiffness", "5"},
        {"damping", "0.7"},
        {"length", "0.4"},
        {"force", "1 N*(1 + rotor.phi)"}}},
      {"of_any_law",
       "multibody.PointSpringDamper",
       {{"a_at", std::vector<Value>{"2", "1", "0"}},
        {"stiffness", "5"},
        {"length", "0.4"},
        {"slack", "0.1"},
        {"exponent", "1.5"},
        {"impact_damping", "0.3"},
        {"force", "0.2 N/m*subject.l - 0.1 N.s/m*subject.ld"}}},
      {"with_stops",
       "multibody.Revolute",
       {{"lower", "-0.5"}, {"upper", "0.05"}, {"stop_stiffness", "40"}, {"stop_damping", "0.1"}, {"friction", "0.3"}}},
      {"with_rigid_stops", "multibody.Revolute", {{"lower", "-3"}, {"upper", "4"}, {"stop_restitution", "0.4"}}},
      {"with_bristles",
       "multibody.Prismatic",
       {{"friction.law", "lugre"}, {"friction.coulomb", "2"}, {"friction.sigma0", "30"}, {"friction.sigma1", "1"}}},
      {"that_sticks", "multibody.Revolute", {{"friction.law", "stick"}, {"friction", "0.4"}}},
      {"as_chain", "multibody.Spherical", {{"as", "zyx"}, {"q2_0", "0.3"}, {"q3d_0", "0.7"}}},
      {"as_chain", "multibody.Free", {{"as", "zxz"}, {"q5_0", "0.4"}, {"q4d_0", "0.7"}}},
      {"driven", "multibody.Prismatic", {{"q0", "0"}, {"qd0", "0.4"}, {"drive", "0.2 m*sin(2 1/s*time)"}}},
      {"", "multibody.Screw", {{"pitch", "0.3 m"}}},
      {"",
       "multibody.Constraint",
       {{"zero", "slave_shaft.phi - 2*rotor_shaft.phi"}},
       {{"slave", "mechanical.Inertia", {{"shaft", "slave_shaft"}, {"J", "0.4"}}, {}, {}}}},
      {"",
       "multibody.VelocityConstraint",
       {{"zero", "slave_shaft.w - (2 + sin(rotor_shaft.phi))*rotor_shaft.w"}},
       {{"slave", "mechanical.Inertia", {{"shaft", "slave_shaft"}, {"J", "0.4"}}, {}, {}}}},
      {"",
       "multibody.RollingDisk",
       {{"body", "disk"}, {"radius", "0.3"}, {"height", "-0.3"}},
       {{"disk",
         "multibody.Body",
         {{"mass", "2"},
          {"inertia", std::vector<Value>{"0.05", "0.09", "0.05"}},
          {"angular_velocity", std::vector<Value>{"0.2", "4", "0.5"}}},
         {},
         {}}}},
      {"",
       "multibody.WheelRail",
       {{"body", "axle"}, {"rail", "0.75"}, {"radius", "0.46"}, {"conicity", "0.05"}, {"speed", "10"}},
       {{"axle",
         "multibody.Body",
         {{"mass", "1200"},
          {"inertia", std::vector<Value>{"700", "80", "700"}},
          {"position", std::vector<Value>{"0", "0", "0.46"}},
          {"velocity", std::vector<Value>{"10", "0.1", "0"}},
          {"angular_velocity", std::vector<Value>{"0", "21", "0.1"}}},
         {},
         {}}}},
      {"in_body_axes", "multibody.Force", {{"axes", "body"}, {"at", std::vector<Value>{"0.3", "0", "0.2"}}}},
      {"",
       "flexible.BeamBody",
       {{"length", "0.6 m"},
        {"elements", "2"},
        {"EA", "400"},
        {"GA", "200"},
        {"GJ", "2"},
        {"EI", "3"},
        {"mass_per_length", "0.8"},
        {"inertia_per_length", "0.01"},
        {"damping", "0.05"}}},
      {"of_steel", "flexible.BeamBody", {{"length", "0.6 m"}, {"elements", "2"}, {"section.circle", "20 mm"}}},
  };
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  std::set<std::string> covered;
  std::vector<Case> special = special_cases(), machines = machine_cases();
  special.insert(special.end(), machines.begin(), machines.end());
  for (Case c : special) {
    if (c.name.empty()) covered.insert(c.type);
    c.name = c.type + (c.name.empty() ? "" : "_" + c.name);
    cases.push_back(c);
  }
  for (const std::string& type : registry().names())
    if (covered.count(type) == 0) cases.push_back({type, type, {}});
  // mechanisms in both formulations (flexible bodies know one)
  const std::size_t count = cases.size();
  for (std::size_t k = 0; k < count; ++k) {
    const ComponentType& type = *registry().find(cases[k].type);
    if (!is_of_mechanism(type) || type.flexible) continue;
    Case absolute = cases[k];
    absolute.name += "_absolute";
    absolute.formulation = "absolute";
    cases.push_back(absolute);
  }
  for (Case& c : cases) std::replace(c.name.begin(), c.name.end(), '.', '_');
  return cases;
}

// ---- descriptions

void check_entry(const std::string& what, const std::string& name, const std::string& unit, const std::string& help) {
  EXPECT_FALSE(name.empty()) << what;
  EXPECT_FALSE(help.empty()) << what << "." << name << " has no help";
  EXPECT_TRUE(unit == model::any_unit || find_unit(unit).has_value()) << what << "." << name << ": unit " << unit;
}

void check_default(const std::string& what, const ParameterInfo& info) {
  if (!info.fallback || info.kind == ParameterInfo::Kind::choice || info.fallback->front() == '[') return;
  if (info.kind == ParameterInfo::Kind::vector) return;
  symbolic::Graph graph;
  const auto q =
      model::Expression::parse(*info.fallback).evaluate(graph, [](const std::string&) { return std::nullopt; });
  ASSERT_TRUE(q.value.is_number()) << what;
  model::check_unit(q, info.unit, {}, what, *info.fallback);
  EXPECT_GE(q.value.number(), info.minimum) << what;
  EXPECT_LE(q.value.number(), info.maximum) << what;
  EXPECT_TRUE(!info.open || q.value.number() != info.minimum) << what;
}

TEST(Conformance, DescriptionsAreComplete) {
  for (const std::string& type : registry().names()) {
    const model::Description& d = registry().find(type)->description;
    SCOPED_TRACE(type);
    const std::size_t dot = type.find('.');
    ASSERT_NE(dot, std::string::npos);
    EXPECT_TRUE(std::isupper(static_cast<unsigned char>(type[dot + 1])));
    EXPECT_FALSE(d.help.empty());
    std::set<std::string> entries, signals;
    for (const auto& p : d.ports) {
      check_entry(type, p.name, "", p.help);
      EXPECT_TRUE(entries.insert(p.name).second) << p.name << " twice";
    }
    for (const auto& p : d.parameters) {
      check_entry(type, p.name, p.unit, p.help);
      check_default(type + "." + p.name, p);
      EXPECT_TRUE(entries.insert(p.name).second) << p.name << " twice";
      EXPECT_LE(p.minimum, p.maximum);
    }
    for (const auto& v : d.variables) {
      check_entry(type, v.name, v.unit, v.help);
      EXPECT_GT(v.nominal, 0);
      EXPECT_TRUE(signals.insert(v.name).second) << v.name << " twice";
    }
    for (const auto& o : d.outputs) {
      check_entry(type, o.name, o.unit, o.help);
      EXPECT_TRUE(signals.insert(o.name).second) << o.name << " twice";
    }
  }
}

// ---- equations

class ComponentTest : public testing::TestWithParam<Case> {
 protected:
  System compile(bool varying, unsigned seed) {
    const Model model = Bench(GetParam(), *registry().find(GetParam().type), varying, seed).make();
    return compile::compile(model, registry()).system;
  }
};

/// Random values around the start; the differences have the size of each unknown.
Point random_point(const System& system, Evaluator& evaluator, std::mt19937& random) {
  std::normal_distribution<double> normal;
  Point p = system.start();
  std::vector<double> dq(system.nv());
  for (double& x : dq) x = 0.3 * normal(random);
  evaluator.retract(p.q, dq);
  auto fill = [&](std::vector<double>& values, int first) {
    for (std::size_t k = 0; k < values.size(); ++k)
      values[k] += system.unknown(first + static_cast<int>(k)).nominal * normal(random);
  };
  fill(p.v, 0);
  fill(p.a, 0);
  fill(p.lambda, system.nv());
  fill(p.x, system.nv() + system.nl());
  fill(p.xd, system.nv() + system.nl());
  fill(p.y, system.nv() + system.nl() + system.nx());
  p.t = 0.3;
  return p;
}

/// One kind of variable: its weight in the Jacobian and how a point is moved along one of its unknowns.
struct Direction {
  const char* name;
  double Weights::*weight;
  std::vector<double> Point::*values;
  int first, count;
};

std::vector<Direction> directions(const System& s) {
  const int l = s.nv(), x = l + s.nl(), y = x + s.nx();
  return {{"q", &Weights::q, &Point::q, 0, s.nv()}, {"v", &Weights::v, &Point::v, 0, s.nv()},
          {"a", &Weights::a, &Point::a, 0, s.nv()}, {"lambda", &Weights::lambda, &Point::lambda, l, s.nl()},
          {"x", &Weights::x, &Point::x, x, s.nx()}, {"xd", &Weights::xd, &Point::xd, x, s.nx()},
          {"y", &Weights::y, &Point::y, y, s.ny()}};
}

Point moved(const Evaluator& evaluator, const Point& p, const Direction& d, int k, double h) {
  Point m = p;
  if (d.values == &Point::q) {
    std::vector<double> dq(d.count);
    dq[k] = h;
    evaluator.retract(m.q, dq);
  } else {
    (m.*d.values)[k] += h;
  }
  return m;
}

TEST_P(ComponentTest, JacobianIsTheDerivativeOfTheResidual) {
  for (bool varying : {false, true}) {
    const System system = compile(varying, 11);
    Evaluator evaluator(system);
    std::mt19937 random(5);
    const Point p = random_point(system, evaluator, random);
    const int n = system.n();
    const auto& pattern = system.pattern();
    std::vector<double> plus(n), minus(n), values(pattern.row.size());
    for (Level level : {Level::position, Level::velocity, Level::acceleration}) {
      for (const Direction& d : directions(system)) {
        Weights w;
        w.*d.weight = 1;
        evaluator.jacobian(p, level, w, values);
        for (int k = 0; k < d.count; ++k) {
          const int column = d.first + k;
          const double h = 1e-5 * system.unknown(column).nominal;
          evaluator.residual(moved(evaluator, p, d, k, h), level, plus);
          evaluator.residual(moved(evaluator, p, d, k, -h), level, minus);
          std::vector<double> exact(n, 0.0);
          for (int i = pattern.column_start[column]; i < pattern.column_start[column + 1]; ++i)
            exact[pattern.row[i]] += values[i];
          for (int row = 0; row < n; ++row) {
            // rounding of the difference, and its truncation (third derivatives of order one in nominal units)
            const double rounding = 1e-14 * (std::abs(plus[row]) + std::abs(minus[row])) / h;
            EXPECT_NEAR(exact[row], (plus[row] - minus[row]) / (2 * h), 1e-6 * std::abs(exact[row]) + rounding + 1e-9)
                << system.row_name(row) << " to " << d.name << " of " << system.unknown(column).name;
          }
        }
      }
    }
  }
}

TEST_P(ComponentTest, ParameterDerivativeIsTheDerivativeOfTheResidual) {
  const System system = compile(false, 12);
  Evaluator evaluator(system);
  std::mt19937 random(6);
  const Point p = random_point(system, evaluator, random);
  std::vector<double> plus(system.n()), minus(system.n()), exact(system.n());
  for (int k = 0; k < system.parameters(); ++k) {
    const double value = evaluator.parameter(k), h = 1e-5 * std::max(std::abs(value), 1e-3);
    evaluator.parameter_derivative(p, Level::acceleration, k, exact);
    evaluator.set_parameter(k, value + h);
    evaluator.residual(p, Level::acceleration, plus);
    evaluator.set_parameter(k, value - h);
    evaluator.residual(p, Level::acceleration, minus);
    evaluator.set_parameter(k, value);
    for (int row = 0; row < system.n(); ++row) {
      const double rounding = 1e-14 * (std::abs(plus[row]) + std::abs(minus[row])) / h;
      EXPECT_NEAR(exact[row], (plus[row] - minus[row]) / (2 * h), 1e-6 * std::abs(exact[row]) + rounding + 1e-9)
          << system.row_name(row) << " to " << system.parameter_name(k);
    }
  }
}

/// All values in the order of the kernels' inputs.
std::vector<double> value_array(const System& system, const Point& p) {
  std::vector<double> values{p.t};
  for (const auto* part : {&p.q, &p.v, &p.a, &p.lambda, &p.x, &p.xd, &p.y, &p.d})
    values.insert(values.end(), part->begin(), part->end());
  for (int k = 0; k < system.parameters(); ++k) values.push_back(system.parameter(k));
  return values;
}

TEST_P(ComponentTest, NativeCodeGivesTheBitsOfTheInterpreter) {
  const System system = compile(true, 13);
  Evaluator evaluator(system);
  std::mt19937 random(7);
  const auto& data = system.data();
  std::vector<const symbolic::Function*> functions{&data.signal_function.get().straight(), &data.update_function.get(),
                                                   &data.indicator_function.get()};
  for (const auto& k : data.kernels) {
    functions.insert(functions.end(), {&k->residual.straight(), &k->energy.get()});
    for (const auto* c : {&k->velocity, &k->acceleration})
      if (c->rows) functions.push_back(&c->rows.get());
    for (const auto* d :
         {&k->balances, &k->position.derivatives, &k->velocity.derivatives, &k->acceleration.derivatives})
      for (const symbolic::Function* f : d->functions()) functions.push_back(f);
  }
  for (const symbolic::Function* f : functions) {
    if (f->program().outputs.empty()) continue;
    const symbolic::Function interpreted(f->program(), symbolic::Engine::interpreter);
    const symbolic::Function native(f->program(), symbolic::Engine::native);
    for (int trial = 0; trial < 3; ++trial) {
      std::vector<double> in = value_array(system, random_point(system, evaluator, random));
      in.resize(f->program().inputs.size(), 0.7);
      const std::vector<double> a = evaluate(interpreted, in), b = evaluate(native, in);
      for (std::size_t k = 0; k < a.size(); ++k)
        EXPECT_EQ(0, std::memcmp(&a[k], &b[k], sizeof(double)))
            << f->program().outputs[k] << ": " << a[k] << " and " << b[k];
    }
  }
}

/// d(stored)/dt, supplied and dissipated power at a point, with the sum of the sizes of all their terms.
struct Powers {
  double stored_rate = 0, supplied = 0, dissipated = 0;
};

Powers find_powers(const System& system, const Point& p) {
  const std::vector<double> values = value_array(system, p);
  Powers total;
  for (const auto& instance : system.data().instances) {
    const equations::Kernel& kernel = *instance.kernel;
    const auto& set = *kernel.set;
    const Expr rate = set.stored.is_number() ? Expr(0) : set.variables.time_derivative(set.stored);
    std::vector<double> in = values;
    if (!instance.gather.empty()) {
      in.clear();
      for (int i : instance.gather) in.push_back(values[i]);
    }
    const std::vector<double> out = evaluate(kernel.make_function({rate, set.supplied, set.dissipated}), in);
    total.stored_rate += out[0];
    total.supplied += out[1];
    total.dissipated += out[2];
  }
  return total;
}

TEST_P(ComponentTest, EnergyBalanceHoldsToRoundOff) {
  for (bool varying : {false, true}) {
    for (unsigned seed = 20; seed < 23; ++seed) {
      const System system = compile(varying, seed);
      Evaluator evaluator(system);
      solve::Options options;
      options.newton_tolerance = 1e-13;
      const solve::Start start = solve::initialize(evaluator, options);
      ASSERT_TRUE(start.good) << start.text;
      const Powers power = find_powers(system, start.point);
      const double scale = std::abs(power.stored_rate) + std::abs(power.supplied) + std::abs(power.dissipated);
      EXPECT_GT(scale, 1e-3);
      // the balance is the sum of node equations times rates; each is solved to some 1e-15 of its largest term, and
      // terms may exceed their sum by a few powers of ten
      EXPECT_NEAR(power.stored_rate - power.supplied + power.dissipated, 0, 1e-10 * scale)
          << "seed " << seed << ", varying " << varying;
      const auto energy = evaluator.energy(start.point);
      EXPECT_DOUBLE_EQ(energy.supplied_power, power.supplied);
      EXPECT_DOUBLE_EQ(energy.dissipated_power, power.dissipated);
    }
  }
}

/// The largest |v i| at any electrical pin of the subject: the bench's own elements tell the current into it.
double find_pin_power(const solve::Result& r, const model::Description& d) {
  double largest = 0;
  std::vector<std::string> nodes;
  for (const auto& port : d.ports) nodes.push_back("node_" + port.name);
  for (const char* side : {"node_a", "node_b"}) nodes.emplace_back(side);  // of couplings
  for (const std::string& node : nodes) {
    const int v = r.find(node + ".v"), source = r.find(node + "_I.i"), resistor = r.find(node + "_R.i");
    if (v < 0 || source < 0 || resistor < 0) continue;
    for (std::size_t k = 0; k < r.times.size(); ++k)
      largest = std::max(largest, std::abs(r.row(k)[v] * (r.row(k)[source] - r.row(k)[resistor])));
  }
  return largest;
}

TEST_P(ComponentTest, KeepsItsAccountOverARun) {
  const ComponentType& type = *registry().find(GetParam().type);
  for (bool varying : {false, true}) {
    Model model = Bench(GetParam(), type, varying, 31).make();
    model.energy = true;
    // circuits to round-off; machines to what shows that a power is left out, at a tolerance that stiff oil can keep
    const bool is_electrical = GetParam().type.starts_with("electrical.");
    const double rtol = is_electrical ? 1e-12 : 1e-9;
    // the piston of the bench's cylinder leaves its tube after 7 ms
    const double t_end = is_electrical ? 2.0 : GetParam().type == "hydraulic.Cylinder" ? 5e-3 : 0.3;
    const solve::Options options{.t_end = t_end,
                                 .method = "radau",
                                 .output_step = 0.02,
                                 .rtol = rtol,
                                 .atol = rtol / 10,
                                 .newton_tolerance = rtol};
    const solve::Result r = solve::simulate(compile::compile(model, registry()).system, options);
    ASSERT_EQ(r.status, solve::Status::done) << r.text;
    const auto stored = r.signal("energy.stored"), supplied = r.signal("energy.supplied"),
               lost = r.signal("energy.dissipated");
    double error = 0, size = 0;
    for (std::size_t k = 0; k < stored.size(); ++k) {
      error = std::max(error, std::abs((stored[k] - stored[0]) - (supplied[k] - supplied[0]) + lost[k] - lost[0]));
      size = std::max({size, std::abs(stored[k]), std::abs(supplied[k]), std::abs(lost[k])});
    }
    EXPECT_LE(error, 1e3 * rtol * size) << "varying " << varying;
    // an element without an account would be seen: power flows through its pins (a ground has no voltage, a modulator
    // no pins, a voltmeter no current)
    static const std::set<std::string> powerless = {"electrical.Ground", "electrical.Pwm", "electrical.Voltmeter"};
    if (is_electrical && powerless.count(GetParam().type) == 0) {
      EXPECT_GT(find_pin_power(r, type.description), 1e-3) << "varying " << varying;
    }
  }
}

TEST_P(ComponentTest, EvaluationDoesNotAllocate) {
  const System system = compile(true, 14);
  Evaluator evaluator(system);
  std::mt19937 random(8);
  Point p = random_point(system, evaluator, random);
  std::vector<double> r(system.n()), values(system.pattern().row.size()), signals(system.signals().size()),
      g(system.indicators());
  // the first round makes programs and memory
  for (int round = 0; round < 2; ++round) {
    allocations = 0;
    counting = round == 1;
    for (Level level : {Level::position, Level::velocity, Level::acceleration}) {
      evaluator.residual(p, level, r);
      evaluator.jacobian(p, level, {1, 1, 1, 1, 1, 1, 1}, values);
    }
    evaluator.signals(p, signals);
    evaluator.energy(p);
    evaluator.indicators(p, g);
    evaluator.next_clock_time(p.t);
    evaluator.update_clocks(p);
    evaluator.update_modes(p);
  }
  counting = false;
  EXPECT_EQ(allocations, 0);
}

TEST_P(ComponentTest, EverySignalOfTheDescriptionExists) {
  const System system = compile(false, 15);
  const model::Description& d = registry().find(GetParam().type)->description;
  auto check = [&](const std::string& name, const std::string& unit) {
    const int k = system.find_signal("subject." + name);
    ASSERT_GE(k, 0) << name;
    EXPECT_EQ(system.signals()[k].unit, unit) << name;
  };
  for (const auto& v : d.variables) check(v.name, v.unit);
  for (const auto& o : d.outputs)
    if (o.name.back() != '#' && GetParam().type != "blocks.StateSpace") check(o.name, o.unit);
}

// ---- parameters

/// Everything that a model computes: its start, and at some points with random modes all rows, signals, indicators, new
/// modes and energies.
std::vector<double> compute_everything(const Model& model) {
  const System system = compile::compile(model, registry()).system;
  Evaluator evaluator(system);
  std::mt19937 random(17);
  std::vector<double> all, part(system.n()), signals(system.signals().size()), g(system.indicators());
  const auto add = [&](const std::vector<double>& numbers) { all.insert(all.end(), numbers.begin(), numbers.end()); };
  add(system.start().x);
  add(system.start().d);
  for (int trial = 0; trial < 30; ++trial) {
    Point p = random_point(system, evaluator, random);
    p.t = 0.12 * trial;
    for (double& d : p.d) d = std::uniform_int_distribution(0, 5)(random);
    evaluator.residual(p, Level::acceleration, part);
    evaluator.signals(p, signals);
    evaluator.indicators(p, g);
    const Evaluator::Energy energy = evaluator.energy(p);
    evaluator.update_modes(p);
    for (const auto& numbers : {part, signals, g, p.d}) add(numbers);
    add({energy.stored, energy.supplied_power, energy.dissipated_power});
  }
  return all;
}

Value reduce(const Value& value, const std::string& unit) {
  if (value.kind == Value::Kind::list) {
    std::vector<Value> items;
    for (const Value& item : value.list) items.push_back(reduce(item, unit));
    return items;
  }
  const bool has_unit = !unit.empty() && unit != "any";
  return value.text[0] == '0' && std::stod(value.text) == 0 ? "0.01" + (has_unit ? " " + unit : "")
                                                            : "0.99*(" + value.text + ")";
}

/// Whether a parameter that is 1 % smaller, or 0.01 instead of zero, changes anything at all, or is refused; it is
/// given, or has a default.
bool has_effect(const Case& c, const ParameterInfo& info, bool varying) {
  const ComponentType& type = *registry().find(c.type);
  Model model = Bench(c, type, varying, 41).make();
  std::vector<std::pair<std::string, Value>>& values = model.find("subject")->values;
  auto entry = std::find_if(values.begin(), values.end(), [&](const auto& v) { return v.first == info.name; });
  if (entry == values.end() && !info.fallback) return false;
  if (entry == values.end()) entry = values.insert(values.end(), {info.name, Value(*info.fallback)});
  const std::vector<double> before = compute_everything(model);
  entry->second = reduce(entry->second, info.unit);
  std::vector<double> after;
  try {
    after = compute_everything(model);
  } catch (const Error&) {
    return true;
  }
  // numbers that have nothing to do with the parameter are the same to the last bit
  return before.size() != after.size() ||
         !std::equal(before.begin(), before.end(), after.begin(),
                     [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); });
}

TEST(Parameters, EveryOneOfAnElectricalElementHasAnEffect) {
  for (const std::string& name : registry().names()) {
    if (!name.starts_with("electrical.")) continue;
    for (const ParameterInfo& info : registry().find(name)->description.parameters) {
      if (info.kind == ParameterInfo::Kind::choice) continue;
      bool any = false;
      for (const Case& c : all_cases())
        for (bool varying : {false, true}) any = any || (c.type == name && has_effect(c, info, varying));
      EXPECT_TRUE(any) << name << "." << info.name << " changes nothing in any case";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, ComponentTest, testing::ValuesIn(all_cases()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace coenergy::conformance
