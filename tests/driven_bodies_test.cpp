// Bodies that signals move, friction that follows a reaction, point masses in a plane, bushings.
#include <cmath>
#include <numbers>

#include "tests/inline_model.hpp"

namespace coenergy::tests {
namespace {

TEST(DrivenBodies, AVelocitySourceFollowsAStateByEveryMethod) {
  // v = 0.04 m/s (1 − exp(−(t − 0.2)/0.1)) from 0.2 s on
  for (const char* method : {"radau", "esdirk", "generalized-alpha", "dopri"}) {
    solve::Options options{.t_end = 1, .method = method, .output_step = 0.5, .rtol = 1e-7, .atol = 1e-9};
    const auto r = run_model(io::parse_model(R"yaml(
components:
  b:  {type: multibody.Body, mass: 7 kg}
  j:  {type: multibody.Prismatic, parent: ground, child: b, axis: x}
  lp: {type: blocks.TransferFunction, u: "time > 0.2 s ? 1 : 0", den: [0.1, 1]}
  c:  {type: multibody.VelocityConstraint, zero: j.qd - 0.04 m/s*lp.y}
)yaml",
                                             "m.yaml"),
                             options);
    // the tolerance of a step of 1e-7, gathered over the run; generalized-alpha has order 2 and takes many
    const double tolerance = 1e-6, e = std::exp(-8);
    EXPECT_NEAR(value_at(r, "j.qd", 1), 0.04 * (1 - e), tolerance) << method;
    EXPECT_NEAR(value_at(r, "j.q", 1), 0.04 * (0.8 - 0.1 * (1 - e)), tolerance) << method;
    EXPECT_NEAR(value_at(r, "c.lambda", 0.5), -7 * 0.04 * std::exp(-3) / 0.1, 1e-3) << method;
  }
}

TEST(DrivenBodies, FrictionOfAPinFollowsItsReaction) {
  const auto r = run_text(R"yaml(
components:
  g:   {type: multibody.Gravity, g: [0, -9.81, 0]}
  rod: {type: multibody.Body, mass: 3 kg, com: [0, -0.8, 0], inertia: [0, 0, 0.2]}
  h:   {type: multibody.Revolute, parent: ground, child: rod, q0: 80 deg, reaction: yes,
        friction: {coulomb: "0.15*0.03 m*sqrt(h.fx^2 + h.fy^2)", v_eps: 0.05 rad/s}}
)yaml",
                          1);
  // independent: J q̈ = −m g l sin q − μ r |F| tanh(q̇/0.05), F from the acceleration of the centre; |F| by iteration
  const double m = 3, l = 0.8, J = 0.2 + m * l * l, g = 9.81;
  const auto acceleration = [&](double q, double v) {
    double a = 0;
    for (int k = 0; k < 60; ++k) {
      const double fx = m * l * (a * std::cos(q) - v * v * std::sin(q)),
                   fy = m * l * (a * std::sin(q) + v * v * std::cos(q)) + m * g;
      a = (-m * g * l * std::sin(q) - 0.15 * 0.03 * std::hypot(fx, fy) * std::tanh(v / 0.05)) / J;
    }
    return a;
  };
  double q = 80 * std::numbers::pi / 180, v = 0;
  const int steps = 20000;
  const double h = 1.0 / steps;
  for (int k = 0; k < steps; ++k) {
    const double a1 = acceleration(q, v), v2 = v + h / 2 * a1, a2 = acceleration(q + h / 2 * v, v2);
    const double v3 = v + h / 2 * a2, a3 = acceleration(q + h / 2 * v2, v3), v4 = v + h * a3;
    const double a4 = acceleration(q + h * v3, v4);
    q += h / 6 * (v + 2 * v2 + 2 * v3 + v4), v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  EXPECT_NEAR(value_at(r, "h.q", 1), q, 1e-7);
  EXPECT_NEAR(value_at(r, "h.qd", 1), v, 1e-7);
}

TEST(DrivenBodies, APointMassInAPlaneNeedsNoInertia) {
  for (const char* formulation : {"relative", "absolute"}) {
    const auto r = run_text(std::string("formulation: ") + formulation + R"yaml(
components:
  p: {type: multibody.Body, mass: 0.5 kg}
  j: {type: multibody.PlanarTranslation, parent: ground, child: p, q1_0: 1 m, q2d_0: 3 m/s}
  s: {type: multibody.PointSpringDamper, a: ground, b: p, stiffness: 50 N/m}
)yaml",
                            1);
    EXPECT_NEAR(value_at(r, "j.q1", 0.7), std::cos(7), 1e-6) << formulation;
    EXPECT_NEAR(value_at(r, "j.q2", 0.7), 0.3 * std::sin(7), 1e-6) << formulation;
  }
}

TEST(DrivenBodies, ABushingGivesWayAlongAndAboutItsAxes) {
  // at rest: r = F/k, and ½ k_θ sin 2θ = T; the load acts where the bushing does
  solve::Options options{.t_end = 0.1, .method = "radau", .output_step = 0.1, .rtol = 1e-9, .atol = 1e-10};
  options.start = "static";
  const auto r = run_model(io::parse_model(R"yaml(
components:
  p: {type: multibody.Body, mass: 2 kg, inertia: [1, 1, 1]}
  b: {type: multibody.Bushing, a: ground, b: p, stiffness: [100, 200, 300], damping: [1, 1, 1], turning_stiffness: [3, 4, 5], turning_damping: [1, 1, 1]}
  f: {type: multibody.Force, body: p, force: [1 N, 2 N, 6 N]}
  t: {type: multibody.Torque, body: p, torque: [0 N.m, 0 N.m, 1.5 N.m]}
)yaml",
                                           "m.yaml"),
                           options);
  EXPECT_NEAR(value_at(r, "b.rx", 0), 0.01, 1e-9);
  EXPECT_NEAR(value_at(r, "b.ry", 0), 0.01, 1e-9);
  EXPECT_NEAR(value_at(r, "b.rz", 0), 0.02, 1e-9);
  EXPECT_NEAR(value_at(r, "b.fz", 0), 6, 1e-7);
  EXPECT_NEAR(value_at(r, "b.sz", 0), std::sin(std::asin(2 * 1.5 / 5) / 2), 1e-9);
}

}  // namespace
}  // namespace coenergy::tests
