// Machines and transducers against the closed forms of their torques, voltages and rest positions.
#include <cmath>
#include <numbers>

#include "tests/inline_model.hpp"

namespace coenergy::tests {
namespace {

using std::numbers::pi;

/// Signals of a machine as it starts: fed by voltage sources, its shaft at 0.4 rad turning with 3 rad/s.
solve::Result start_machine(const std::string& machine, const std::string& pins) {
  std::string text = "components:\n  machine: " + machine +
                     "\n  rotor: {type: mechanical.Inertia, J: 0.1 kg.m2, phi0: 0.4 rad, w0: 3 rad/s}\n";
  for (const char pin : pins)
    text += std::string("  U") + pin + ": {type: electrical.VoltageSource, p: " + pin + ", n: gnd, v: 10 V}\n";
  return run_text(text, 1e-6, 1e-6);
}
double first(const solve::Result& r, const std::string& signal) { return r.signal(signal).front(); }

// round-off of some twenty terms of order one
constexpr double round_off = 1e-13;

TEST(PermanentMagnetMachine, HasTheTorqueOfItsAxes) {
  const solve::Result r = start_machine(
      "{type: converters.PermanentMagnetMachine, a: a, b: b, c: c, shaft: rotor, R_s: 0.5 ohm, L_d: 3 mH, L_q: 7 mH, "
      "psi: 0.2 Wb, "
      "pole_pairs: 3, i_a0: 5 A, i_b0: -2 A, cogging: 0.1 N.m, cogging_periods: 12}",
      "abc");
  const double theta = 1.2, i[] = {5, -2, -3};
  double d = 0, q = 0;
  for (int k = 0; k < 3; ++k) {
    d += 2.0 / 3 * i[k] * std::cos(theta - k * 2 * pi / 3);
    q -= 2.0 / 3 * i[k] * std::sin(theta - k * 2 * pi / 3);
  }
  EXPECT_NEAR(first(r, "machine.i_d"), d, round_off * 5);
  EXPECT_NEAR(first(r, "machine.i_q"), q, round_off * 5);
  EXPECT_NEAR(first(r, "machine.tau"), 4.5 * (0.2 * q - 4e-3 * d * q) - 0.1 * std::sin(12 * 0.4), round_off * 10);
}

TEST(PermanentMagnetMachine, OfLinearFluxMapsIsTheLinearOne) {
  const std::string common = "a: a, b: b, c: c, shaft: rotor, R_s: 0.5 ohm, pole_pairs: 3, i_a0: 5 A, i_b0: -2 A}";
  const auto run = [&](const std::string& law) {
    return run_text("components:\n  machine: {type: converters.PermanentMagnetMachine, " + law + ", " + common + R"(
  rotor: {type: mechanical.Inertia, J: 0.1 kg.m2, w0: 30 rad/s}
  Ua: {type: electrical.VoltageSource, p: a, n: gnd, v: 10 V}
  Ub: {type: electrical.VoltageSource, p: b, n: gnd, v: -4 V}
  Uc: {type: electrical.VoltageSource, p: c, n: gnd, v: 0 V}
)",
                    0.1, 0.05);
  };
  const solve::Result linear = run("L_d: 3 mH, L_q: 7 mH, psi: 0.2 Wb");
  const solve::Result mapped =
      run("map_i_d: [-50, 10, 50], map_i_q: [-50, 50], psi_d_map: [[0.05, 0.05], [0.23, 0.23], [0.35, 0.35]], "
          "psi_q_map: [[-0.35, 0.35], [-0.35, 0.35], [-0.35, 0.35]]");
  for (const char* s : {"machine.i_a", "machine.tau", "rotor.w"})
    EXPECT_NEAR(mapped.signal(s).back(), linear.signal(s).back(), 1e-6) << s;  // two runs of 1e-9 per step
}

TEST(SynchronousReluctanceMachine, HasTheTorqueOfItsInductances) {
  const solve::Result r = start_machine(
      "{type: converters.SynchronousReluctanceMachine, a: a, b: b, c: c, shaft: rotor, R_s: 0.5 ohm, L_d: 30 mH, L_q: "
      "7 mH, "
      "pole_pairs: 2, i_a0: 5 A, i_b0: -2 A}",
      "abc");
  EXPECT_NEAR(first(r, "machine.tau"), 3 * 23e-3 * first(r, "machine.i_d") * first(r, "machine.i_q"), round_off * 5);
}

TEST(SynchronousMachine, InducesTheVoltageOfItsField) {
  // open stator at 100 rad/s: phase a has −p ω M_f i_f sin θ against the star point
  const solve::Result r = run_text(R"(
components:
  machine: {type: converters.SynchronousMachine, a: a, b: b, c: c, n: gnd, fp: f, fn: gnd, shaft: shaft, R_s: 0.2 ohm, L_d: 40 mH, L_q: 30 mH,
            L_0: 5 mH, L_f: 2 H, R_f: 10 ohm, M_f: 0.2 H, pole_pairs: 2, i_f0: 3 A}
  drive: {type: mechanical.RotationalMotion, flange: shaft, phi: 100 rad/s*time}
  Uf: {type: electrical.VoltageSource, p: f, n: gnd, v: 30 V}
  Ra: {type: electrical.Resistor, p: a, n: gnd, R: 1e7 ohm}
  Rb: {type: electrical.Resistor, p: b, n: gnd, R: 1e7 ohm}
  Rc: {type: electrical.Resistor, p: c, n: gnd, R: 1e7 ohm}
)",
                                   0.05, 0.01);
  for (const double t : {0.02, 0.05})
    EXPECT_NEAR(value_at(r, "machine.v_a", t), -2 * 100 * 0.2 * 3 * std::sin(2 * 100 * t), 1e-3);  // 12 µA flow
}

TEST(ExcitedDcMachine, HasTheCharacteristicsOfItsConnections) {
  const auto run = [](const std::string& connection, const std::string& load) {
    return run_text(R"(
components:
  U: {type: electrical.VoltageSource, p: plus, n: gnd, v: 100 V}
  machine: {type: converters.ExcitedDcMachine, shaft: rotor, R_a: 0.5 ohm, L_a: 5 mH, M_af: 0.4 H, )" +
                        connection +
                        "}\n  rotor: {type: mechanical.Inertia, J: 0.02 kg.m2}\n  load: {type: mechanical.Torque, "
                        "flange: rotor, tau: " +
                        load + "}\n",
                    12, 6);
  };
  // shunt: i_f = 2 A, G = 0.8: ω = (100 − 0.5 τ/G)/G
  const solve::Result shunt = run("p: plus, n: gnd, fp: plus, fn: gnd, R_f: 50 ohm, L_f: 5 H", "-8 N.m");
  EXPECT_NEAR(shunt.signal("machine.w").back(), (100 - 0.5 * 10) / 0.8, 1e-5);
  // series: τ = M i², (0.5 + 0.3) i + M i ω = 100
  const solve::Result series = run("p: plus, n: m, fp: m, fn: gnd, R_f: 0.3 ohm, L_f: 10 mH", "-10 N.m");
  EXPECT_NEAR(series.signal("machine.i").back(), 5, 1e-6);
  EXPECT_NEAR(series.signal("machine.i_f").back(), 5, 1e-6);
  EXPECT_NEAR(series.signal("machine.w").back(), (100 - 0.8 * 5) / 2, 1e-4);
}

TEST(BrushlessDcMachine, InducesTrapezoids) {
  // at 50 rad/s with open pins: phase a is flat, k_e ω, from 30° to 150°, and a line through zero between −30° and 30°
  const solve::Result r = run_text(R"(
components:
  machine: {type: converters.BrushlessDcMachine, a: a, b: b, c: c, n: gnd, shaft: shaft, R_s: 0.2 ohm, L: 1 mH, k_e: 0.1 V.s/rad, pole_pairs: 2}
  drive: {type: mechanical.RotationalMotion, flange: shaft, phi: 50 rad/s*time}
  Ra: {type: electrical.Resistor, p: a, n: gnd, R: 1e5 ohm}
  Rb: {type: electrical.Resistor, p: b, n: gnd, R: 1e5 ohm}
  Rc: {type: electrical.Resistor, p: c, n: gnd, R: 1e5 ohm}
)",
                                   0.06, 1e-3);
  for (const double degrees : {17.188733853924697, 85.94366926962348, 188.0}) {
    const double t = std::round(degrees * pi / 180 / 100 * 1000) / 1000, angle = 100 * t;
    const double shape = angle < pi / 6 ? angle / (pi / 6) : angle < 5 * pi / 6 ? 1 : (pi - angle) / (pi / 6);
    EXPECT_NEAR(value_at(r, "machine.v_a", t), 0.1 * 50 * shape, 1e-4) << angle;
  }
}

TEST(SwitchedReluctanceMachine, PullsByTheSlopeOfItsCoenergy) {
  const std::string common =
      "{type: converters.SwitchedReluctanceMachine, ap: a, an: gnd, bp: b, bn: gnd, cp: c, cn: gnd, shaft: "
      "rotor, R: 1 ohm, L_a: 60 mH, L_u: 10 mH, poles: 4, i_a0: 6 A";
  // θ = 1.6: L = 35 + 25 cos θ mH, ∂L/∂φ = −100 sin θ mH
  const double L = 35e-3 + 25e-3 * std::cos(1.6), slope = -0.1 * std::sin(1.6);
  EXPECT_NEAR(first(start_machine(common + "}", "abc"), "machine.tau"), 18 * slope, round_off * 10);
  // W' = ½ L_s i² + ψ²/g ln cosh(g i/ψ), g = L − L_s
  const double g = L - 5e-3, z = g * 6 / 0.1, log_cosh = std::log(std::cosh(z));
  const double by_g = 0.1 * 6 * std::tanh(z) / g - 0.01 * log_cosh / (g * g);
  EXPECT_NEAR(first(start_machine(common + ", psi_s: 0.1 Wb, L_sat: 5 mH}", "abc"), "machine.tau"), by_g * slope,
              round_off * 10);
}

TEST(HybridStepper, HoldsWithTheTorqueOfOneWinding) {
  const solve::Result r = start_machine(
      "{type: converters.HybridStepper, ap: a, an: gnd, bp: b, bn: gnd, shaft: rotor, R: 1 ohm, L: 2 mH, psi: 6 mWb, "
      "teeth: 50, "
      "detent: 0.02 N.m, i_a0: 2 A, i_b0: 1 A}",
      "ab");
  EXPECT_NEAR(first(r, "machine.tau"), 0.3 * (std::cos(20.0) - 2 * std::sin(20.0)) - 0.02 * std::sin(80.0),
              round_off * 10);
}

TEST(SteadyInductionMachine, HasTheTorqueOfTheCircuitOfOnePhase) {
  // 3 R_r V²/(s ω_s ((R_s + R_r/s)² + ω²(L_s + L_r)²)) in star, and without load it runs at synchronous speed
  const std::string text = R"(
components:
  machine: {type: converters.SteadyInductionMachine, shaft: rotor, voltage: 400 V, frequency: 50 Hz, pole_pairs: 2, R_s: 1.5 ohm, R_r: 1.8 ohm,
            L_s: 6 mH, L_r: 7 mH, J: 0.05 kg.m2}
  load: {type: mechanical.Torque, flange: rotor, tau: )";
  const solve::Result r = run_text(text + "-12 N.m}\n", 3, 1);
  const double s = r.signal("machine.slip").back(), x = 100 * pi * 13e-3, a = 1.5 + 1.8 / s;
  EXPECT_NEAR(3 * 1.8 * 400 * 400 / 3.0 / (s * 50 * pi * (a * a + x * x)), 12, 1e-6);
  const solve::Result idle = run_text(text + "0 N.m}\n", 3, 1);
  EXPECT_NEAR(idle.signal("machine.w").back(), 50 * pi, 1e-6);
}

TEST(Electromagnet, PullsAsMaxwellsStressDemands) {
  // without iron to speak of: f = B² A/(2 µ₀) at each of two poles, B = µ₀ N i/(2 g)
  const solve::Result r = run_text(R"(
components:
  magnet: {type: converters.Electromagnet, p: a, n: gnd, flange: x, turns: 500, area: 4 cm2, gap: 1 mm, iron_length: 0.2 m, mu_r: 1e9, R: 2 ohm, i0: 3 A}
  x: {type: mechanical.Mass, m: 1 kg, s0: 0.5 mm}
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 6 V}
)",
                                   1e-6, 1e-6);
  const double mu0 = 1.25663706212e-6, B = mu0 * 500 * 3 / (2 * 1.5e-3);
  EXPECT_NEAR(first(r, "magnet.f"), -2 * B * B * 4e-4 / (2 * mu0), 1e-4 * 60);
}

TEST(PlateCapacitor, RestsWhereTheSpringHoldsTheField) {
  // k x = −½ u² ε A/(g + x)²
  const solve::Result r = run_text(R"(
components:
  plate: {type: converters.PlateCapacitor, p: a, n: gnd, flange: x, area: 50 cm2, gap: 0.5 mm}
  x: {type: mechanical.Mass, m: 1 g}
  spring: {type: mechanical.TranslationalSpringDamper, a: ground, b: x, k: 500 N/m, d: 1 N.s/m}
  U: {type: electrical.VoltageSource, p: b, n: gnd, v: 500 V}
  R: {type: electrical.Resistor, p: b, n: a, R: 1 Mohm}
)",
                                   0.2, 0.1);
  const double x = r.signal("x.s").back(), e = 8.8541878128e-12 * 50e-4, gap = 0.5e-3 + x;
  EXPECT_LT(x, -2e-5);
  EXPECT_NEAR(500 * x, -500.0 * 500 * e / (2 * gap * gap), 1e-7);
}

TEST(PiezoStack, BecomesLongerWhenFreeAndPushesWhenClamped) {
  const std::string stack = R"(
components:
  stack: {type: converters.PiezoStack, p: a, n: gnd, flange: x, C: 2 uF, factor: 6 N/V, k: 60 N/um, d: 3 kN.s/m}
  U: {type: electrical.VoltageSource, p: b, n: gnd, v: 100 V}
  R: {type: electrical.Resistor, p: b, n: a, R: 10 ohm}
)";
  const solve::Result free = run_text(stack + "  x: {type: mechanical.Mass, m: 50 g}\n", 0.02, 0.01);
  EXPECT_NEAR(free.signal("x.s").back(), 1e-5, 1e-11);
  EXPECT_NEAR(free.signal("stack.q").back(), 2e-6 * 100 + 6 * 1e-5, 1e-10);
  const solve::Result clamped =
      run_text(stack + "  clamp: {type: mechanical.TranslationalFixed, flange: x}\n", 0.02, 0.01);
  EXPECT_NEAR(clamped.signal("stack.f").back(), 600, 1e-5);
}

TEST(EddyCurrentBrake, BrakesMostAtItsCriticalSpeed) {
  // J dω/dt = −2 τ x/(1 + x²), x = ω/ω_c: ln x + x²/2 falls by 2 τ t/(J ω_c)
  const solve::Result r = run_text(R"(
components:
  brake: {type: converters.EddyCurrentBrake, shaft: rotor, torque: 4 N.m, critical_speed: 50 rad/s}
  rotor: {type: mechanical.Inertia, J: 0.1 kg.m2, w0: 150 rad/s}
)",
                                   2, 1);
  const auto invariant = [](double w) { return std::log(w / 50) + w * w / 5000; };
  EXPECT_NEAR(invariant(value_at(r, "rotor.w", 2)), invariant(150) - 2 * 4 * 2 / (0.1 * 50), 1e-7);
}

TEST(SaturatedTransformer, HasTheFluxOfItsCore) {
  const solve::Result r = run_text(R"(
components:
  t: {type: converters.SaturatedTransformer, 1p: a, 1n: gnd, 2p: b, 2n: gnd, ratio: 4, R_1: 1 ohm, R_2: 0.1 ohm, l_1: 2 mH, l_2: 0.2 mH, L_m: 0.8 H,
      psi_s: 0.5 Wb, L_sat: 5 mH, i_10: 2 A, i_20: 1 A}
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 50 V}
  R: {type: electrical.Resistor, p: b, n: gnd, R: 3 ohm}
)",
                                   1e-6, 1e-6);
  EXPECT_NEAR(first(r, "t.i_m"), 2.25, round_off);
  EXPECT_NEAR(first(r, "t.phi_m"), 5e-3 * 2.25 + 0.5 * std::tanh(0.795 * 2.25 / 0.5), round_off);
}

TEST(WindingTemperature, FollowsItsNetworkAndTheResistanceFollowsIt) {
  // one body: T − T_a = R P (1 − e^{−t/RC}); two bodies at rest: (R + R_h) P
  const solve::Result r = run_text(R"(
components:
  one: {type: converters.WindingTemperature, losses: 20 W, C: 50 J/K, R: 2 K/W}
  two: {type: converters.WindingTemperature, losses: 20 W, C: 5 J/K, R: 2 K/W, C_housing: 8 J/K, R_housing: 1.5 K/W}
  hot: {type: converters.WindingTemperature, losses: 2 ohm*hot.factor*I.i^2, C: 5 J/K, R: 1 K/W}
  I: {type: electrical.CurrentSource, p: gnd, n: a, i: 5 A}
  R: {type: electrical.Resistor, p: a, n: gnd, R: 2 ohm*hot.factor}
)",
                                   400, 10);
  EXPECT_NEAR(value_at(r, "one.T", 100), 293.15 + 40 * (1 - std::exp(-1.0)), 1e-6);
  EXPECT_NEAR(r.signal("two.T").back(), 293.15 + 70, 1e-4);  // e^{−400/26} of it is left
  // x = R_th R0 i² (1 + α x)
  const double x = 50 / (1 - 0.00393 * 50);
  EXPECT_NEAR(r.signal("hot.T").back(), 293.15 + x, 1e-6);
  EXPECT_NEAR(r.signal("R.v").back(), 10 * (1 + 0.00393 * x), 1e-8);
}

TEST(Rotor, IsBrakedByTheAir) {
  // J ω̇ = −c ω²: ω = ω0/(1 + c ω0 t/J)
  const solve::Result r = run_text(R"(
components:
  rotor: {type: mechanical.Inertia, J: 0.1 kg.m2, w0: 40 rad/s}
  machine: {type: converters.SwitchedReluctanceMachine, ap: a, an: gnd, bp: b, bn: gnd, cp: c, cn: gnd, shaft: rotor, R: 1 ohm, L_a: 20 mH, L_u: 4 mH, poles: 4,
            windage: 0.002 N.m.s2/rad2}
  Ra: {type: electrical.Resistor, p: a, n: gnd, R: 1 ohm}
  Rb: {type: electrical.Resistor, p: b, n: gnd, R: 1 ohm}
  Rc: {type: electrical.Resistor, p: c, n: gnd, R: 1 ohm}
)",
                                   2, 0.5);
  for (const double t : {0.5, 2.0}) EXPECT_NEAR(value_at(r, "rotor.w", t), 40 / (1 + 0.8 * t), 1e-7);
}

}  // namespace
}  // namespace coenergy::tests
