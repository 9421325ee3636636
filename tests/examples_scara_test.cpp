// examples/scara against the published equations of EUROSIM/ARGESIM Comparison 11 and an independent integration of them.
#include <array>
#include <cmath>

#include "coenergy/solve/initialize.hpp"
#include "tests/example_run.hpp"

namespace coenergy::tests {
namespace {

// Θ of the comparison: rods, the motor and load of the vertical axis as points at the end of the second arm
constexpr double L1 = 0.4, L2 = 0.3, m1 = 8, m2 = 6, m3L = 0.5, m3 = 3, u3 = 1047, rotor3 = 9.1e-6, g = 9.81;
constexpr double theta1 = (m1 / 3 + m2 + m3) * L1 * L1, theta2 = (m2 / 2 + m3) * L1 * L2,
                 theta3 = (m2 / 3 + m3) * L2 * L2;
const double c = std::sqrt(3.0) / 2;

/// The state of the robot, and its rates by the published equations: q, q̇, I.
using State = std::array<double, 9>;
constexpr std::array<double, 3> kT = {0.4, 0.25, 0.4}, R = {3.9, 50, 40}, La = {7.3e-3, 25e-3, 25e-3},
                                gear = {130, 100, u3}, P = {1000, 1000, 5000}, D = {10, 25, 10}, U_max = {100, 75, 90},
                                T_max = {2.3, 0.6, 0.6}, target = {2, 2, 0.3};

State rates(const State& x) {
  State d{};
  std::array<double, 3> T{};
  for (std::size_t k = 0; k < 3; ++k) {
    const double q = x[k], v = x[3 + k], i = x[6 + k], i_max = T_max[k] / (c * kT[k]);
    const double u = std::clamp(P[k] * (target[k] - q) - D[k] * v, -U_max[k], U_max[k]);
    const double slope = (u - kT[k] * gear[k] * v - R[k] * i) / La[k];
    d[k] = v;
    d[6 + k] = (i >= i_max && slope > 0) || (i <= -i_max && slope < 0) ? 0 : slope;
    T[k] = gear[k] * c * kT[k] * i;
  }
  const double cq = std::cos(x[1]), sq = std::sin(x[1]), v1 = x[3], v2 = x[4];
  const double a11 = theta1 + 2 * theta2 * cq + theta3, a12 = theta2 * cq + theta3;
  const double b1 = T[0] + theta2 * (2 * v1 * v2 + v2 * v2) * sq, b2 = T[1] - theta2 * v1 * v1 * sq;
  const double det = a11 * theta3 - a12 * a12;
  d[3] = (theta3 * b1 - a12 * b2) / det;
  d[4] = (a11 * b2 - a12 * b1) / det;
  d[5] = (T[2] - m3L * g) / (m3L + rotor3 * u3 * u3);
  return d;
}

TEST(ScaraExample, HasThePublishedMassMatrixAndForces) {
  // task a: accelerations at any state, currents given, are those of M(q) q̈ = b(q, q̇)
  for (const State& x :
       {State{0.3, 0.8, 0.1, 0.4, -1.1, 0.2, 1, -2, 0.5}, State{1.9, -2.1, 0.25, -2, 3, -0.1, -0.5, 0.7, 1.1}}) {
    Settings set;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::string n = std::to_string(k + 1);
      set.emplace_back("joint" + n + ".q0", std::to_string(x[k]));
      set.emplace_back("joint" + n + ".qd0", std::to_string(x[3 + k]));
      set.emplace_back("motor" + n + ".i0", std::to_string(x[6 + k]));
    }
    const equations::System system = compile_model(read_example("scara", "scara", set));
    equations::Evaluator evaluator(system);
    const equations::Point p = solve::initialize(evaluator, {}).point;
    const State expected = rates(x);
    const auto acceleration = [&](const std::string& joint) {
      for (int k = 0; k < system.nv(); ++k)
        if (system.unknown(k).name == joint + ".q") return p.a.at(static_cast<std::size_t>(k));
      return std::nan("");
    };
    for (std::size_t k = 0; k < 3; ++k)  // round-off of sums of some ten terms
      EXPECT_NEAR(acceleration("joint" + std::to_string(k + 1)), expected[3 + k],
                  1e-12 * (1 + std::abs(expected[3 + k])));
  }
}

TEST(ScaraExample, MovesAsThePublishedModelDemands) {
  // applications.md §5: classical Runge–Kutta with 1e-6 s and 2e-7 s agree to 1e-9; here events are located
  const solve::Result result = run_model(read_example("scara", "scara"));
  struct Row {
    double t, q1, q2, q3, i1, i2, i3;
  };
  for (const Row& r : {Row{0.1, 0.172979291, 0.002441175, 0.020770734, 0.56291550, 0.43921836, 0.01352389},
                       Row{0.5, 0.945180062, 1.119452104, 0.106213947, -0.27242122, 0.10625576, 0.01352389},
                       Row{1.0, 1.910930240, 1.995539346, 0.213017964, -0.92865268, -0.00917270, 0.01352389},
                       Row{1.2, 1.996898072, 2.000797343, 0.255739571, -0.03243084, -0.00096469, 0.01352389}}) {
    EXPECT_NEAR(value_at(result, "joint1.q", r.t), r.q1, 1e-6);
    EXPECT_NEAR(value_at(result, "joint2.q", r.t), r.q2, 1e-6);
    EXPECT_NEAR(value_at(result, "joint3.q", r.t), r.q3, 1e-6);
    EXPECT_NEAR(value_at(result, "motor1.i", r.t), r.i1, 1e-6);
    EXPECT_NEAR(value_at(result, "motor2.i", r.t), r.i2, 1e-6);
    EXPECT_NEAR(value_at(result, "motor3.i", r.t), r.i3, 1e-6);
  }
}

TEST(ScaraExample, LimitsTheCurrentsWhereThePublishedModelDoes) {
  model::Model model = read_example("scara", "scara");
  solve::Options options = io::read_simulation_options(model);
  options.t_end = 0.02;
  options.output_step = 1e-5;
  const solve::Result result = run_model(model, options);
  const auto at_limit = [&](const std::string& motor, double limit) {
    const std::vector<double> i = result.signal(motor + ".i");
    double first = -1, last = -1;
    for (std::size_t k = 0; k < i.size(); ++k)
      if (i[k] > limit - 1e-7) last = result.times[k], first = first < 0 ? last : first;
    return std::pair(first, last);
  };
  // rows every 10 µs
  const auto [b1, e1] = at_limit("motor1", 2.3 / (c * 0.4));
  EXPECT_NEAR(b1, 0.57e-3, 2e-5);
  EXPECT_NEAR(e1, 6.05e-3, 2e-5);
  const auto [b2, e2] = at_limit("motor2", 0.6 / (c * 0.25));
  EXPECT_NEAR(b2, 5.15e-3, 2e-5);
  EXPECT_NEAR(e2, 14.23e-3, 2e-5);
  const std::vector<double> i3 = result.signal("motor3.i");
  EXPECT_NEAR(*std::max_element(i3.begin(), i3.end()), 1.68572, 1e-5);
}

TEST(ScaraExample, EndsWhereGravityAndTheControllerBalance) {
  model::Model model = read_example("scara", "scara");
  solve::Options options = io::read_simulation_options(model);
  options.t_end = 6;  // time constants of 40 ms are over
  const solve::Result result = run_model(model, options);
  const double i3 = m3L * g / (u3 * c * 0.4);
  EXPECT_NEAR(result.signal("motor3.i").back(), i3, 1e-9);
  EXPECT_NEAR(result.signal("joint3.q").back(), 0.3 - 40 * i3 / 5000, 1e-8);
  EXPECT_NEAR(result.signal("joint1.q").back(), 2, 1e-8);
  EXPECT_NEAR(result.signal("joint2.q").back(), 2, 1e-8);
}

TEST(ScaraExample, WaitsBeforeTheObstacleUntilItIsAboveIt) {
  // task c, applications.md §5: instants to 1e-4 s, positions at detection, and no contact
  const solve::Result r = run_model(read_example("scara", "scara_obstacle"));
  const std::vector<double> wait = r.signal("wait.y"), x = r.signal("x.y");
  double first = -1, last = -1, least = 1;
  for (std::size_t k = 0; k < wait.size(); ++k) {
    if (wait[k] < 0.5) continue;
    if (first < 0) first = r.times[k];
    last = r.times[k];
    least = std::min(least, x[k]);
  }
  EXPECT_NEAR(first, 0.367421, 1e-4);
  EXPECT_NEAR(last, 0.939057, 1e-4);
  EXPECT_NEAR(least, 0.29548, 1e-5);
  EXPECT_GT(least, 0.25);
  // within 1 % of the targets from these instants on; rows every millisecond
  const auto settled = [&](const std::string& joint, double goal) {
    const std::vector<double> q = r.signal(joint + ".q");
    double t = 0;
    for (std::size_t k = 0; k < q.size(); ++k)
      if (std::abs(q[k] - goal) > 0.01 * goal) t = r.times[k];
    return t;
  };
  EXPECT_NEAR(settled("joint1", 2), 1.67149, 1e-3);
  EXPECT_NEAR(settled("joint2", 2), 1.50624, 1e-3);
  EXPECT_NEAR(settled("joint3", 0.3), 1.47422, 1e-3);
}

TEST(ScaraExample, UnderSampledControlIsTheIntegrationFromSampleToSample) {
  const solve::Result result = run_model(read_example("scara", "scara_sampled"));
  // the same equations with voltages held for 5 ms, by the classical Runge–Kutta method with 1 µs
  State x{};
  std::array<double, 3> u{};
  const auto held_rates = [&](const State& s) {
    State d = rates(s);
    for (std::size_t k = 0; k < 3; ++k) {
      const double i = s[6 + k], i_max = T_max[k] / (c * kT[k]);
      const double slope = (u[k] - kT[k] * gear[k] * s[3 + k] - R[k] * i) / La[k];
      d[6 + k] = (i >= i_max && slope > 0) || (i <= -i_max && slope < 0) ? 0 : slope;
    }
    return d;
  };
  const double h = 2e-6;
  const int steps = 2500;  // in a period
  for (int period = 0; period < 60; ++period) {
    for (std::size_t k = 0; k < 3; ++k)
      u[k] = std::clamp(P[k] * (target[k] - x[k]) - D[k] * x[3 + k], -U_max[k], U_max[k]);
    for (int n = 0; n < steps; ++n) {
      const auto moved = [&](const State& d, double f) {
        State y = x;
        for (std::size_t k = 0; k < 9; ++k) y[k] += f * h * d[k];
        return y;
      };
      const State a = held_rates(x), b = held_rates(moved(a, 0.5)), e = held_rates(moved(b, 0.5)),
                  f = held_rates(moved(e, 1));
      for (std::size_t k = 0; k < 9; ++k) x[k] += h / 6 * (a[k] + 2 * b[k] + 2 * e[k] + f[k]);
    }
    if (period != 19 && period != 59) continue;
    const double t = 0.005 * (period + 1);
    // the reference clips currents within a step of 2 µs: 2 µs times U/L is 0.03 A for that instant, 1e-6 rad later
    EXPECT_NEAR(value_at(result, "joint1.q", t), x[0], 2e-6) << t;
    EXPECT_NEAR(value_at(result, "joint2.q", t), x[1], 2e-6) << t;
    EXPECT_NEAR(value_at(result, "joint3.q", t), x[2], 2e-6) << t;
  }
}

}  // namespace
}  // namespace coenergy::tests
