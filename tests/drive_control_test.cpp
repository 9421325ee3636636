// Controllers of electric drives against closed forms and against the machines they drive.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/inline_model.hpp"

namespace coenergy::tests {
namespace {

using std::numbers::pi;

double last(const solve::Result& r, const char* signal) { return r.signal(signal).back(); }

TEST(Transforms, AreAmplitudeInvariantAndEachOthersInverse) {
  const solve::Result r = run_text(R"(
components:
  clarke: {type: drives.Clarke, a: 3*cos(0.4), b: 3*cos(0.4 - 2*pi/3), c: 3*cos(0.4 + 2*pi/3)}
  park: {type: drives.Park, a: 3*cos(0.4) + 1, b: 3*cos(0.4 - 2*pi/3) + 1, c: 3*cos(0.4 + 2*pi/3) + 1, angle: 0.1}
  back: {type: drives.InversePark, d: park.d, q: park.q, zero: park.zero, angle: 0.1}
  x: {type: blocks.Integrator, u: 0}
)",
                                   1e-3, 1e-3);
  EXPECT_NEAR(last(r, "clarke.alpha"), 3 * std::cos(0.4), 1e-14);
  EXPECT_NEAR(last(r, "clarke.beta"), 3 * std::sin(0.4), 1e-14);
  EXPECT_NEAR(last(r, "clarke.zero"), 0, 1e-14);
  EXPECT_NEAR(last(r, "park.d"), 3 * std::cos(0.3), 1e-14);
  EXPECT_NEAR(last(r, "park.q"), 3 * std::sin(0.3), 1e-14);
  EXPECT_NEAR(last(r, "park.zero"), 1, 1e-14);
  EXPECT_NEAR(last(r, "back.a"), 3 * std::cos(0.4) + 1, 1e-14);
  EXPECT_NEAR(last(r, "back.c"), 3 * std::cos(0.4 + 2 * pi / 3) + 1, 1e-14);
}

TEST(Pll, LocksToPhaseAndFrequency) {
  const solve::Result r = run_text(R"(
components:
  pll: {type: drives.Pll, u_a: 325*cos(2*pi*51.5 Hz*time + 1),
        u_b: 325*cos(2*pi*51.5 Hz*time + 1 - 2*pi/3), u_c: 325*cos(2*pi*51.5 Hz*time + 1 + 2*pi/3), bandwidth: 100 rad/s, sample: 0.1 ms}
  x: {type: blocks.Integrator, u: 0}
)",
                                   0.5, 0.5);
  EXPECT_NEAR(last(r, "pll.f"), 51.5, 1e-9);  // e^{−70 t} has faded
  EXPECT_NEAR(last(r, "pll.u_d"), 325, 1e-9);
  EXPECT_NEAR(std::remainder(last(r, "pll.angle") - (2 * pi * 51.5 * 0.5 + 1), 2 * pi), 0, 1e-9);
}

const std::string pm_drive = R"(
parameters: {w: 100 rad/s, i_ref: 8 A, U: 300 V}
components:
  link: {type: electrical.VoltageSource, p: plus, n: gnd, v: U}
  inverter: {type: converters.Inverter, p: plus, n: gnd, a: a, b: b, c: c, frequency: 10 kHz, form: averaged, modulation: space_vector,
             u_a: foc.u_a, u_b: foc.u_b, u_c: foc.u_c}
  motor: {type: converters.PermanentMagnetMachine, a: a, b: b, c: c, shaft: rotor, pole_pairs: 4, R_s: 0.6 ohm, L_d: 3 mH, L_q: 5 mH, psi: 0.1 Wb}
  drive: {type: mechanical.RotationalMotion, flange: rotor, phi: w*time}
  foc: {type: drives.SynchronousControl, i_a: motor.i_a, i_b: motor.i_b, i_c: motor.i_c, angle: motor.theta, speed: w, pole_pairs: 4,
        R: 0.6 ohm, L_d: 3 mH, L_q: 5 mH, psi: 0.1 Wb, bandwidth: 1000 rad/s, link: U, sample: 20 us,
        i_d_ref: "-2 A", i_q_ref: "time < 9.99 ms ? 0 A : i_ref"}
)";

TEST(SynchronousControl, MakesCurrentsOfFirstOrder) {
  const solve::Result r = run_text(pm_drive, 0.02, 0.5e-3);
  // i = i_ref (1 − e^{−ω_b t}) but for samples of 20 µs: a sample and a half of delay is 3 % of the time constant
  for (const double t : {0.5e-3, 1e-3, 2e-3, 4e-3})
    EXPECT_NEAR(value_at(r, "motor.i_q", 0.01 + t), 8 * (1 - std::exp(-1000 * t)), 0.03 * 8) << t;
  // e^{−10} is left, and what a turn of the axes within a sample does to the mean of the voltages
  EXPECT_NEAR(last(r, "motor.i_q"), 8, 2e-3);
  EXPECT_NEAR(last(r, "motor.i_d"), -2, 2e-2);
}

TEST(SynchronousControl, KeepsToTheVoltageThatIsThere) {
  // 400 rad/s would need 160 V beside 173 V of the link without current: the q current stays below the wanted one
  model::Model model = io::parse_model(pm_drive, "m.yaml");
  model.set("w", "420 rad/s");
  model.set("i_ref", "60 A");
  solve::Options options;
  options.t_end = 0.05, options.method = "radau", options.output_step = 1e-3;
  const solve::Result r = run_model(model, options);
  EXPECT_LT(last(r, "motor.i_q"), 40);
  for (const char* u : {"foc.u_a", "foc.u_b", "foc.u_c"})
    for (const double x : r.signal(u)) EXPECT_LE(std::abs(x), 2 / std::sqrt(3) + 1e-12);
}

const std::string induction_drive = R"(
parameters: {w: 120 rad/s, U: 560 V}
components:
  link: {type: electrical.VoltageSource, p: plus, n: gnd, v: U}
  inverter: {type: converters.Inverter, p: plus, n: gnd, a: a, b: b, c: c, frequency: 10 kHz, form: averaged, modulation: space_vector,
             u_a: control.u_a, u_b: control.u_b, u_c: control.u_c}
  motor: {type: converters.InductionMachine, a: a, b: b, c: c, shaft: rotor, pole_pairs: 2, R_s: 1.4 ohm, R_r: 1 ohm,
          L_s: 0.11 H, M_s: -0.055 H, L_r: 0.11 H, M_r: -0.055 H, M_sr: 0.106 H}
)";

TEST(InductionControl, KnowsFluxAndTorqueOfTheMachine) {
  const solve::Result r = run_text(induction_drive + R"(
  drive: {type: mechanical.RotationalMotion, flange: rotor, phi: w*time}
  control: {type: drives.InductionControl, i_a: motor.i_a, i_b: motor.i_b, i_c: motor.i_c, speed: w, pole_pairs: 2, R_s: 1.4 ohm, R_r: 1 ohm,
            L_s: 0.165 H, L_r: 0.165 H, L_m: 0.159 H, i_d_ref: 4 A, i_q_ref: "time < 0.5 s ? 0 A : 6 A", bandwidth: 800 rad/s, link: U, sample: 50 us}
)",
                                   1, 0.05);
  // flux L_m i_d; the estimate turns with samples of 50 µs
  EXPECT_NEAR(last(r, "control.psi"), 0.159 * 4, 0.005 * 0.636);
  EXPECT_NEAR(last(r, "motor.tau"), 1.5 * 2 * 0.159 / 0.165 * 0.159 * 4 * 6, 0.01 * 11.03);
  EXPECT_NEAR(last(r, "control.tau"), last(r, "motor.tau"), 0.01 * 11.03);
}

TEST(DirectTorqueControl, KeepsFluxAndTorqueWithinTheirBands) {
  const solve::Result r = run_text(induction_drive + R"(
  drive: {type: mechanical.RotationalMotion, flange: rotor, phi: w*time}
  control: {type: drives.DirectTorqueControl, i_a: motor.i_a, i_b: motor.i_b, i_c: motor.i_c, pole_pairs: 2, R_s: 1.4 ohm, link: U, sample: 25 us,
            torque: 8 N.m, flux: 0.75 Wb, torque_band: 0.3 N.m, flux_band: 0.01 Wb}
)",
                                   0.3, 0.2e-3);
  const std::vector<double> tau = r.signal("motor.tau"), psi = r.signal("control.psi");
  double sum = 0, least = 1e9, most = 0;
  int n = 0;
  for (std::size_t k = 0; k < tau.size(); ++k) {
    if (r.times[k] < 0.2) continue;
    sum += tau[k], ++n;
    least = std::min(least, psi[k]), most = std::max(most, psi[k]);
  }
  // its band, and what the zero voltage takes within a sample: 3/2 p ψ p ω ψ/σL_s T = 0.86 N.m
  EXPECT_NEAR(sum / n, 8, 0.3 + 0.86);
  // a sample moves the flux by at most 2/3 U T = 9.3 mWb beyond its band
  EXPECT_GT(least, 0.75 - 0.01 - 0.01);
  EXPECT_LT(most, 0.75 + 0.01 + 0.01);
}

TEST(VoltsPerHertz, HoldsTheSpeedByCompensatingTheSlip) {
  const auto speed = [](const char* slip) {
    model::Model model = io::parse_model(induction_drive + R"(
  rotor: {type: mechanical.Inertia, J: 0.01 kg.m2}
  load: {type: mechanical.Torque, flange: rotor, tau: "time < 1 s ? 0 N.m : -6 N.m"}
  control: {type: drives.VoltsPerHertz, frequency: 40 Hz, ramp: 100 Hz/s, rated_voltage: 311 V, boost: 8 V, link: U, sample: 0.1 ms, pole_pairs: 2,
            i_a: motor.i_a, i_b: motor.i_b, i_c: motor.i_c, R_s: 1.4 ohm, torque: 6 N.m, slip: 0 Hz}
)",
                                         "m.yaml");
    model.set("control.slip", slip);
    solve::Options options;
    options.t_end = 3, options.method = "radau", options.output_step = 0.01;
    return run_model(model, options).signal("rotor.w").back();
  };
  const double wanted = 2 * pi * 40 / 2, without = speed("0 Hz");
  const double slip = 40 - without / pi;  // frequency of the rotor at 6 N.m
  EXPECT_GT(slip, 0.2);
  // the gap's power contains small losses of the compensation itself
  EXPECT_NEAR(speed((std::to_string(slip) + " Hz").c_str()), wanted, 0.1 * (wanted - without));
}

TEST(SixStep, GivesTheTorqueOfTwoFlatPhases) {
  const solve::Result r = run_text(R"(
components:
  Ua: {type: electrical.VoltageSource, p: a, n: gnd, v: 2000 ohm*(steps.a - motor.i_a)}
  Ub: {type: electrical.VoltageSource, p: b, n: gnd, v: 2000 ohm*(steps.b - motor.i_b)}
  Uc: {type: electrical.VoltageSource, p: c, n: gnd, v: 2000 ohm*(steps.c - motor.i_c)}
  steps: {type: drives.SixStep, angle: 2*rotor.phi, current: 5 A}
  motor: {type: converters.BrushlessDcMachine, a: a, b: b, c: c, n: gnd, shaft: rotor, pole_pairs: 2, R_s: 0.1 ohm, L: 1 mH, k_e: 0.08 V.s/rad}
  drive: {type: mechanical.RotationalMotion, flange: rotor, phi: 20 rad/s*time + 0.2 rad}
)",
                                   0.3, 1e-3);
  // between edges, where the current has settled (L/R = 0.5 µs): 2 k_e i, but for k_e w/2000 ohm of 5 A
  int flat = 0;
  const std::vector<double> tau = r.signal("motor.tau"), phi = r.signal("rotor.phi");
  for (std::size_t k = 0; k < tau.size(); ++k) {
    const double to_edge = std::abs(std::remainder(2 * phi[k] - pi / 6, pi / 3));
    if (to_edge < 0.05 || r.times[k] < 1e-3) continue;
    EXPECT_NEAR(tau[k], 2 * 0.08 * 5, 1e-3) << r.times[k];
    ++flat;
  }
  EXPECT_GT(flat, 200);
}

TEST(TorqueToCurrents, FindsTheMostTorqueAndWeakensTheField) {
  const double L_d = 3e-3, L_q = 8e-3, psi = 0.1, p = 4;
  for (const double I : {3.0, -20.0, 40.0})
    for (const double w : {50.0, 300.0, 600.0}) {
      const solve::Result r =
          run_text("components:\n  c: {type: drives.TorqueToCurrents, current: " + std::to_string(I) +
                       " A, speed: " + std::to_string(w) +
                       " rad/s, voltage: 170 V, pole_pairs: 4, L_d: 3 mH, L_q: 8 mH, psi: 0.1 Wb}\n"
                       "  x: {type: blocks.Integrator, u: 0}\n",
                   1e-3, 1e-3);
      // all currents of this size by their angle
      double best = 0;
      for (int k = 0; k <= 200000; ++k) {
        const double i_d = -std::abs(I) * std::sin(pi / 2 * k / 200000), i_q = std::sqrt(I * I - i_d * i_d);
        if (p * w * std::hypot(L_d * i_d + psi, L_q * i_q) > 170) continue;
        best = std::max(best, 1.5 * p * i_q * (psi + (L_d - L_q) * i_d));
      }
      EXPECT_NEAR(last(r, "c.tau"), I < 0 ? -best : best, 1e-4 * (1 + best)) << I << " A, " << w << " rad/s";
      EXPECT_NEAR(std::hypot(last(r, "c.i_d"), last(r, "c.i_q")), std::abs(I), 1e-12 * 40);
    }
}

TEST(GridConverterExample, HoldsItsLinkAndFeedsActivePowerOnly) {
  const solve::Result r = run_model(read_example("wind_or_grid", "grid_converter"));
  EXPECT_NEAR(last(r, "link.v"), 750, 0.01);  // settles with e^{−40 t} after the step of power at 0.15 s
  // 12 kW = 3/2 (U i + R i²)
  const double i = (std::sqrt(325 * 325 + 4 * 0.06 * 8000) - 325) / (2 * 0.06);
  EXPECT_NEAR(last(r, "currents.i_q"), i, 2e-3 * i);  // current at the sample, of a period that turns by 1.8 degrees
  EXPECT_NEAR(last(r, "currents.i_d"), 0, 1e-3);
  EXPECT_NEAR(last(r, "pll.f"), 50, 1e-6);
  const std::vector<double> supplied = r.signal("energy.supplied"), lost = r.signal("energy.dissipated"),
                            stored = r.signal("energy.stored");
  for (std::size_t k = 0; k < supplied.size(); ++k)
    ASSERT_NEAR(supplied[k] - lost[k], stored[k] - stored[0], 1e-8 * 3000);  // 3 kJ go through the link
}

TEST(SampledServoExample, ComesToItsSpeedWithTheCurrentOfItsLoad) {
  const model::Model model = read_example("servo_drive", "servo_sampled");
  solve::Options options = io::read_simulation_options(model);
  options.t_end = 0.6;
  const solve::Result r = run_model(model, options);
  // 2 N.m = 3/2 p ψ i_q; a count of the encoder is 0.77 rad/s of the speed measured
  EXPECT_NEAR(last(r, "rotor.w"), 120, 1);
  EXPECT_NEAR(last(r, "motor.i_q"), 2 / (1.5 * 4 * 0.1), 0.1);
  EXPECT_NEAR(last(r, "motor.i_d"), 0, 0.05);
  const std::vector<double> supplied = r.signal("energy.supplied"), lost = r.signal("energy.dissipated"),
                            stored = r.signal("energy.stored");
  for (std::size_t k = 0; k < supplied.size(); ++k)
    ASSERT_NEAR(supplied[k] - lost[k], stored[k] - stored[0], 1e-6 * 100);  // 1e-6 per step, of 100 J
}

TEST(InductionMotorExample, HasTheParametersOfItsMeasurements) {
  // printed (D.11): L_s = 2.204, M_s = −1.102, M_sr = 2.04 H, R_r = 8.18 ohm; the measurements have four digits
  const solve::Result r = run_model(read_example("induction_motor", "identification"));
  const auto parameter = [](const char* name) {
    const equations::System s = compile_model(read_example("induction_motor", "identification"));
    return equations::Evaluator(s).parameter(s.find_parameter(name));
  };
  EXPECT_NEAR(parameter("motor.L_s"), 2.204, 1e-3 * 2.204);
  EXPECT_NEAR(parameter("motor.M_s"), -1.102, 1e-3 * 1.102);
  EXPECT_NEAR(parameter("motor.M_sr"), 2.04, 1e-3 * 2.04);
  EXPECT_NEAR(parameter("motor.R_r"), 8.18, 1e-3 * 8.18);
  EXPECT_NEAR(parameter("L_mu"), 3.06055, 1e-5);
  EXPECT_NEAR(2 * parameter("leakage"), 0.49179, 1e-5);
  // and the motor made of them runs at its synchronous speed
  EXPECT_NEAR(last(r, "rotor.w"), 50 * pi, 0.01 * 50 * pi);  // it still swings a little
}

}  // namespace
}  // namespace coenergy::tests
