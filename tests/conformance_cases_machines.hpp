#pragma once
#include "tests/component_bench.hpp"

namespace coenergy::conformance {

/// Of machines: their pins by name, to be left open.
inline std::vector<std::pair<std::string, Value>> with_open(std::vector<std::pair<std::string, Value>> values,
                                                            std::initializer_list<const char*> ports) {
  for (const char* port : ports) values.emplace_back(port, "open");
  return values;
}

inline std::vector<Case> machine_cases() {
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
      {"with_housing", "converters.WindingTemperature", {{"C_housing", "3 J/K"}, {"R_housing", "0.7 K/W"}}},
      {"", "drives.InductionControl", {{"L_s", "1.2"}, {"L_r", "1.3"}, {"L_m", "0.7"}, {"link", "1e4 V"}}},
      {"unlimited", "drives.SynchronousControl", {{"link", "1e4 V"}}},
      {"compensated",
       "drives.VoltsPerHertz",
       {{"slip", "2 Hz"}, {"filter", "0.5 s"}, {"R_s", "0.3 ohm"}, {"torque", "2 N.m"}, {"pole_pairs", "2"}}},
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

}  // namespace coenergy::conformance
