// examples/04_four_bar_pid: after Brüls 2005 with invented data, analog and digital.
#include <cmath>
#include <functional>

#include "tests/example_run.hpp"

namespace coenergy::tests {
namespace {

constexpr double l1 = 0.5, l2 = 0.9, l3 = 0.7, l4 = 1, m1 = 1, m2 = 1.8, m3 = 1.4, Jm = 0.02;

/// The linkage as one degree of freedom, independent of coenergy: J(θ) θ̈ + ½ J′ θ̇² = τ + F ∂x4/∂θ.
struct Linkage {
  double J, x4_slope;
  explicit Linkage(double theta) {
    // upper branch of the triangle between the crank's end and the far pivot
    const double x = l4 - l1 * std::cos(theta), y = -l1 * std::sin(theta), d = std::hypot(x, y);
    const double phi2 = std::atan2(y, x) + std::acos((l2 * l2 + d * d - l3 * l3) / (2 * l2 * d));
    const double phi3 =
        std::atan2(l1 * std::sin(theta) + l2 * std::sin(phi2), l1 * std::cos(theta) + l2 * std::cos(phi2) - l4);
    const double d2 = l1 * std::sin(phi3 - theta) / (l2 * std::sin(phi2 - phi3));
    const double d3 = l1 * std::sin(theta - phi2) / (l3 * std::sin(phi3 - phi2));
    J = Jm + m1 * l1 * l1 / 3 + m2 * (l1 * l1 + l2 * l2 * d2 * d2 / 3 + l1 * l2 * d2 * std::cos(theta - phi2)) +
        m3 * l3 * l3 / 3 * d3 * d3;
    x4_slope = -l3 * std::sin(phi3) * d3;
  }
};

double push(double t) { return t < 1 ? 10 * (1 - std::cos(2 * M_PI * t)) : 0; }
double target(double t) {
  const double s = std::min(std::max((t - 0.2) / 0.6, 0.0), 1.0);
  return M_PI / 3 + 0.3 * s * s * s * (10 - 15 * s + 6 * s * s);
}

/// θ every 10 ms by RK4 with 0.1 ms; the controller is analog or sampled every 10 ms.
std::vector<double> reference(bool digital) {
  double theta = M_PI / 3, rate = 0, x = 0, held = 0, integral = 0;
  const double h = 1e-4;
  auto torque = [&](double t, double q, double v, double xi) {
    return digital ? held : -100 * (q - target(t)) - 10 * v - 100 * xi;
  };
  auto acceleration = [&](double t, double q, double v, double xi) {
    const Linkage at(q);
    const double slope = (Linkage(q + 1e-5).J - Linkage(q - 1e-5).J) / 2e-5;
    return (torque(t, q, v, xi) + push(t) * at.x4_slope - 0.5 * slope * v * v) / at.J;
  };
  std::vector<double> row{theta};
  for (int k = 0; k < 20000; ++k) {
    const double t = k * h;
    if (digital && k % 100 == 0) {
      if (k > 0) integral += 0.01 * (theta - target(t));
      held = -100 * (theta - target(t)) - 10 * rate - 100 * integral;
    }
    double q[4], v[4], e[4];
    const double c[] = {0, 0.5, 0.5, 1};
    for (int i = 0; i < 4; ++i) {
      const double qi = theta + (i > 0 ? c[i] * h * q[i - 1] : 0), vi = rate + (i > 0 ? c[i] * h * v[i - 1] : 0),
                   xi = x + (i > 0 ? c[i] * h * e[i - 1] : 0);
      q[i] = vi;
      v[i] = acceleration(t + c[i] * h, qi, vi, xi);
      e[i] = qi - target(t + c[i] * h);
    }
    theta += h / 6 * (q[0] + 2 * q[1] + 2 * q[2] + q[3]);
    rate += h / 6 * (v[0] + 2 * v[1] + 2 * v[2] + v[3]);
    x += h / 6 * (e[0] + 2 * e[1] + 2 * e[2] + e[3]);
    if ((k + 1) % 100 == 0) row.push_back(theta);
  }
  return row;
}

/// Root mean square difference of the hinge angle from the reference, every 10 ms.
double error(const char* name, const char* step, bool restart, const std::vector<double>& exact) {
  const model::Model model = read_example("04_four_bar_pid", name,
                                          {{"simulate.step", step},
                                           {"simulate.restart", restart ? "true" : "false"},
                                           {"simulate.output_step", "10 ms"},
                                           {"simulate.record_events", "false"}});
  const solve::Result result = run_model(model);
  const std::vector<double> q = result.signal("hinge.q");
  EXPECT_EQ(q.size(), exact.size());
  double sum = 0;
  for (std::size_t i = 0; i < std::min(q.size(), exact.size()); ++i) sum += (q[i] - exact[i]) * (q[i] - exact[i]);
  return std::sqrt(sum / exact.size());
}

TEST(FourBarExample, ReferenceHasTheTabulatedValues) {
  // digits of the table in §3.1
  EXPECT_NEAR(Linkage(M_PI / 3).J, 0.515549, 1e-6);
  const std::vector<double> q = reference(false);
  EXPECT_NEAR(q[50], 1.054595879, 2e-9);
  EXPECT_NEAR(q[100], 1.397214991, 2e-9);
  EXPECT_NEAR(q[150], 1.378171031, 2e-9);
  EXPECT_NEAR(q[200], 1.365139510, 2e-9);
}

TEST(FourBarExample, AnalogControlConvergesWithOrderTwo) {
  const std::vector<double> exact = reference(false);
  const double e10 = error("four_bar_pid", "10 ms", true, exact), e5 = error("four_bar_pid", "5 ms", true, exact),
               e25 = error("four_bar_pid", "2.5 ms", true, exact);
  EXPECT_LE(e10, 2.5e-5);
  EXPECT_NEAR(std::log2(e10 / e5), 2, 0.1);
  EXPECT_NEAR(std::log2(e5 / e25), 2, 0.1);
}

TEST(FourBarExample, DigitalControlConvergesWithOrderTwoByRestartsAndOneWithout) {
  const std::vector<double> exact = reference(true);
  const double e10 = error("four_bar_digital", "10 ms", true, exact),
               e5 = error("four_bar_digital", "5 ms", true, exact),
               e25 = error("four_bar_digital", "2.5 ms", true, exact);
  EXPECT_LE(e10, 6e-5);
  EXPECT_NEAR(std::log2(e10 / e5), 2, 0.1);
  EXPECT_NEAR(std::log2(e5 / e25), 2, 0.1);
  const double n10 = error("four_bar_digital", "10 ms", false, exact),
               n5 = error("four_bar_digital", "5 ms", false, exact);
  EXPECT_GT(n10, 10 * e10);
  EXPECT_NEAR(std::log2(n10 / n5), 1, 0.1);
}

TEST(FourBarExample, AbsoluteCoordinatesGiveTheSameMotion) {
  model::Model model = read_example("04_four_bar_pid", "four_bar_pid", {{"simulate.step", "1 ms"}});
  const solve::Result relative = run_model(model);
  model.formulation = "absolute";
  const solve::Result absolute = run_model(model);
  // both carry the error of the method at 1 ms, 2e-7, with different constants
  EXPECT_NEAR(relative.signal("hinge.q").back(), absolute.signal("hinge.q").back(), 1e-6);
}

}  // namespace
}  // namespace coenergy::tests
