// Parameters of a machine by the balances of measured motions.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <ctime>
#include <random>

#include "coenergy/study/balance_fit.hpp"
#include "tests/example_run.hpp"

namespace coenergy::tests {
namespace {

TEST(BalanceFit, APayloadOnSixAxesFromAMinuteOfMotion) {
  // mass, three coordinates of its centre, six moments of inertia: ten parameters; 100 samples a second of noisy torques
  std::string text = "components:\n  gravity: {type: multibody.Gravity, g: [0, 0, -9.81]}\n";
  const char* axes[] = {"z", "y", "y", "x", "y", "x"};
  for (int k = 1; k <= 6; ++k) {
    const std::string parent = k == 1 ? "ground" : fmt::format("link{}, parent_at: [0.1, 0.05, 0.25]", k - 1);
    text += fmt::format("  joint{0}: {{type: multibody.Revolute, parent: {1}, child: link{0}, axis: {2}}}\n", k, parent,
                        axes[k - 1]);
    text += fmt::format(
        "  link{0}: {{type: multibody.Body, mass: {1}, com: [0.02, 0.01, 0.1], inertia: [0.05, 0.04, 0.03]}}\n", k,
        8 - k);
    text += fmt::format("  T{0}: {{type: mechanical.Torque, flange: joint{0}.shaft, tau: 0}}\n", k);
  }
  text +=
      "  tool: {type: multibody.Fixed, parent: link6, child: load}\n"
      "  load: {type: multibody.Body, mass: 3, com: [0.05, -0.02, 0.12], inertia: [0.03, 0.025, 0.02, 0.002, -0.001, "
      "0.003]}\n";
  const model::Model model = io::parse_model(text, "arm.yaml");
  std::vector<std::string> parameters{"load.mass"};
  for (int k = 0; k < 3; ++k) parameters.push_back(fmt::format("load.com[{}]", k));
  for (int k = 0; k < 6; ++k) parameters.push_back(fmt::format("load.inertia[{}]", k));
  const study::BalanceFit::Compile compile = [](const model::Model& m, const std::vector<std::string>& inputs) {
    return compile::compile(m, domains::make_standard_registry(), {.inputs = inputs}).system;
  };
  // torques of a motion of several frequencies in each joint: what the balances lack without them
  study::Measured data{"motion.csv", {}};
  for (const char* what : {"q", "qd", "qdd"})
    for (int k = 1; k <= 6; ++k) data.data.names.push_back(fmt::format("joint{}.{}", k, what));
  for (int k = 1; k <= 6; ++k) data.data.names.push_back(fmt::format("T{}.tau", k));
  data.data.units.assign(data.data.names.size(), "");
  const equations::System system = compile(model, {});
  ASSERT_EQ(system.nv(), 6);
  equations::Evaluator evaluator(system);
  equations::Point at = evaluator.start();
  std::vector<double> r(static_cast<std::size_t>(system.n()));
  std::mt19937 random(4);
  std::normal_distribution<double> noise(0, 0.05);  // N.m
  for (int sample = 0; sample < 6000; ++sample) {
    const double t = 0.01 * sample;
    for (std::size_t k = 0; k < 6; ++k) {
      at.q[k] = at.v[k] = at.a[k] = 0;
      for (int h = 1; h <= 3; ++h) {
        const double w = 0.35 * h * (1 + 0.13 * static_cast<double>(k)),
                     phase = static_cast<double>(h) * static_cast<double>(k);
        at.q[k] += 0.6 / h * std::sin(w * t + phase), at.v[k] += 0.6 / h * w * std::cos(w * t + phase);
        at.a[k] -= 0.6 / h * w * w * std::sin(w * t + phase);
      }
    }
    evaluator.residual(at, equations::Level::acceleration, r);
    for (const auto* part : {&at.q, &at.v, &at.a})
      data.data.values.insert(data.data.values.end(), part->begin(), part->end());
    for (std::size_t k = 0; k < 6; ++k) data.data.values.push_back(r[k] + noise(random));
  }
  model::Model wrong = model;
  for (const auto& [path, value] : {std::pair("load.mass", "1"), std::pair("load.com", "[0, 0, 0.05]"),
                                    std::pair("load.inertia", "[0.01, 0.01, 0.01, 0, 0, 0]")})
    wrong.set(path, io::parse_value(value, "test"));
  const auto processor = [] { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; };
  const double begin = processor();
  study::BalanceFit fit(wrong, domains::make_standard_registry(), {data}, parameters, compile);
  const study::Identification found = fit.identify({});
  EXPECT_LT(processor() - begin, 5);
  ASSERT_TRUE(found.fit.good) << found.fit.text;
  EXPECT_EQ(found.fit.rank, 10);
  const double truth[] = {3, 0.05, -0.02, 0.12, 0.03, 0.025, 0.02, 0.002, -0.001, 0.003};
  for (std::size_t k = 0; k < 10; ++k) {
    EXPECT_NEAR(found.fit.p[k], truth[k], 4.5 * found.fit.sigma[k]) << found.names[k];  // once in 15,000 for all ten
    EXPECT_LT(found.fit.sigma[k], 0.05) << found.names[k];
  }
}

}  // namespace
}  // namespace coenergy::tests
