// Examples of flexible mechanisms against closed forms and published values.
#include <cmath>
#include <numbers>

#include "coenergy/analyze/equilibrium.hpp"
#include "coenergy/analyze/linearize.hpp"
#include "coenergy/analyze/modes.hpp"
#include "coenergy/solve/initialize.hpp"
#include "tests/example_run.hpp"

namespace coenergy::tests {
namespace {

/// An example at the start that it asks for.
struct AtStart {
  AtStart(const std::string& name, const Settings& set = {})
      : model(read_example(name, name, set)), evaluator(compile_model(model)) {
    start = solve::initialize(evaluator, io::read_simulation_options(model));
    EXPECT_TRUE(start.good) << start.text;
    values.resize(evaluator.system().signals().size());
    evaluator.signals(start.point, values);
  }
  double operator[](const std::string& signal) const { return values.at(evaluator.system().find_signal(signal)); }
  model::Model model;
  equations::Evaluator evaluator;
  solve::Start start;
  std::vector<double> values;
};

TEST(FlexibleExamples, TheBendComesWhereThePublishedOnesAre) {
  const AtStart bend("bend45");
  // Cardona and Géradin 1988 with eight elements: 47.04, 15.55, 53.50; others differ from them by 0.4 %
  EXPECT_NEAR(bend["beam.tip.x"], 47.04, 0.004 * 47.04);
  EXPECT_NEAR(bend["beam.tip.y"], 15.55, 0.004 * 15.55);
  EXPECT_NEAR(bend["beam.tip.z"], 53.50, 0.004 * 53.50);
  // the force acts on its lever: M = r × F at the root, in axes of the section there
  EXPECT_NEAR(bend["beam.s1.Mx"], 600 * bend["beam.tip.y"], 1e-4);
  EXPECT_NEAR(bend["beam.s1.My"], -600 * bend["beam.tip.x"], 1e-4);
  EXPECT_NEAR(bend["beam.s1.Qz"], 600, 1e-4);
  // order 10 says the same
  const AtStart fine("bend45", {{"beam.order", "10"}});
  for (const char* axis : {"beam.tip.x", "beam.tip.y", "beam.tip.z"}) EXPECT_NEAR(bend[axis], fine[axis], 5e-4) << axis;
}

TEST(FlexibleExamples, ThePrincetonBeamBendsAsOthersSay) {
  const AtStart beam("princeton_beam");
  // Obrezkov and others 2022; their elements differ by 0.3 mm among each other
  EXPECT_NEAR(beam["beam.tip.y"], 0.108988, 3e-4);
  EXPECT_NEAR(beam["beam.tip.z"], 0.008837, 3e-4);
  EXPECT_NEAR(beam["beam.s1.My"], -8.896 * std::sqrt(0.5) * beam["beam.tip.x"], 1e-6);
}

TEST(FlexibleExamples, TheFrameIsStableBelowItsBucklingLoadOnly) {
  for (const auto& [load, stable] : {std::pair("1.05 N", true), std::pair("1.12 N", false)}) {
    AtStart frame("right_angle_frame", {{"F", load}});
    EXPECT_EQ(analyze::find_stability(frame.evaluator, frame.start.point).stable, stable) << load;
  }
}

TEST(FlexibleExamples, TheSliderComesWhereTheTestSetSays) {
  const solve::Result run = run_model(read_example("flexible_slider_crank", "flexible_slider_crank"));
  // two shapes of the test set against all of them: 2e-6
  EXPECT_NEAR(run.signal("guide.q").back(), 0.1697373328427860, 3e-6);
  // the rod is not rigid: that one leaves it at √(0.3² − (0.15 sin 15)²) + 0.15 cos 15
  const double rigid = 0.15 * std::cos(15) + std::sqrt(0.09 - std::pow(0.15 * std::sin(15), 2));
  EXPECT_GT(std::abs(run.signal("guide.q").back() - rigid), 5e-6);
}

TEST(FlexibleExamples, TheSpunBeamStretchesByTheClosedForm) {
  // faster, and damped more, so that the swing has died away by 1e-9
  model::Model model = read_example("spin_up", "spin_up", {{"T", "3 s"}, {"beam.damping", "0.5 s"}});
  solve::Options options = io::read_simulation_options(model);
  options.t_end = 11, options.output_step = 11;
  const solve::Result run = run_model(model, options);
  const double k = std::sqrt(1.2 * 36 / 2.8e7), extension = std::tan(10 * k) / k - 10;
  EXPECT_NEAR(std::hypot(run.signal("beam.tip.x").back(), run.signal("beam.tip.y").back()) - 10, extension, 1e-10);
}

TEST(FlexibleExamples, TheFourBarStartsWithoutStrainAndKeepsItsAccount) {
  const AtStart at("flexible_four_bar");
  // at rest all energy is the height of the bars: tips of crank, coupler and rocker
  const double y = at["coupler.tip.y"], A = 4e-4 * 7800 * 9.81;
  EXPECT_NEAR(at["energy.stored"], A * (0.9 * y / 2 + 1.5 * y / 2), 1e-9);
  for (const char* load : {"N", "Mz"}) EXPECT_TRUE(std::isfinite(at[std::string("crank.s1.") + load]));
  const solve::Result run = run_model(at.model);
  const double gained = run.signal("energy.stored").back() - run.signal("energy.stored").front();
  // numerical damping of fixed steps takes 1e-4 J
  EXPECT_NEAR(gained, run.signal("energy.supplied").back() - run.signal("energy.dissipated").back(), 1e-3);
  EXPECT_GT(std::abs(run.signal("energy.supplied").back()), 1);
}

TEST(FlexibleExamples, TheBladeIsStiffenedByItsSpeed) {
  std::vector<double> flap, tension;
  for (const char* speed : {"0 rad/s", "20 rad/s", "40 rad/s"}) {
    const model::Model model = read_example("helicopter_blade", "helicopter_blade", {{"W", speed}});
    equations::Evaluator evaluator(compile_model(model));
    const solve::Result run = solve::simulate(evaluator, io::read_simulation_options(model));
    ASSERT_EQ(run.status, solve::Status::done) << run.text;
    tension.push_back(run.signal("blade.s1.N").back());
    flap.push_back(std::abs(
        analyze::compute_modes(evaluator.system(), analyze::linearize_states(evaluator, run.end)).modes[0].eigenvalue));
  }
  // tension at the root: ∫ m Ω² (0.3 + s) ds with m = ρ b h linear in both; stretch and bending are 1e-4 of it
  double sum = 0;
  const int n = 1000;
  for (int k = 0; k < n; ++k) {
    const double s = (k + 0.5) / n;
    sum += 2700 * (0.25 - 0.05 * s) * (0.024 - 0.006 * s) * 1600 * (0.3 + 4 * s) * 4 / n;
  }
  EXPECT_NEAR(tension[2] / sum, 1, 1e-3);
  // Southwell: ω² = ω₀² + K Ω², K 1.19 for a blade without hub, 1 + 1.5·0.3/4 or a little more from the hub
  for (int k : {1, 2}) {
    const double speed = 20 * k, K = (flap[k] * flap[k] - flap[0] * flap[0]) / (speed * speed);
    EXPECT_GT(K, 1.15) << speed;
    EXPECT_LT(K, 1.4) << speed;
  }
}

}  // namespace
}  // namespace coenergy::tests
