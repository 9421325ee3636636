#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>

#include "coenergy/analyze/linearize.hpp"
#include "coenergy/analyze/modes.hpp"
#include "coenergy/math/matrix.hpp"
#include "coenergy/solve/initialize.hpp"
#include "tests/inline_model.hpp"

// Published problems of multibody dynamics (sources at each) that need no long run.

namespace coenergy::tests {
namespace {

/// M(q) and the residual at zero acceleration of a system without constraints.
struct Dynamics {
  math::Matrix mass;
  std::vector<double> bias;
};
Dynamics find_dynamics(equations::Evaluator& evaluator, const equations::Point& p) {
  const equations::System& s = evaluator.system();
  std::vector<double> values(s.pattern().row.size());
  Dynamics d{math::Matrix(s.nv(), s.nv()), std::vector<double>(s.n())};
  evaluator.jacobian(p, equations::Level::acceleration, {.a = 1}, values);
  for (int j = 0; j < s.nv(); ++j)
    for (int k = s.pattern().column_start[j]; k < s.pattern().column_start[j + 1]; ++k)
      d.mass(s.pattern().row[k], j) = values[k];
  evaluator.residual(p, equations::Level::acceleration, d.bias);
  return d;
}

TEST(Benchmarks, ScaraHasTheMassMatrixAndForcesOfTheComparison) {
  // EUROSIM comparison 11: homogeneous rods, the stator of the z motor at the end of link 2, its rotor reflected on q3
  const std::string text = R"(components:
  gravity: {type: multibody.Gravity}
  link1: {type: multibody.Body, mass: 8, com: [0.2, 0, 0], inertia: [0, 8*0.16/12, 8*0.16/12]}
  link2: {type: multibody.Body, mass: 6, com: [0.15, 0, 0], inertia: [0, 6*0.09/12, 6*0.09/12]}
  stator: {type: multibody.Body, mass: 2.5}
  load: {type: multibody.Body, mass: 0.5}
  mount: {type: multibody.Fixed, parent: link2, child: stator, parent_at: [0.3, 0, 0]}
  q1: {type: multibody.Revolute, parent: ground, child: link1}
  q2: {type: multibody.Revolute, parent: link1, child: link2, parent_at: [0.4, 0, 0]}
  q3: {type: multibody.Prismatic, parent: link2, child: load, parent_at: [0.3, 0, 0]}
  rotor: {type: mechanical.Mass, flange: q3, m: 9.1e-6*1047^2}
)";
  equations::Evaluator evaluator(compile_model(io::parse_model(text, "scara.yaml")));
  const equations::System& s = evaluator.system();
  ASSERT_EQ(s.nv(), 3);
  const double m3 = 3, t1 = (8.0 / 3 + 6 + m3) * 0.16, t2 = (6.0 / 2 + m3) * 0.4 * 0.3, t3 = (6.0 / 3 + m3) * 0.09;
  for (double angle : {0.0, 0.7, -2.1}) {
    equations::Point p = s.start();
    p.q = {0.4, angle, 0.1};
    p.v = {1.3, -0.8, 0.5};
    const Dynamics d = find_dynamics(evaluator, p);
    const double c = std::cos(angle), si = std::sin(angle);
    const double M[3][3] = {
        {t1 + 2 * t2 * c + t3, t2 * c + t3, 0}, {t2 * c + t3, t3, 0}, {0, 0, 0.5 + 9.1e-6 * 1047 * 1047}};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) EXPECT_NEAR(d.mass(i, j), M[i][j], 1e-13 * 11) << i << j;
    // b without motor torques: the residual is M a − b
    EXPECT_NEAR(-d.bias[0], t2 * (2 * 1.3 * -0.8 + 0.64) * si, 1e-13);
    EXPECT_NEAR(-d.bias[1], -t2 * 1.3 * 1.3 * si, 1e-13);
    EXPECT_NEAR(-d.bias[2], -0.5 * 9.81, 1e-13);
  }
}

TEST(Benchmarks, TwoLinkRobotObeysItsHandLagrangian) {
  // horizontal parallel axes, relative angles, invented data
  const std::string text = R"(components:
  gravity: {type: multibody.Gravity}
  a: {type: multibody.Body, mass: 3, com: [0.25, 0, 0], inertia: [0, 0.08, 0]}
  b: {type: multibody.Body, mass: 2, com: [0.2, 0, 0], inertia: [0, 0.05, 0]}
  j1: {type: multibody.Revolute, parent: ground, child: a, axis: -y, torque: 4}
  j2: {type: multibody.Revolute, parent: a, child: b, axis: -y, parent_at: [0.5, 0, 0], torque: -1}
)";
  equations::Evaluator evaluator(compile_model(io::parse_model(text, "robot.yaml")));
  equations::Point p = evaluator.system().start();
  p.q = {0.6, -0.9};
  p.v = {2, -1.5};
  ASSERT_TRUE(solve::restart(evaluator, p).converged);
  const double L = 0.5, la = 0.25, lb = 0.2, q1 = 0.6, q2 = -0.9, w1 = 2, w2 = -1.5, g = 9.81;
  const double m11 = 0.08 + 3 * la * la + 0.05 + 2 * (L * L + lb * lb + 2 * L * lb * std::cos(q2));
  const double m12 = 0.05 + 2 * (lb * lb + L * lb * std::cos(q2)), m22 = 0.05 + 2 * lb * lb;
  const double h = 2 * L * lb * std::sin(q2);
  const double f1 =
      4 + h * (2 * w1 * w2 + w2 * w2) - g * (3 * la * std::cos(q1) + 2 * (L * std::cos(q1) + lb * std::cos(q1 + q2)));
  const double f2 = -1 - h * w1 * w1 - g * 2 * lb * std::cos(q1 + q2);
  const double det = m11 * m22 - m12 * m12;
  EXPECT_NEAR(p.a[0], (m22 * f1 - m12 * f2) / det, 1e-9);
  EXPECT_NEAR(p.a[1], (m11 * f2 - m12 * f1) / det, 1e-9);
}

TEST(Benchmarks, ABeamOfThirtySegmentsHasTheModesOfItsChain) {
  // barrier of the parking gate: 3 m, EI = 72e9·0.12315e-6, 2.682 kg; springs EI/l between segments, 2EI/l at the root
  const int n = 30;
  const double l = 3.0 / n, EI = 72e9 * 0.12315e-6, m = 2.682 / n;
  std::string text = "components:\n";
  for (int k = 0; k < n; ++k) {
    const std::string i = std::to_string(k), before = k == 0 ? "ground" : "s" + std::to_string(k - 1);
    text +=
        fmt::format("  s{}: {{type: multibody.Body, mass: {:.17g}, com: [{:.17g}, 0, 0], inertia: [0, 0, {:.17g}]}}\n",
                    k, m, l / 2, m * l * l / 12);
    text += fmt::format(
        "  j{}: {{type: multibody.Revolute, parent: {}, child: s{}, parent_at: [{:.17g}, 0, 0], stiffness: {:.17g}}}\n",
        k, before, k, k == 0 ? 0 : l, (k == 0 ? 2 : 1) * EI / l);
  }
  equations::Evaluator evaluator(compile_model(io::parse_model(text, "beam.yaml")));
  const equations::Point p = solve::initialize(evaluator).point;
  const analyze::Modes modes = analyze::compute_modes(evaluator.system(), analyze::linearize(evaluator, p));
  // computed independently (beam of Sass 2004); theory of the continuous beam 6.1922, 38.8057, 108.657 Hz
  const double chain[] = {6.1890, 38.737, 108.342}, theory[] = {6.1922, 38.8057, 108.657};
  std::vector<double> found;
  for (const analyze::Mode& mode : modes.modes)
    if (found.empty() || mode.frequency > found.back() * 1.001) found.push_back(mode.frequency);
  ASSERT_GE(found.size(), 3u);
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(found[k], chain[k], 1e-4 * chain[k]);  // the digits given
    EXPECT_NEAR(found[k], theory[k], 3e-3 * theory[k]);
  }
}

TEST(Benchmarks, AWheelsetHuntsWithKlingelsWaveLength) {
  const solve::Result r = run_model(read_example("wheelset", "wheelset"));
  const std::vector<double> y = r.signal("axle.y"), x = r.signal("axle.x");
  std::vector<double> crossings;
  for (std::size_t i = 1; i < y.size(); ++i)
    if (y[i - 1] > 0 && y[i] <= 0) crossings.push_back(x[i - 1] + (x[i] - x[i - 1]) * y[i - 1] / (y[i - 1] - y[i]));
  ASSERT_GE(crossings.size(), 2u);
  const double wave = 2 * M_PI * std::sqrt(0.46 * 0.75 / 0.05);
  // creep and inertia change the wave length by some per cent of (V/V_critical)²
  EXPECT_NEAR(crossings[1] - crossings[0], wave, 0.02 * wave);
  // the load is carried by both wheels
  EXPECT_NEAR(r.signal("left.normal").back() + r.signal("right.normal").back(), 1200 * 9.81, 1200 * 9.81 * 1e-2);
}

/// Largest |y| of a wheelset on springs against a frame that moves ahead at V, in the first and in the last second
/// of 4.
std::pair<double, double> hunt(double V) {
  const std::string text = fmt::format(R"(parameters: {{V: {} m/s, r0: 0.46 m, s: 0.75 m, f: 1e7 N, k: 2e5 N/m}}
components:
  gravity: {{type: multibody.Gravity}}
  frame: {{type: multibody.Body, mass: 1}}
  ahead: {{type: multibody.Prismatic, parent: ground, child: frame, axis: x, drive: V*time, parent_at: [0, 0, r0]}}
  axle: {{type: multibody.Body, mass: 1200 kg, inertia: [700, 1, 700], angular_velocity: [0, V/r0*1 rad, 0]}}
  track: {{type: multibody.Free, parent: ground, child: axle, q2_0: 1 mm, q1d_0: V}}
  left: {{type: multibody.WheelRail, body: axle, rail: s, radius: r0, conicity: 0.1, speed: V, f11: f, f22: f}}
  right: {{type: multibody.WheelRail, body: axle, rail: -s, radius: r0, conicity: 0.1, speed: V, f11: f, f22: f}}
  bush1: {{type: multibody.PointSpringDamper, a: frame, b: axle, a_at: [0, 1, 0], b_at: [0, 1, 0], stiffness: k}}
  bush2: {{type: multibody.PointSpringDamper, a: frame, b: axle, a_at: [0, -1, 0], b_at: [0, -1, 0], stiffness: k}}
)",
                                       V);
  const solve::Result r = run_text(text, 4);
  const std::vector<double> y = r.signal("axle.y");
  double first = 0, last = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (r.times[i] <= 1) first = std::max(first, std::abs(y[i]));
    if (r.times[i] >= 3) last = std::max(last, std::abs(y[i]));
  }
  return {first, last};
}

TEST(Benchmarks, ASuspendedWheelsetIsStableBelowItsCriticalSpeedAndHuntsAboveIt) {
  // lateral and yaw motion with linear creep: (m p² + 2f/V p + K)(J p² + 2f s²/V p + K) + 4 f² s λ/r₀ = 0 has p = iω
  // for
  //   ω² = K (1 + s²)/(J + s² m),   V² = 4 f² s² ω²/((K − m ω²)(K − J ω²) + 4 f² s λ/r₀)
  const double m = 1200, J = 700, s = 0.75, r0 = 0.46, lambda = 0.1, f = 1e7, K = 2 * 2e5;
  const double w2 = K * (1 + s * s) / (J + s * s * m);
  const double critical =
      std::sqrt(4 * f * f * s * s * w2 / ((K - m * w2) * (K - J * w2) + 4 * f * f * s * lambda / r0));
  EXPECT_NEAR(critical, 39.6, 0.1);
  // what the two equations leave out, the load's own stiffness on the cones and the roll, makes 2 %
  const auto [slow_first, slow_last] = hunt(0.94 * critical);
  EXPECT_LT(slow_last, 0.8 * slow_first);
  const auto [fast_first, fast_last] = hunt(1.06 * critical);
  EXPECT_GT(fast_last, 1.2 * fast_first);
}

TEST(Benchmarks, ASliderCrankMovesAsItsGeometrySays) {
  const solve::Result r = run_model(read_example("slider_crank", "slider_crank"));
  // nothing is integrated: the drive and the loop say all, and rows between steps are put on the constraints
  for (double t : {0.1, 0.25, 0.6}) {
    const double q = 20 * t, side = 0.1 * std::sin(q);
    EXPECT_NEAR(value_at(r, "bore.q", t), 0.1 * std::cos(q) + std::sqrt(0.09 - side * side), 1e-12) << t;
  }
}

TEST(Benchmarks, CarAxisReachesTheReferenceDigits) {
  // IVP test set: two ends of an axle on springs of unit stiffness over a moving road, index 3
  const std::string text = R"y(components:
  gravity: {type: multibody.Gravity, g: [0, -1, 0]}
  l: {type: multibody.Body, mass: 5e-4}
  lx: {type: multibody.Body, mass: 0}
  jlx: {type: multibody.Prismatic, parent: ground, child: lx, axis: x, q0: 0, qd0: -0.5}
  jly: {type: multibody.Prismatic, parent: lx, child: l, axis: y, q0: 0.5, qd0: 0}
  r: {type: multibody.Body, mass: 5e-4}
  rx: {type: multibody.Body, mass: 0}
  jrx: {type: multibody.Prismatic, parent: ground, child: rx, axis: x, q0: 1, qd0: -0.5}
  jry: {type: multibody.Prismatic, parent: rx, child: r, axis: y, q0: 0.5, qd0: 0}
  left: {type: multibody.PointSpringDamper, a: ground, b: l, stiffness: 1, length: 0.5}
  road: {type: multibody.Body, mass: 1}
  roadx: {type: multibody.Body, mass: 1}
  jx: {type: multibody.Prismatic, parent: ground, child: roadx, axis: x, drive: "1 m*sqrt(1 - (0.1*sin(10 1/s*time))^2)"}
  jy: {type: multibody.Prismatic, parent: roadx, child: road, axis: y, drive: "0.1 m*sin(10 1/s*time)"}
  right: {type: multibody.PointSpringDamper, a: road, b: r, stiffness: 1, length: 0.5}
  square: {type: multibody.Constraint, zero: "l.x*road.x + l.y*road.y"}
  axle: {type: multibody.Constraint, zero: "(l.x - r.x)^2 + (l.y - r.y)^2 - 1 m2"}
simulate: {t_end: 3, method: radau, rtol: 1e-12, atol: 1e-12, output_step: 3}
)y";
  const solve::Result r = run_model(io::parse_model(text, "car.yaml"));
  const std::pair<const char*, double> reference[] = {{"l.x", 0.04934557842755629},   {"l.y", 0.4969894602303324},
                                                      {"r.x", 1.041742524885400},     {"r.y", 0.3739110272652214},
                                                      {"l.vx", -0.07705836840321485}, {"l.vy", 0.007446866596327776},
                                                      {"r.vx", 0.01755681574942899},  {"r.vy", 0.7703410437794031}};
  // asked for 1e-12 a step, thirty oscillations; the rate of the right end is the worst, by 7e-10
  for (const auto& [name, value] : reference) EXPECT_NEAR(r.signal(name).back(), value, 1e-9) << name;
}

}  // namespace
}  // namespace coenergy::tests
