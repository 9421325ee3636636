// examples/induction_motor, generalised_machine, step_motor: against phasors, closed forms and each other.
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "tests/example_run.hpp"

namespace coenergy::tests {
namespace {

using std::numbers::pi;

/// ∫ of what sources give = losses + change of what is stored.
void expect_closed_account(const solve::Result& result, double tolerance) {
  const std::vector<double> supplied = result.signal("energy.supplied"), lost = result.signal("energy.dissipated"),
                            stored = result.signal("energy.stored");
  double turnover = 0, worst = 0;
  for (std::size_t k = 0; k < supplied.size(); ++k) {
    turnover = std::max({turnover, std::abs(supplied[k]), std::abs(lost[k]), std::abs(stored[k])});
    worst = std::max(worst, std::abs(supplied[k] - lost[k] - (stored[k] - stored[0])));
  }
  EXPECT_GT(turnover, 0);
  EXPECT_LT(worst, tolerance * turnover);
}

// ---- induction motor: 6.15 of Sass 2004
constexpr double R_s = 68.8, R_r = 20.45, L_m = 1.5 * 2.05, L_c = 2.414 + 1.162, poles = 2, drag = 0.002;

struct Steady {
  double speed, current, rotor_current, torque;  ///< amplitudes
};

/// The circuit of one phase at the speed at which its torque is that of the drag.
Steady find_steady(double f) {
  using C = std::complex<double>;
  const C j(0, 1);
  const double w = 2 * pi * f, v = 220 * std::sqrt(2.0) * f / 50;
  const auto at = [&](double speed) {
    const double slip = 1 - poles * speed / w;
    const C rotor = R_r / slip + j * w * L_c, stator = R_s + j * w * L_c + w * w * L_m * L_m / rotor;
    const C i_s = v / stator, i_r = -j * w * L_m * i_s / rotor;
    return Steady{speed, std::abs(i_s), std::abs(i_r), 1.5 * poles * std::norm(i_r) * R_r / slip / w};
  };
  double low = 0.9 * w / poles, high = w / poles * (1 - 1e-12);
  for (int n = 0; n < 200; ++n) {
    const double middle = (low + high) / 2;
    (at(middle).torque > drag * middle ? low : high) = middle;
  }
  return at(low);
}

double stator_amplitude(const solve::Result& r) {
  double sum = 0;
  for (const char* i : {"s1.i", "s2.i", "s3.i"}) sum += std::pow(r.signal(i).back(), 2);
  return std::sqrt(2 * sum / 3);
}

solve::Result run_motor(const std::string& f_max, const std::string& T_abs, double t_end,
                        const char* file = "induction_motor", double rtol = 1e-10) {
  const model::Model model = read_example("induction_motor", file, {{"f_max", f_max}, {"T_abs", T_abs}});
  solve::Options options = io::read_simulation_options(model);
  options.t_end = t_end;
  options.rtol = rtol, options.atol = rtol / 10;
  options.output_step = 0.01;
  return run_model(model, options);
}

TEST(InductionMotorExample, RunsUpAsPublished) {
  // applications.md §6, from an integration of the abc model with 1e-5 s; printed to six digits after the point
  const solve::Result r = run_motor("50 Hz", "1 s", 1);
  const std::pair<double, double> speeds[] = {{0.1, 10.453234},  {0.2, 47.840255},  {0.3, 89.472114},
                                              {0.4, 133.729605}, {0.5, 156.357035}, {1.0, 155.516859}};
  for (const auto& [t, w] : speeds) EXPECT_NEAR(value_at(r, "rotor.w", t), w, 2e-6) << t;
  EXPECT_NEAR(value_at(r, "s1.i", 0.2), 0.791949, 1e-6);
  EXPECT_NEAR(value_at(r, "s2.i", 0.2), -0.378359, 1e-6);
  EXPECT_NEAR(value_at(r, "motor.tau", 0.2), 0.591965, 1e-6);
}

TEST(InductionMotorExample, ReachesTheSteadyStateOfThePhasorsInAllPublishedRuns) {
  for (const auto& [f, T] : {std::pair(50, 1), {50, 2}, {30, 1}, {30, 2}, {10, 1}}) {
    const Steady steady = find_steady(f);
    const solve::Result r =
        run_motor(std::to_string(f) + " Hz", std::to_string(T) + " s", 3.5, "induction_motor", 1e-8);
    EXPECT_NEAR(r.signal("rotor.w").back(), steady.speed, 1e-5 * steady.speed) << f << " Hz, " << T << " s";
    EXPECT_NEAR(stator_amplitude(r), steady.current, 1e-5 * steady.current);
    EXPECT_NEAR(r.signal("motor.tau").back(), steady.torque, 1e-5 * steady.torque);
  }
  const Steady at50 = find_steady(50);  // and the phasors are those published
  EXPECT_NEAR(at50.speed, 155.508068, 1e-6);
  EXPECT_NEAR(at50.current, 0.30476941, 1e-8);
  EXPECT_NEAR(at50.rotor_current, 0.12623077, 1e-8);
}

TEST(InductionMotorExample, HasTheSameCurrentsInPhasesAndInRotatingAxes) {
  for (const char* f : {"10 Hz", "50 Hz"}) {
    const solve::Result abc = run_motor(f, "1 s", 1), axes = run_motor(f, "1 s", 1, "induction_motor_vector");
    for (const char* i : {"s1.i", "s2.i", "s3.i"}) {
      const std::vector<double> a = abc.signal(i), b = axes.signal(i);
      double worst = 0;
      for (std::size_t k = 0; k < a.size(); ++k) worst = std::max(worst, std::abs(a[k] - b[k]));
      EXPECT_LT(worst, 1e-7) << f << ": " << i;  // the criterion of Sass 2004
    }
  }
}

TEST(InductionMotorExample, KeepsItsAccountAlsoWithAnyDistributionOfTheFlux) {
  for (const bool distorted : {false, true}) {
    model::Model model = read_example("induction_motor", "induction_motor");
    model.energy = true;
    if (distorted)
      for (model::Component& c : model.components)
        if (c.name == "motor")
          c.values.emplace_back("harmonics", std::vector<model::Value>{"1", "0", "-0.05", "0", "0.02"});
    solve::Options options = io::read_simulation_options(model);
    options.t_end = 0.5, options.output_step = 0.05;
    expect_closed_account(run_model(model, options), 1e-8);
  }
}

// ---- generalised machine: R_s = 1.5, R_r = 1.2, L = 0.2, M = 0.19
constexpr double gR_s = 1.5, gR_r = 1.2, gL = 0.2, gM = 0.19, w50 = 2 * pi * 50;

TEST(GeneralisedMachineExample, IsAnInductionMachineWithAShortedRotor) {
  const solve::Result r = run_model(read_example("generalised_machine", "induction"));
  // two phases: torque = |I_r|² R_r/(s ω), balanced by the drag
  const double speed = r.signal("rotor.w").back(), slip = 1 - speed / w50;
  const std::complex<double> j(0, 1), rotor = gR_r / slip + j * w50 * gL;
  const std::complex<double> i_s = 100.0 / (gR_s + j * w50 * gL + w50 * w50 * gM * gM / rotor);
  const double torque = std::norm(w50 * gM * i_s / rotor) * gR_r / slip / w50;
  EXPECT_NEAR(torque, 0.002 * speed, 1e-5 * torque);
  EXPECT_NEAR(std::hypot(r.signal("machine.i_ds").back(), r.signal("machine.i_qs").back()), std::abs(i_s), 1e-5);
}

TEST(GeneralisedMachineExample, LocksToTheSupplyAsSynchronousMachineAndFallsOutOfStepBeyondPullOut) {
  // torque M i_s i_r sin: with i_r = 1.5 A the pull-out torque is about (M i_r)(U/ω L) = 0.45 N.m
  const solve::Result held = run_model(read_example("generalised_machine", "synchronous"));
  // settled by e^{−4.7 t}: within 1e-6 after 3 s; the load angle is less than a quarter of a turn
  EXPECT_NEAR(held.signal("rotor.w").back(), w50, 1e-5);
  EXPECT_NEAR(held.signal("machine.tau").back(), 0.3, 1e-6);
  EXPECT_GT(held.signal("rotor.phi").back() + pi / 2 - w50 * 3, -pi / 2);
  const solve::Result lost = run_model(read_example("generalised_machine", "synchronous", {{"load.tau", "-0.6 N.m"}}));
  EXPECT_LT(lost.signal("rotor.phi").back() + pi / 2 - w50 * 3, -4 * pi);  // behind by turns
}

TEST(GeneralisedMachineExample, IsADcMachineBehindACommutator) {
  // k = M i_f with i_f = 2 A: U = R_r i + k ω, k i = d ω
  const solve::Result r = run_model(read_example("generalised_machine", "dc"));
  const double k = gM * 2, speed = 60 * k / (k * k + gR_r * 0.01);
  EXPECT_NEAR(r.signal("rotor.w").back(), speed, 1e-4 * speed);  // 1 Mohm across qs takes some 1e-5 of it
  EXPECT_NEAR(-r.signal("i_q.y").back(), 0.01 * speed / k, 1e-4 * 0.01 * speed / k);
}

// ---- stepper: p = 4, ψ = 0.04 Wb, L0 = 12, M0 = −4, L2 = 1 mH
TEST(StepMotorExample, StandsWhereThePhaseThatIsFedIsAligned) {
  for (const auto& [pin, angle] : {std::pair("a", 0.0), {"b", 2 * pi / 3}, {"c", -2 * pi / 3}}) {
    model::Model model = read_example("step_motor", "step_motor",
                                      {{"Ua.v", *pin == 'a' ? "U" : "0 V"},
                                       {"Ub.v", *pin == 'b' ? "U" : "0 V"},
                                       {"Uc.v", *pin == 'c' ? "U" : "0 V"},
                                       {"load.d", "0.02 N.m.s/rad"}});
    solve::Options options = io::read_simulation_options(model);
    options.t_end = 3;
    model.set("rotor.phi0", std::to_string(angle / 4 + 0.1));
    EXPECT_NEAR(run_model(model, options).signal("rotor.phi").back(), angle / 4, 1e-6);
  }
}

TEST(StepMotorExample, TurnsByTheSlopeOfItsCoenergy) {
  // at every instant ½ iᵀ ∂L/∂φ i + iᵀ ∂φ⁰/∂φ with the printed matrices; i_a + i_b + i_c through the star point
  const solve::Result r = run_model(read_example("step_motor", "step_motor"));
  const std::vector<double> phi = r.signal("rotor.phi"), tau = r.signal("motor.tau");
  const std::vector<double> i[] = {r.signal("motor.i_a"), r.signal("motor.i_b"), r.signal("motor.i_c")};
  for (std::size_t n = 0; n < phi.size(); n += 7) {
    const double theta = 4 * phi[n], third = 2 * pi / 3;
    double torque = 0;
    for (int j = 0; j < 3; ++j) {
      torque -= 4 * 0.04 * std::sin(theta - j * third) * i[j][n];
      for (int k = 0; k < 3; ++k) torque -= 4 * 1e-3 * std::sin(2 * theta - (j + k) * third) * i[j][n] * i[k][n];
    }
    EXPECT_NEAR(tau[n], torque, 1e-12);
  }
  expect_closed_account(r, 1e-7);  // 1e-9 per step, some hundred steps and five switchings
  // four steps of 30 degrees, the last not yet at rest
  EXPECT_NEAR(r.signal("rotor.phi").back(), 3 * pi / 6, 0.1);
}

TEST(StepMotorExample, SwingsAtTheFrequencyOfTheMagnets) {
  // the same machine with impressed currents and L2 = 0: J φ̈ = −p ψ i sin p φ, half a period later on the other side
  const double omega = std::sqrt(16 * 0.04 * 2 / 2e-4);
  const model::Model model = io::parse_model(R"(
components:
  Ia: {type: electrical.CurrentSource, p: gnd, n: a, i: 2 A}
  Ib: {type: electrical.CurrentSource, p: gnd, n: b, i: 0 A}
  Ic: {type: electrical.CurrentSource, p: gnd, n: c, i: 0 A}
  motor: {type: converters.PermanentMagnetMachine, a: a, b: b, c: c, n: gnd, shaft: rotor, pole_pairs: 4, R_s: 6 ohm,
          L_d: 16 mH, L_q: 16 mH, L_0: 4 mH, psi: 0.04 Wb, i_a0: 2 A}
  rotor: {type: mechanical.Inertia, J: 2e-4 kg.m2, phi0: 0.001 rad}
)",
                                             "m.yaml");
  solve::Options options;
  options.t_end = options.output_step = pi / omega;
  options.rtol = options.atol = 1e-10;
  // the period is longer by θ²/16 = 1e-6 at an amplitude of 4e-3 rad
  EXPECT_NEAR(run_model(model, options).signal("rotor.phi").back(), -0.001, 1e-8);
}

}  // namespace
}  // namespace coenergy::tests
