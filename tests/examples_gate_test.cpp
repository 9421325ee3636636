// examples/parking_gate: cycle times, the barrier as a beam of segments, damping by resistances.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "coenergy/analyze/linearize.hpp"
#include "coenergy/analyze/modes.hpp"
#include "coenergy/solve/initialize.hpp"
#include "tests/inline_model.hpp"

namespace coenergy::tests {
namespace {

using std::numbers::pi;

/// The lowest frequencies of a clamped beam of n segments with springs k between them; the root has its own.
std::vector<double> beam_frequencies(double EI, int n, bool is_first_locked) {
  const double length = 3, l = length / n, m = 2.682 / n, k = EI / l;
  const std::string text =
      "parts:\n  Segment:\n    ports: {base: base, tip: bar}\n    parameters: {from: [0 m, 0 m, 0 m], l: 1 m, "
      "m: 1 kg, k: 0 N.m/rad}\n    components:\n      joint: {type: multibody.Revolute, parent: base, child: "
      "bar, axis: z, parent_at: from, stiffness: k}\n      bar: {type: multibody.Body, mass: m, com: [l/2, 0, 0], "
      "inertia: [0, m*l^2/12, m*l^2/12]}\ncomponents:\n  s: {type: Segment, repeat: " +
      std::to_string(is_first_locked ? n - 1 : n) + ", base: previous.tip, from: [" + std::to_string(l) +
      ", 0, 0], l: " + std::to_string(l) + ", m: " + std::to_string(m) + ", k: " + std::to_string(k) +
      ", first: {base: ground, k: " + std::to_string(is_first_locked ? k : 2 * k) + "}}\n";
  const equations::System system = compile_model(io::parse_model(text, "m.yaml"));
  equations::Evaluator evaluator(system);
  const auto linear = analyze::linearize_states(evaluator, solve::initialize(evaluator).point);
  std::vector<double> frequencies;
  for (const auto& mode : analyze::compute_modes(system, linear).modes) frequencies.push_back(mode.frequency);
  return frequencies;
}

constexpr double EI = 72e9 * 0.12315e-6;

TEST(SegmentedBeam, HasTheFrequenciesOfEulerAndBernoulli) {
  // clamped and free: (β L)² √(E I/ρ A L⁴)/2π
  const double factor = std::sqrt(EI / (2.682 / 3 * 81)) / (2 * pi);
  const std::vector<double> f = beam_frequencies(EI, 30, false);
  const double beta[] = {1.875104068711961, 4.694091132974175, 7.854757438237613};
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(f[k], factor * beta[k] * beta[k], 0.005 * f[k]) << k;
  // and values computed apart, printed to 5 digits
  EXPECT_NEAR(f[0], 6.1890, 1e-4);
  EXPECT_NEAR(f[1], 38.737, 1e-3);
  EXPECT_NEAR(f[2], 108.342, 1e-3);
}

TEST(SegmentedBeam, WithALockedFirstSegmentHasThePublishedFirstMode) {
  const std::vector<double> f = beam_frequencies(EI, 30, true);
  EXPECT_NEAR(f[0], 6.4055, 1e-4);
  EXPECT_NEAR(f[1], 40.169, 1e-3);
  // the published modes belong to E I/(ρ A L⁴) = 232.5 instead of 122.45 1/s²: then the first is 8.83 Hz
  EXPECT_NEAR(beam_frequencies(232.5 * 2.682 / 3 * 81, 30, true)[0], 8.83, 0.005);
}

solve::Result run_gate(const Settings& set, double t_end, double rtol = 1e-6) {
  const model::Model model = read_example("parking_gate", "parking_gate", set);
  solve::Options options = io::read_simulation_options(model);
  options.t_end = t_end;
  options.rtol = rtol, options.atol = rtol / 100;
  return run_model(model, options);
}

/// When a signal that rises passes a level.
double time_of(const solve::Result& r, const std::string& signal, double level) {
  const std::vector<double> x = r.signal(signal);
  for (std::size_t k = 1; k < x.size(); ++k)
    if (x[k] >= level) return r.times[k - 1] + (level - x[k - 1]) / (x[k] - x[k - 1]) * (r.times[k] - r.times[k - 1]);
  return -1;
}

TEST(ParkingGate, OpensInHalfATurnAtSynchronousSpeed) {
  const solve::Result r = run_gate({}, 1.7);
  const double open = time_of(r, "joint1.q", 1.5 * pi);
  EXPECT_NEAR(open, 53 * pi / (2 * pi * 50 / 3), 0.05 * 1.59);
  const std::vector<double> angle = r.signal("joint5.q");
  EXPECT_NEAR(*std::max_element(angle.begin(), angle.end()), pi / 2, 1e-4);  // a row every 2 ms at a dead point
}

TEST(ParkingGate, KeepsItsLoopsClosedAndItsAccount) {
  const solve::Result r = run_gate({}, 0.3, 1e-9);
  // loops: the cuts by the positions of the bodies, crank (r1), coupler (r2), rocker (r4)
  const std::vector<double> a = r.signal("joint1.q"), b = r.signal("joint2.q"), c = r.signal("joint3.q");
  const double r1 = 0.05 * std::sqrt(2);
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double x = r1 * std::cos(a[k]) + 0.4 * std::cos(a[k] + b[k]) - r1 - 0.1 * std::cos(c[k]);
    const double y = r1 * std::sin(a[k]) + 0.4 * std::sin(a[k] + b[k]) - 0.4 - 0.1 * std::sin(c[k]);
    ASSERT_LT(std::hypot(x, y), 1e-10) << r.times[k];
  }
  // account of energy
  const std::vector<double> supplied = r.signal("energy.supplied"), lost = r.signal("energy.dissipated"),
                            stored = r.signal("energy.stored");
  double turnover = 0, worst = 0;
  for (std::size_t k = 0; k < supplied.size(); ++k) {
    turnover = std::max({turnover, std::abs(supplied[k]), std::abs(stored[k] - stored[0])});
    worst = std::max(worst, std::abs(supplied[k] - lost[k] - (stored[k] - stored[0])));
  }
  EXPECT_LT(worst, 1e-8 * turnover);
}

TEST(ParkingGate, GoesRoundAtGear16AndNeverOpensWithoutAGear) {
  const solve::Result fast = run_gate({{"gear", "16"}}, 2.1);
  const double first = time_of(fast, "joint1.q", 2.5 * pi), second = time_of(fast, "joint1.q", 4.5 * pi);
  const double synchronous = 16 * 2 * pi / (2 * pi * 50 / 3);  // 0.960 s
  EXPECT_NEAR(second - first, synchronous, 0.05 * synchronous);
  EXPECT_NEAR(first, synchronous, 0.1 * synchronous);  // with the start from rest
  const solve::Result direct = run_gate({{"gear", "1"}}, 2);
  const std::vector<double> angle = direct.signal("joint5.q");
  EXPECT_LT(*std::max_element(angle.begin(), angle.end()), 0.9 * pi / 2);
}

TEST(ParkingGate, ShowsTheBendingOfItsBarrierTheMoreTheSmallerTheGear) {
  double before = 0;
  for (const char* gear : {"53", "16"}) {
    const solve::Result bends = run_gate({{"gear", gear}}, 0.5),
                        rigid = run_gate({{"gear", gear}, {"s.joint.locked", "yes"}}, 0.5);
    const std::vector<double> a = bends.signal("rotor.w"), b = rigid.signal("rotor.w");
    double difference = 0;
    for (std::size_t k = 0; k < a.size(); ++k) difference = std::max(difference, std::abs(a[k] - b[k]));
    EXPECT_GT(difference, 2 * before) << gear;
    before = difference;
  }
}

TEST(ParkingGate, LosesEnergyInTheResistancesOfItsMotorAlone) {
  // pushed without a motor, the gate moves on and nothing is lost
  model::Model free = read_example("parking_gate", "parking_gate",
                                   {{"joint1.qd0", "3 rad/s"}, {"gear", "16"}, {"s.joint.locked", "yes"}});
  std::erase_if(free.components, [](const model::Component& c) {
    return c.name == "motor" || (c.name.size() == 2 && c.name[0] == 'U');
  });
  solve::Options options = io::read_simulation_options(free);
  options.t_end = 0.5;
  const solve::Result alone = run_model(free, options);
  const std::vector<double> angle = alone.signal("joint5.q"), stored = alone.signal("energy.stored");
  EXPECT_GT(*std::max_element(angle.begin(), angle.end()) - *std::min_element(angle.begin(), angle.end()), 0.1);
  EXPECT_EQ(alone.signal("energy.dissipated").back(), 0);
  for (const double e : stored) ASSERT_NEAR(e, stored[0], 1e-3);  // of some 100 J that go to and fro: 1e-6 per step
  // with it all losses are R i² of stator and rotor
  const solve::Result r = run_gate({}, 0.3, 1e-8);
  const std::vector<double> lost = r.signal("energy.dissipated");
  std::vector<std::vector<double>> stator, rotor;
  for (const char* phase : {"a", "b", "c"}) {
    stator.push_back(r.signal(std::string("motor.i_") + phase));
    rotor.push_back(r.signal(std::string("motor.i_r") + phase));
  }
  double joule = 0, before = 0;
  for (std::size_t k = 0; k < r.times.size(); ++k) {
    double power = 0;
    for (const std::vector<double>& i : stator) power += 27.35 * i[k] * i[k];
    for (const std::vector<double>& i : rotor) power += 2.735 * i[k] * i[k];
    if (k > 0) joule += (power + before) / 2 * (r.times[k] - r.times[k - 1]);
    before = power;
  }
  EXPECT_NEAR(joule, lost.back(), 0.005 * lost.back());  // rows every 2 ms
}

}  // namespace
}  // namespace coenergy::tests
