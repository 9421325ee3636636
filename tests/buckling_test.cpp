// Loads at which structures buckle, against closed forms and published values.
#include "coenergy/analyze/buckling.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "coenergy/solve/initialize.hpp"
#include "tests/inline_model.hpp"

namespace coenergy::tests {
namespace {

constexpr double pi = std::numbers::pi;

analyze::Buckling buckle(const std::string& text, double scale) {
  equations::Evaluator evaluator(
      compile_model(io::parse_model("parameters: {P: 0 N}\ncomponents:\n" + text, "m.yaml")));
  const solve::Start start = solve::initialize(evaluator);
  return analyze::find_buckling(evaluator, start.point, evaluator.system().find_parameter("P"), {.scale = scale});
}

TEST(Buckling, OfAClampedColumnIsEulersLoad) {
  const std::string column = R"(
  clamp: {type: multibody.Fixed, parent: ground, child: beam}
  beam: {type: flexible.BeamBody, length: 1.4, order: 8, elements: 2, EA: 1e8, GA: 1e8, GJ: 100, EI: [40, 90],
         mass_per_length: 1, inertia_per_length: 1e-2}
  tip: {type: multibody.Force, body: beam.tip, force: [-P, 0, 0]}
)";
  const double euler = pi * pi * 40 / (4 * 1.4 * 1.4);
  // stretch and shear are 1e-6 of it; halving ends at 1e-7
  for (double scale : {1.0, 200.0}) {
    const analyze::Buckling found = buckle(column, scale);
    ASSERT_TRUE(found.good) << found.text;
    EXPECT_NEAR(found.load / euler, 1, 2e-6);
    EXPECT_FALSE(found.is_limit_point);
  }
  // the soft axis: z moves most
  const analyze::Buckling found = buckle(column, 30);
  const auto tip = std::find(found.names.begin(), found.names.end(), "beam.n8.y") - found.names.begin();
  ASSERT_LT(tip, static_cast<long>(found.names.size()));
  EXPECT_NEAR(found.shape[tip], 0, 1e-6);
  EXPECT_GT(std::abs(found.shape[tip + 1]), 0.1);
  // pulled, it never does
  const analyze::Buckling pulled = buckle(column, -1);
  EXPECT_FALSE(pulled.good);
  EXPECT_EQ(pulled.text, "the equilibrium is stable up to -1000, 1000 times the load given");
}

TEST(Buckling, OfAFlatCantileverIsPrandtlsLoad) {
  // lateral: P = 4.0126 √(EI GJ)/l² for a section that does not bend in the plane of the load (Prandtl 1899)
  const analyze::Buckling found = buckle(R"(
  clamp: {type: multibody.Fixed, parent: ground, child: beam}
  beam: {type: flexible.BeamBody, length: 2, order: 8, elements: 2, EA: 1e9, GA: 1e9, GJ: 30, EI: [20, 1e7],
         mass_per_length: 1, inertia_per_length: 0.1}
  tip: {type: multibody.Force, body: beam.tip, force: [0, -P, 0]}
)",
                                         10);
  ASSERT_TRUE(found.good) << found.text;
  EXPECT_NEAR(found.load / (4.0126 * std::sqrt(20.0 * 30) / 4), 1, 5e-5);  // five digits of the factor
}

TEST(Buckling, OfTwoBarsIsTheirLimitPoint) {
  // a shallow truss of springs of length l over a height h snaps through: F = 2 k (l₀ − l) y/l, largest where y³… by dF/dy = 0
  const analyze::Buckling found = buckle(R"(
  slide: {type: multibody.Prismatic, parent: ground, child: top, axis: y, q0: 0.2}
  top: {type: multibody.Body, mass: 1, inertia: [1, 1, 1]}
  a: {type: multibody.PointSpringDamper, a: ground, a_at: [-1, 0, 0], b: top, stiffness: 1000, length: sqrt(1.04)}
  b: {type: multibody.PointSpringDamper, a: ground, a_at: [1, 0, 0], b: top, stiffness: 1000, length: sqrt(1.04)}
  push: {type: multibody.Force, body: top, force: [0, -P, 0]}
)",
                                         5);
  ASSERT_TRUE(found.good) << found.text;
  // l = l₀^⅓ at the limit: y² = l² − 1
  const double l0 = std::sqrt(1.04), l = std::cbrt(l0), y = std::sqrt(l * l - 1);
  EXPECT_NEAR(found.load / (2 * 1000 * (l0 - l) * y / l), 1, 1e-6);
  EXPECT_TRUE(found.is_limit_point);
}

TEST(Buckling, IsNotThatOfWhatIsUnstableAnyway) {
  const analyze::Buckling found = buckle(R"(
  gravity: {type: multibody.Gravity, g: [0, -9.81, 0]}
  arm: {type: multibody.Body, mass: 1, com: [0, 0.4, 0], inertia: [0.1, 0.1, 0.1]}
  hinge: {type: multibody.Revolute, parent: ground, child: arm}
  push: {type: multibody.Force, body: arm, force: [0, -P, 0]}
)",
                                         1);
  EXPECT_FALSE(found.good);
  EXPECT_EQ(found.text.find("the equilibrium without the load is unstable"), 0u) << found.text;
}

}  // namespace
}  // namespace coenergy::tests
