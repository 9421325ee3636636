// examples/05_cantilever against beam theory (Euler-Bernoulli, and the elastica under an end moment).
#include <cmath>

#include "coenergy/analyze/equilibrium.hpp"
#include "coenergy/analyze/linearize.hpp"
#include "coenergy/analyze/modes.hpp"
#include "coenergy/solve/initialize.hpp"
#include "tests/example_run.hpp"

namespace coenergy::tests {
namespace {

// aluminium, 20 mm along y, 30 mm along z, 1 m
constexpr double E = 70e9, rho = 2700, L = 1, area = 0.02 * 0.03, I = 0.03 * 0.02 * 0.02 * 0.02 / 12;

TEST(CantileverExample, HasTheFrequenciesOfAClampedBeam) {
  const model::Model model = read_example("05_cantilever", "cantilever", {{"beam.elements", "24"}});
  equations::Evaluator evaluator(compile_model(model));
  const solve::Start start = solve::initialize(evaluator, io::read_simulation_options(model));
  ASSERT_TRUE(start.good) << start.text;
  const analyze::Modes modes = analyze::compute_modes(evaluator.system(), analyze::linearize(evaluator, start.point));
  // bending in the soft plane is every other mode: about z, about y, …
  const double k[] = {1.8751040687, 4.6940911330, 7.8547574382};
  std::vector<double> found;
  for (const analyze::Mode& mode : modes.modes) found.push_back(mode.frequency);
  for (double root : k) {
    const double theory = root * root / (2 * M_PI * L * L) * std::sqrt(E * I / (rho * area));
    double nearest = 1e9;
    for (double f : found) nearest = std::min(nearest, std::abs(f / theory - 1));
    // the discretisation error falls with 1/N² (0.6 % for the third mode at N = 24); shear and rotary inertia are below
    // 0.2 %
    EXPECT_LT(nearest, 0.01) << theory;
  }
}

/// Static shape of the example with a load on the tip that grows in steps.
equations::Point find_shape(model::Model& model, const std::string& parameter, double load, int steps) {
  equations::Evaluator evaluator(compile_model(model));
  const int k = evaluator.system().find_parameter(parameter);
  EXPECT_GE(k, 0) << parameter;
  equations::Point point = solve::initialize(evaluator, io::read_simulation_options(model)).point;
  for (int i = 1; i <= steps; ++i) {
    evaluator.set_parameter(k, load * i / steps);
    const analyze::Equilibrium found = analyze::find_equilibrium(evaluator, point);
    EXPECT_TRUE(found.good) << found.text;
    point = found.point;
  }
  return point;
}

double signal_of(model::Model& model, const equations::Point& point, const std::string& name) {
  equations::Evaluator evaluator(compile_model(model));
  std::vector<double> values(evaluator.system().signals().size());
  evaluator.signals(point, values);
  return values[evaluator.system().find_signal(name)];
}

TEST(CantileverExample, BendsUnderASmallTipLoadAsTheory) {
  model::Model model = read_example("05_cantilever", "cantilever", {{"beam.elements", "16"}});
  model.find("tip")->values = {{"body", "beam.tip"}, {"force", std::vector<model::Value>{"0", "2 N", "0"}}};
  const equations::Point point = find_shape(model, "tip.force[1]", 2, 1);
  // shear adds 0.03 %; one-point elements with the bending correction are exact at the nodes
  EXPECT_NEAR(signal_of(model, point, "beam.tip.y"), 2 * L * L * L / (3 * E * I), 0.005 * 2 / (3 * E * I));
}

TEST(CantileverExample, RollsUpToACircle) {
  model::Model model = read_example("05_cantilever", "cantilever", {{"beam.elements", "16"}});
  *model.find("tip") = {"tip",
                        "multibody.Torque",
                        {{"body", "beam.tip"}, {"torque", std::vector<model::Value>{"0", "0", "2 N.m"}}},
                        {},
                        {}};
  const equations::Point point = find_shape(model, "tip.torque[2]", 2 * M_PI * E * I / L, 16);
  EXPECT_NEAR(signal_of(model, point, "beam.tip.x"), 0, 1e-3 * L);
  EXPECT_NEAR(signal_of(model, point, "beam.tip.y"), 0, 1e-3 * L);
}

}  // namespace
}  // namespace coenergy::tests
