// examples/hybrid_stepper, planar_motor, maglev: closed forms, structure, stability and energy.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "coenergy/analyze/linearize.hpp"
#include "coenergy/analyze/modes.hpp"
#include "coenergy/solve/initialize.hpp"
#include "tests/example_run.hpp"

namespace coenergy::tests {
namespace {

using std::numbers::pi;

void expect_closed_account(const solve::Result& r, double tolerance) {
  const std::vector<double> supplied = r.signal("energy.supplied"), lost = r.signal("energy.dissipated"),
                            stored = r.signal("energy.stored");
  double turnover = 0, worst = 0;
  for (std::size_t k = 0; k < supplied.size(); ++k) {
    turnover = std::max({turnover, std::abs(supplied[k]), std::abs(lost[k]), std::abs(stored[k] - stored[0])});
    worst = std::max(worst, std::abs(supplied[k] - lost[k] - (stored[k] - stored[0])));
  }
  EXPECT_GT(turnover, 0);
  EXPECT_LT(worst, tolerance * turnover);
}

solve::Result run(const char* folder, const char* name, const Settings& set, double t_end, double rtol = 0) {
  const model::Model model = read_example(folder, name, set);
  solve::Options options = io::read_simulation_options(model);
  options.t_end = t_end;
  if (rtol > 0) options.rtol = rtol, options.atol = rtol / 100;
  return run_model(model, options);
}

// ---- hybrid stepper: N = 50, psi I = 0.022 J, T_d = 0.04 N.m
TEST(HybridStepperExample, RestsWhereTorquesOfCurrentsAndTeethAreInBalance) {
  for (const int quarters : {0, 1, 2, 3, 5}) {
    // quarter steps at 400 Hz, then rest
    const std::string turned = std::to_string(quarters) + "/4";
    const solve::Result r =
        run("hybrid_stepper", "hybrid_stepper", {{"sequence.steps", turned}, {"load.d", "0.02 N.m.s/rad"}}, 1);
    const double phi = r.signal("rotor.phi").back(), wanted = quarters * pi / 8, current = 2 * 12 / 12.9;
    double angle = wanted;
    for (int n = 0; n < 50; ++n) {  // N psi I sin(wanted − N φ) = T_d sin 4 N φ by Newton
      const double f = 50 * 0.011 * current * std::sin(wanted - angle) - 0.04 * std::sin(4 * angle);
      angle += f / (50 * 0.011 * current * std::cos(wanted - angle) + 0.16 * std::cos(4 * angle));
    }
    EXPECT_NEAR(50 * phi, angle, 1e-7) << quarters;  // e^{−d t/2J} has faded; 1e-9 per step
  }
}

TEST(HybridStepperExample, FollowsItsStepsAndKeepsItsAccount) {
  const solve::Result r = run("hybrid_stepper", "hybrid_stepper", {}, 0.2, 1e-10);
  expect_closed_account(r, 1e-8);
  EXPECT_NEAR(r.signal("rotor.phi").back(), 80 * pi / 400, pi / 400);  // 80 quarter steps; within one full step
  // ten times as fast it cannot follow: N psi I/J allows 50 000 rad/s², a quarter step in 0.8 ms
  const solve::Result fast = run("hybrid_stepper", "hybrid_stepper", {{"f", "10000 Hz"}}, 0.05);
  EXPECT_LT(fast.signal("rotor.phi").back(), 0.5 * 500 * pi / 100);
}

// ---- planar motors
TEST(PlanarMotorExample, HasTheForcesOfItsCoenergyInBothDirections) {
  const solve::Result r = run("planar_motor", "coil_slide", {}, 0.5);
  const std::vector<double> x = r.signal("x.q"), y = r.signal("y.q"), ax = r.signal("x.qdd"), ay = r.signal("y.qdd");
  const std::vector<double> i[] = {r.signal("coils.i1"), r.signal("coils.i2"), r.signal("coils.i3"),
                                   r.signal("coils.i4")};
  const double c = pi / 0.024;
  for (std::size_t k = 0; k < x.size(); ++k) {
    // m a = ∂W'/∂x; the accelerations of rows have the error of a step
    EXPECT_NEAR(1.6 * ax[k], 0.06 * c * (i[1][k] * std::cos(c * x[k]) - i[0][k] * std::sin(c * x[k])), 1e-9 * 1e3);
    EXPECT_NEAR(1.6 * ay[k], 0.06 * c * (i[3][k] * std::cos(c * y[k]) - i[2][k] * std::sin(c * y[k])), 1e-9 * 1e3);
  }
  expect_closed_account(r, 1e-8);
  // the circle of 20 mm, but for the lag of control: kp 6000 N/m against m ω² = 253 N/m and the current loop
  EXPECT_NEAR(std::hypot(x.back(), y.back() - 0.02), 0.02, 0.002);
}

TEST(PlanarMotorExample, OfACombPlateStepsByTeethInBothDirections) {
  const solve::Result r = run("planar_motor", "hybrid_stepper", {}, 0.4);
  // 8 full steps of a quarter of a tooth in each direction
  EXPECT_NEAR(r.signal("x.q").back(), 2e-3, 1e-9);
  EXPECT_NEAR(r.signal("y.q").back(), 2e-3, 2e-6);  // the last step was 80 ms ago
  expect_closed_account(r, 1e-7);                   // 1e-9 per step, 16 switchings
}

// ---- maglev
TEST(MaglevExample, HasThePublishedStructure) {
  const compile::Compiled c = compile::compile(read_example("maglev", "maglev"), domains::make_standard_registry());
  EXPECT_EQ(c.summary.mechanism.bodies, 5);
  EXPECT_EQ(c.system.nv(), 30);
  const auto& branches = c.summary.circuit.branches;  // windings that are not there count as short-circuited resistors
  EXPECT_EQ(std::count_if(branches.begin(), branches.end(), [](const auto& b) { return b.p != b.n; }), 28);
  EXPECT_EQ(c.summary.circuit.order, 14);
}

double largest_real_part(const model::Model& model) {
  const equations::System system = compile_model(model);
  equations::Evaluator evaluator(system);
  const auto linear = analyze::linearize_states(evaluator, solve::initialize(evaluator).point);
  double largest = -1e300;
  for (const auto& mode : analyze::compute_modes(system, linear).modes)
    largest = std::max(largest, mode.eigenvalue.real());
  return largest;
}

TEST(MaglevExample, IsUnstableByItselfAndStableUnderControl) {
  // at constant currents a skate has m λ² + c λ = 2 F/s0 − k with k, c of the secondary suspension (the cabin hardly moves)
  const Settings held = {{"kp", "0"}, {"kd", "0 s"}, {"K", "1e7 ohm"}};
  const double force = 9.81 * 26e3 / 4;
  const double half = 8e3 / 1500 / 2, pole = std::sqrt(half * half + (2 * force / 0.01 - 2e5) / 1500) - half;
  EXPECT_NEAR(largest_real_part(read_example("maglev", "maglev", held)), pole, 0.01 * pole);
  EXPECT_GT(largest_real_part(read_example("maglev", "open_loop")), 10);
  // integrators and the free motion along the track have zero
  EXPECT_LT(largest_real_part(read_example("maglev", "maglev")), 1e-6);
  EXPECT_LT(largest_real_part(read_example("maglev", "maglev", {{"ki", "5 1/s"}})), 1e-6);
  EXPECT_LT(largest_real_part(read_example("maglev", "state_control")), 1e-6);
}

TEST(MaglevExample, BringsTheGapBackAfterAStepOfTheRail) {
  for (const auto& [file, set] :
       {std::pair("maglev", Settings{}), {"maglev", {{"ki", "5 1/s"}}}, {"state_control", {}}}) {
    Settings all = set;
    all.emplace_back("step", "2 mm");
    const solve::Result r = run("maglev", file, all, 4, 1e-10);
    const std::vector<double> gap = r.signal("g_fl.y");
    EXPECT_GT(*std::max_element(gap.begin(), gap.end()), 0.0102) << file;  // the step was felt
    EXPECT_NEAR(gap.back(), 0.01, 1e-5) << file;                           // 4 s: the slowest mode has 0.2/s of 1 Hz
    expect_closed_account(r, 1e-8);
  }
}

}  // namespace
}  // namespace coenergy::tests
