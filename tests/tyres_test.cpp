// Tyres by their formula, rolling and wind resistance.
#include <cmath>

#include "tests/inline_model.hpp"

namespace coenergy::tests {
namespace {

/// A wheel of radius 0.3 m that is pushed 10 mm into the road and driven: forward at 20 m/s, across, and turned.
solve::Result drive(double across, double rim, const std::string& entries) {
  const auto number = [](double x) { return std::to_string(x); };
  return run_text(
      "components:\n"
      "  cx: {type: multibody.Body, mass: 10}\n"
      "  cy: {type: multibody.Body, mass: 10}\n"
      "  x1: {type: multibody.Prismatic, parent: ground, child: cx, axis: x, parent_at: [0, 0, 0.29], drive: 20 "
      "m/s*time}\n"
      "  y1: {type: multibody.Prismatic, parent: cx, child: cy, axis: y, drive: " +
          number(across) +
          " m/s*time}\n"
          "  w: {type: multibody.Body, mass: 10, inertia: [1, 1, 1]}\n"
          "  r: {type: multibody.Revolute, parent: cy, child: w, axis: y, drive: " +
          number(rim / 0.3) +
          " rad/s*time, reaction: yes}\n"
          "  x: {type: multibody.MagicFormulaTyre, body: w, radius: 0.3, stiffness: 2e5, mu_x: 1.1, mu_y: 0.9, " +
          entries + "}\n",
      0.1, 0.1);
}

double formula(double slip, double B, double C, double D, double E) {
  const double x = B * slip;
  return D * std::sin(C * std::atan(x - E * (x - std::atan(x))));
}

TEST(Tyres, EachSlipAloneHasItsFormula) {
  const double N = 2000;
  for (const double slip : {-0.3, -0.02, 0.0, 0.01, 0.15, 0.9}) {
    const auto r = drive(0, 20 * (1 + slip), "B_x: 12, C_x: 1.6, E_x: -0.5");
    EXPECT_NEAR(value_at(r, "x.fz", 0.1), N, 1e-6);
    EXPECT_NEAR(value_at(r, "x.kappa", 0.1), slip, 1e-6);
    EXPECT_NEAR(value_at(r, "x.fx", 0.1), formula(slip, 12, 1.6, 1.1 * N, -0.5), 2e-2) << slip;  // rim: six decimals
    EXPECT_NEAR(value_at(r, "x.fy", 0.1), 0, 1e-9);
  }
  for (const double side : {-3.0, -0.1, 0.5, 6.0}) {
    const auto r = drive(side, 20, "B_y: 9, C_y: 1.4, E_y: 0.3, trail: 0.04, B_t: 11, C_t: 1.2");
    const double tangent = -side / 20, fy = formula(tangent, 9, 1.4, 0.9 * N, 0.3);
    EXPECT_NEAR(value_at(r, "x.fy", 0.1), fy, 1e-6) << side;
    EXPECT_NEAR(value_at(r, "x.alpha", 0.1), std::atan(tangent), 1e-9);
    // against the slip: it turns the wheel into the direction of its motion
    const double trail = 0.04 * std::cos(1.2 * std::atan(11 * std::abs(tangent)));
    EXPECT_NEAR(value_at(r, "x.mz", 0.1), -trail * fy, 1e-7) << side;
    EXPECT_GT(value_at(r, "x.mz", 0.1) * side, trail < 0 ? -1e9 : 0) << side;
  }
}

TEST(Tyres, CombinedSlipStaysInItsEllipse) {
  const double N = 2000;
  for (const double slip : {-0.5, -0.05, 0.02, 0.4})
    for (const double side : {-4.0, 0.2, 8.0}) {
      const auto r = drive(side, 20 * (1 + slip), "B_x: 12, C_x: 1.6, B_y: 9, C_y: 1.4");
      const double x = 12 * value_at(r, "x.kappa", 0.1), y = 9 * -side / 20, phi = std::hypot(x, y);
      const double fx = value_at(r, "x.fx", 0.1), fy = value_at(r, "x.fy", 0.1);
      EXPECT_NEAR(fx, x / phi * formula(phi / 12, 12, 1.6, 1.1 * N, 0), 1e-5);
      EXPECT_NEAR(fy, y / phi * formula(phi / 9, 9, 1.4, 0.9 * N, 0), 1e-5);
      EXPECT_LE(std::pow(fx / (1.1 * N), 2) + std::pow(fy / (0.9 * N), 2), 1 + 1e-12);
    }
}

TEST(Tyres, TorquesActOnTheWheel) {
  // braked by rolling resistance f N r, and turned about the upward axis by M_z: what the axle has to give
  const auto r = drive(2, 20, "B_y: 9, C_y: 1.4, trail: 0.04, rolling: 0.015");
  const double fx = value_at(r, "x.fx", 0.1), fy = value_at(r, "x.fy", 0.1);
  EXPECT_NEAR(value_at(r, "r.drive_force", 0.1), 0.015 * 2000 * 0.3 + fx * 0.3, 1e-5);
  EXPECT_NEAR(value_at(r, "r.tz", 0.1), -value_at(r, "x.mz", 0.1), 1e-6);
  EXPECT_NEAR(value_at(r, "r.fy", 0.1), -fy, 1e-6);
}

TEST(Tyres, AWheelThatRollsKeepsItsAccount) {
  model::Model model = io::parse_model(R"yaml(
components:
  g: {type: multibody.Gravity}
  w: {type: multibody.Body, mass: 10, inertia: [0.2, 0.4, 0.2], position: [0, 0, 0.298], velocity: [12, 1, 0], angular_velocity: [0, 30, 0.5]}
  x: {type: multibody.MagicFormulaTyre, body: w, radius: 0.3, stiffness: 5e4, damping: 300, mu_x: 1, mu_y: 0.9, trail: 0.02, rolling: 0.01}
  d: {type: multibody.AirDrag, body: w, area: 0.1, c_w: 0.5, wind: [-5, 2, 0]}
)yaml",
                                       "m.yaml");
  model.energy = true;
  solve::Options options;
  options.t_end = 0.5, options.output_step = 0.05, options.method = "radau";
  options.rtol = 1e-11, options.atol = 1e-13;
  const solve::Result r = run_model(model, options);
  const auto stored = r.signal("energy.stored"), supplied = r.signal("energy.supplied"),
             lost = r.signal("energy.dissipated");
  double size = 0;
  for (std::size_t k = 0; k < stored.size(); ++k) {
    size = std::max({size, std::abs(stored[k]), std::abs(supplied[k]), lost[k]});
    EXPECT_NEAR(stored[k] - stored[0], supplied[k] - lost[k], 1e-9 * size) << r.times[k];
  }
  EXPECT_GT(lost.back(), 1);
}

TEST(Tyres, AFallingBodyReachesItsTerminalSpeed) {
  // v = v_∞ tanh(g t/v_∞), v_∞² = 2 m g/(ρ c_w A); in wind the same in the air's frame
  const auto r = run_text(R"yaml(
components:
  g: {type: multibody.Gravity}
  b: {type: multibody.Body, mass: 80}
  t: {type: multibody.Translation, parent: ground, child: b}
  d: {type: multibody.AirDrag, body: b, area: 0.7, c_w: 1.1, rho: 1.25}
)yaml",
                          5, 1);
  const double g = 9.81, top = std::sqrt(2 * 80 * g / (1.25 * 1.1 * 0.7));
  for (const double t : {1.0, 3.0, 5.0}) EXPECT_NEAR(value_at(r, "b.vz", t), -top * std::tanh(g * t / top), 1e-7) << t;
}

}  // namespace
}  // namespace coenergy::tests
