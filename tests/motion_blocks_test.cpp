// Trajectories against their definitions: limits, way, time, and that each output is the derivative of the one before.
#include <cmath>

#include "tests/inline_model.hpp"

namespace coenergy::tests {
namespace {

/// Integrates v and a in the model and compares, over the whole run.
void expect_derivatives(const std::string& block, double t_end, double from) {
  const auto r = run_text("components:\n  m: {" + block + "}\n" + R"yaml(
  y: {type: blocks.Integrator, u: m.v, y0: )yaml" +
                              std::to_string(from) + R"yaml(}
  v: {type: blocks.Integrator, u: m.a}
)yaml",
                          t_end, t_end / 50);
  const auto y = r.signal("m.y"), v = r.signal("m.v"), iy = r.signal("y.y"), iv = r.signal("v.y");
  for (std::size_t k = 0; k < y.size(); ++k) {
    EXPECT_NEAR(iy[k], y[k], 1e-7) << block << " at " << r.times[k];
    EXPECT_NEAR(iv[k], v[k], 1e-7) << block << " at " << r.times[k];
  }
}

TEST(MotionBlocks, OutputsAreDerivativesOfEachOther) {
  expect_derivatives("type: blocks.TrapezoidMotion, from: 1, to: 4, v_max: 2, a_max: 5, start: 0.2 s", 2.5, 1);
  expect_derivatives("type: blocks.TrapezoidMotion, from: 1, to: -0.5, v_max: 9, a_max: 5", 2, 1);
  expect_derivatives("type: blocks.TrapezoidMotion, to: 2, a_max: 3, start: 0.1 s", 2.5, 0);
  expect_derivatives("type: blocks.SCurveMotion, from: -1, to: 3, v_max: 2, a_max: 5, j_max: 40, start: 0.1 s", 3, -1);
  expect_derivatives("type: blocks.SCurveMotion, from: 2, to: 0.5, v_max: 20, a_max: 5, j_max: 40", 2, 2);
  expect_derivatives("type: blocks.SCurveMotion, to: 0.05, v_max: 20, a_max: 5, j_max: 10", 1, 0);
  expect_derivatives("type: blocks.SplineMotion, times: [0.1, 0.5, 0.6, 1.2], values: [1, 3, 2, 5]", 1.5, 1);
}

TEST(MotionBlocks, MotionsTakeTheirTime) {
  const auto r = run_text(R"yaml(
components:
  t: {type: blocks.TrapezoidMotion, from: 1, to: 4, v_max: 2, a_max: 5}
  s: {type: blocks.TrapezoidMotion, from: 1, to: 1.6, v_max: 2, a_max: 5}
  c: {type: blocks.SCurveMotion, to: 4, v_max: 2, a_max: 5, j_max: 50}
  b: {type: blocks.SCurveMotion, to: 0.05, v_max: 2, a_max: 5, j_max: 10}
)yaml",
                          3, 0.01);
  // D/v + v/a; 2 √(D/a); D/v + v/a + a/j; 4 t_j with D = 2 j t_j³
  EXPECT_NEAR(value_at(r, "t.duration", 0), 1.5 + 0.4, 1e-12);
  EXPECT_NEAR(value_at(r, "s.duration", 0), 2 * std::sqrt(0.6 / 5), 1e-12);
  EXPECT_NEAR(value_at(r, "c.duration", 0), 2 + 0.4 + 0.1, 1e-12);
  EXPECT_NEAR(value_at(r, "b.duration", 0), 4 * std::cbrt(0.05 / 20), 1e-12);
  for (const auto& [block, to, v_max, a_max] :
       {std::tuple("t", 4.0, 2.0, 5.0), {"s", 1.6, 2.0, 5.0}, {"c", 4.0, 2.0, 5.0}, {"b", 0.05, 2.0, 5.0}}) {
    const std::string name = block;
    double v = 0, a = 0;
    for (double x : r.signal(name + ".v")) v = std::max(v, std::abs(x));
    for (double x : r.signal(name + ".a")) a = std::max(a, std::abs(x));
    EXPECT_LE(v, v_max * (1 + 1e-12)) << block;
    EXPECT_LE(a, a_max * (1 + 1e-12)) << block;
    EXPECT_EQ(value_at(r, name + ".y", 3), to);
    EXPECT_EQ(value_at(r, name + ".v", 3), 0);
    EXPECT_EQ(value_at(r, name + ".a", 3), 0);
  }
}

TEST(MotionBlocks, ASplinePassesItsPointsSmoothly) {
  const auto r = run_text(
      "components: {m: {type: blocks.SplineMotion, times: [0.1, 0.5, 0.6, 1.2], values: [1, 3, 2, 5]}}", 1.5, 0.1);
  for (const auto& [t, y] : {std::pair(0.0, 1.0), {0.1, 1.0}, {0.5, 3.0}, {0.6, 2.0}, {1.2, 5.0}, {1.5, 5.0}})
    EXPECT_NEAR(value_at(r, "m.y", t), y, 1e-10) << t;  // rows at events stand just behind them
  EXPECT_NEAR(value_at(r, "m.v", 0.1), 0, 1e-9);
  EXPECT_EQ(value_at(r, "m.v", 1.3), 0);
  // the acceleration has no jump at inner points: from both sides
  const auto fine = run_text(
      "components: {m: {type: blocks.SplineMotion, times: [0.1, 0.5, 0.6, 1.2], values: [1, 3, 2, 5]}}", 0.7, 1e-4);
  EXPECT_NEAR(value_at(fine, "m.a", 0.4999), value_at(fine, "m.a", 0.5001), 0.5);
  EXPECT_NEAR(value_at(fine, "m.a", 0.5999), value_at(fine, "m.a", 0.6001), 0.5);
}

TEST(MotionBlocks, ABlockMovesAMechanism) {
  const auto r = run_text(R"yaml(
components:
  t: {type: blocks.SCurveMotion, to: 2, v_max: 2, a_max: 5, j_max: 50, start: 0.1 s}
  m: {type: mechanical.TranslationalMotion, flange: x, s: t.y*1 m}
  x: {type: mechanical.Mass, m: 3 kg}
)yaml",
                          1, 0.05);
  EXPECT_NEAR(value_at(r, "m.f", 0.15), 3 * value_at(r, "t.a", 0.15), 1e-8);
  EXPECT_NEAR(value_at(r, "m.f", 0.4), 3 * value_at(r, "t.a", 0.4), 1e-8);
}

}  // namespace
}  // namespace coenergy::tests
