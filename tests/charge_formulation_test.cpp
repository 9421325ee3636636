// The charge formulation of circuits and converters against the equations of nodes and elements.
#include <gtest/gtest.h>

#include "coenergy/analyze/charge_check.hpp"
#include "coenergy/domains/component.hpp"
#include "tests/inline_model.hpp"

namespace coenergy::tests {
namespace {

using domains::Branch;
using domains::BranchKind;
using domains::Description;
using domains::Equations;
using domains::Expr;
using domains::Parameter;
using domains::Pin;
using domains::State;

/// A coil in whose law something is wrong.
template <int Mistake>
struct WrongCoil {
  Pin p, n;
  Parameter L, R;
  State i;

  void describe(Description& d) {
    d.name("test.WrongCoil", "v = R*i + d(L*i)/dt");
    d.port(p, "p", "pin"), d.port(n, "n", "pin");
    d.parameter(L, "L", "H", "inductance").varying();
    d.parameter(R, "R", "ohm", "resistance");
    d.variable(i, "i", "A", "current");
  }
  std::vector<Branch> branches(Equations&) const { return {{p, n, BranchKind::inductive, i}}; }
  void equations(Equations& eq) const {
    const Expr induced = Mistake == 1 ? eq[L] * eq.der(i) : eq.time_derivative(eq[L] * eq[i]);
    eq.through(p, eq[i]);
    eq.through(n, -eq[i]);
    eq.zero(i, induced + eq[R] * eq[i] - (eq[p] - eq[n]));
    eq.stored(eq[L] * eq[i] * eq[i] / 2);
    eq.dissipated((Mistake == 2 ? 2 : 1) * eq[R] * eq[i] * eq[i]);
    eq.coenergy((Mistake == 3 ? 2 : 1) * eq[L] * eq[i] * eq[i] / 2);
  }
};

analyze::ChargeCheck check(const model::Model& model, const model::Registry& registry) {
  const compile::Compiled compiled = compile::compile(model, registry, {.charges = true});
  equations::Evaluator evaluator(compiled.system);
  return analyze::check_charges(evaluator, compiled.charges);
}

template <int Mistake>
analyze::ChargeCheck check_wrong_coil() {
  model::Registry registry = domains::make_standard_registry();
  registry.add<WrongCoil<Mistake>>();
  return check(io::parse_model(R"(
components:
  plunger: {type: mechanical.Mass, m: 0.2 kg, s0: 1 mm}
  spring:  {type: mechanical.TranslationalSpringDamper, a: ground, b: plunger, k: 1000 N/m, d: 1 N.s/m}
  U:       {type: electrical.VoltageSource, p: a, n: gnd, v: 5 V}
  R:       {type: electrical.Resistor, p: a, n: b, R: 2 ohm}
  good:    {type: electrical.Inductor, p: b, n: c, L: 0.5 H}
  coil:    {type: test.WrongCoil, p: c, n: gnd, R: 3 ohm, L: 0.2 H + 3 H/m*plunger.s}
)",
                               "m.yaml"),
               registry);
}

TEST(Charges, AgreeWithTheEquationsOfEveryExampleWithCircuits) {
  const std::pair<const char*, const char*> examples[] = {{"02_rlc", "rlc"},
                                                          {"03_dc_servo", "dc_servo"},
                                                          {"07_everything", "everything"},
                                                          {"one_constraint", "one_constraint"},
                                                          {"triangle", "triangle"},
                                                          {"class_e", "class_e"},
                                                          {"ring_modulator", "ring_modulator"},
                                                          {"transistor_amplifier", "transistor_amplifier"},
                                                          {"induction_motor", "induction_motor"},
                                                          {"induction_motor", "induction_motor_vector"},
                                                          {"speaker", "speaker"},
                                                          {"condenser_speaker", "condenser_speaker"},
                                                          {"step_motor", "step_motor"},
                                                          {"hybrid_stepper", "hybrid_stepper"},
                                                          {"planar_motor", "coil_slide"},
                                                          {"planar_motor", "hybrid_stepper"},
                                                          {"maglev", "maglev"},
                                                          {"parking_gate", "parking_gate"},
                                                          {"wind_or_grid", "grid_converter"},
                                                          {"bogie", "bogie_start"},
                                                          {"generalised_machine", "induction"},
                                                          {"generalised_machine", "dc"},
                                                          {"servo_drive", "servo_drive"},
                                                          {"two_link", "two_link"},
                                                          {"scara", "scara"}};
  for (const auto& [folder, name] : examples) {
    const analyze::ChargeCheck c = check(read_example(folder, name), domains::make_standard_registry());
    EXPECT_EQ(c.states, 21) << folder << "/" << name;
    EXPECT_TRUE(c.failures.empty() && c.left_out.empty()) << folder << "/" << name;
    EXPECT_LT(c.largest().value, 1e-8) << folder << "/" << name << ": " << c.largest().where;
  }
}

TEST(Charges, TellWhichPartIsWrong) {
  // right: the voltage of the motion is there, losses and forces belong to the energies
  const analyze::ChargeCheck right = check_wrong_coil<0>();
  EXPECT_LT(right.largest().value, 1e-12);
  // v = L di/dt alone: the mesh and the power of the coil do not fit
  const analyze::ChargeCheck still = check_wrong_coil<1>();
  EXPECT_GT(still.voltage.value, 1e-3);
  EXPECT_EQ(still.power.where, "power of coil");
  // losses twice as large: D gives another voltage
  const analyze::ChargeCheck lossy = check_wrong_coil<2>();
  EXPECT_GT(lossy.voltage.value, 1e-3);
  EXPECT_EQ(lossy.power.where, "power of coil");
  // a force twice as large
  const analyze::ChargeCheck strong = check_wrong_coil<3>();
  EXPECT_EQ(strong.power.where, "power of coil");
  EXPECT_GT(strong.power.value, 1e-3);
}

std::string text_of(const std::string& model) {
  return compile::compile(io::parse_model(model, "m.yaml"), domains::make_standard_registry(), {.charges = true})
      .charges.text;
}

TEST(Charges, TellTheFunctionsOfState) {
  EXPECT_EQ(text_of(R"(
components:
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 5 V}
  R: {type: electrical.Resistor, p: a, n: b, R: 2 ohm}
  L: {type: electrical.Inductor, p: b, n: c, L: 0.5 H}
  C: {type: electrical.Capacitor, p: c, n: gnd, C: 1 mF}
)"),
            R"(charges of meshes, their currents and the branches around them
  q1: L + R - U + C
Lambda = sum of
  L: (1/2)*L.L*q1'^2
  C: -(1/2)*q1^2/C.C
D = sum of
  R: (1/2)*R.R*q1'^2
Q, voltages that no function of state represents
  q1: (U.v)
)");
  // a machine that states a torque k i: the voltage k w belongs to no function of state; a plate has Q^2/(2 C(x))
  const std::string text = text_of(R"(
components:
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 5 V}
  motor: {type: converters.DcMachine, p: a, n: b, shaft: rotor, k: 0.1 V.s/rad, R: 2 ohm, L: 1 mH}
  rotor: {type: mechanical.Inertia, J: 0.2 kg.m2}
  plates: {type: converters.PlateCapacitor, p: b, n: gnd, flange: plate, area: 1 m2, gap: 1 mm}
  plate: {type: mechanical.Mass, m: 3 g}
)");
  for (const char* line : {"\n  motor: (1/2)*motor.L*q1'^2", "\n  motor: (1/2)*motor.R*q1'^2", "motor.k",
                           "\n  rotor: (1/2)*", "plates.gap)*q1^2/(plates.area*plates.epsilon_r)"})
    EXPECT_NE(text.find(line), std::string::npos) << line << " in " << text;
}

}  // namespace
}  // namespace coenergy::tests
