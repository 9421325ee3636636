// examples/speaker, condenser_speaker and two_link: published figures, and independent integrations of the equations.
#include <array>
#include <cmath>
#include <numbers>

#include "coenergy/solve/events.hpp"
#include "coenergy/solve/initialize.hpp"
#include "tests/example_run.hpp"

namespace coenergy::tests {
namespace {

using std::numbers::pi;

/// Classical Runge–Kutta steps of ẋ = f(t, x).
template <std::size_t N, class F>
std::array<double, N> integrate(F f, std::array<double, N> x, double t_end, int steps) {
  const double h = t_end / steps;
  const auto moved = [&](const std::array<double, N>& d, double by) {
    std::array<double, N> y = x;
    for (std::size_t k = 0; k < N; ++k) y[k] += by * d[k];
    return y;
  };
  for (int n = 0; n < steps; ++n) {
    const double t = n * h;
    const auto a = f(t, x), b = f(t + h / 2, moved(a, h / 2)), c = f(t + h / 2, moved(b, h / 2)),
               d = f(t + h, moved(c, h));
    for (std::size_t k = 0; k < N; ++k) x[k] += h / 6 * (a[k] + 2 * b[k] + 2 * c[k] + d[k]);
  }
  return x;
}

/// Amplitude of the part of x(t) at the frequency f within one window of rows.
double amplitude(const std::vector<double>& t, const std::vector<double>& x, double f, double from, double to) {
  double c = 0, s = 0, n = 0;
  for (std::size_t k = 0; k < t.size(); ++k) {
    if (t[k] < from - 1e-9 || t[k] >= to - 1e-9) continue;
    c += x[k] * std::cos(2 * pi * f * t[k]), s += x[k] * std::sin(2 * pi * f * t[k]), ++n;
  }
  return 2 * std::hypot(c, s) / n;
}

TEST(SpeakerExample, HasThePublishedEquationsWithTheVoltageOfItsMagnet) {
  // L di/dt = U − R i − L'(x) ẋ i − φ'(x) ẋ (the printed code lacks the last term), F = ½ L'(x) i² + φ'(x) i (6.17)
  const equations::System system = compile_model(read_example("speaker", "speaker"));
  equations::Evaluator evaluator(system);
  ASSERT_EQ(system.nv(), 1);
  ASSERT_EQ(system.nx(), 1);
  const double mu0 = 4e-7 * pi, l_a = 0.05, R_e = 0.06, e = 0.005, l_e = 0.05, S = pi * std::pow(R_e - e / 2, 2),
               n = 100;
  const double K = S * e / l_a, c = 2 * pi * R_e, G = mu0 * n * n * c / (e * (K + c * l_e));
  const double slope = n * 0.8 * S / l_e * (1 - 1.5 / (1.5 + l_a / e * c * l_e / S));
  EXPECT_NEAR(slope, 15.350232484, 1e-8);
  for (const auto& [t, x, v, i] :
       {std::array{1e-3, 2e-3, 0.7, 0.4}, {2e-3, -3e-3, -0.2, 5.0}, {0.0, 1e-2, 3.0, -20.0}}) {
    equations::Point p = solve::initialize(evaluator).point;
    p.t = t, p.q[0] = x, p.v[0] = v, p.x[0] = i;
    ASSERT_TRUE(solve::restart(evaluator, p).converged);
    const double L = G * (l_e - x) * (K + c * x), dL = G * (c * (l_e - x) - (K + c * x));
    const double rate = (100 * std::sin(2 * pi * 200 * t) - 1000 * i - dL * v * i - slope * v) / L;
    const double force = dL * i * i / 2 + slope * i;
    EXPECT_NEAR(p.xd[0], rate, 1e-12 * std::abs(rate));
    EXPECT_NEAR(p.a[0], (force - 0.01 * v - 1e6 * x) / 0.005, 1e-12 * std::abs(p.a[0]) + 1e-6);
  }
}

TEST(SpeakerExample, RingsAndFadesAsPublished) {
  const model::Model model = read_example("speaker", "speaker");
  solve::Options options = io::read_simulation_options(model);
  const solve::Result r = run_model(model, options);
  const std::vector<double> x = r.signal("cone.s");
  const double f0 = std::sqrt(1e6 / 0.005) / (2 * pi);
  EXPECT_NEAR(f0, 2250.790790, 1e-6);
  // φ' = 15.350232484 Wb/m gives the forced motion 1.5472e-6 m at 200 Hz and 100 V (windows of whole periods of both)
  const double forced = amplitude(r.times, x, 200, 0, 0.06);
  EXPECT_NEAR(forced, 1.5472e-6, 0.01e-6);
  // the free part decays with 2 m/(d + φ'²/R) = 40.7 ms; windows of 5 ms hold 11 1/4 periods, so 200 Hz is taken away
  const auto ring = [&](double from) {
    double c = 0, s = 0, n = 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
      const double t = r.times[k];
      if (t < from - 1e-9 || t >= from + 0.01 - 1e-9) continue;
      const double free = x[k] - forced * std::sin(2 * pi * 200 * t), w = 1 - std::cos(2 * pi * (t - from) / 0.01);
      c += w * free * std::cos(2 * pi * f0 * t), s += w * free * std::sin(2 * pi * f0 * t), n += w;
    }
    return 2 * std::hypot(c, s) / n;
  };
  const double decay = 0.04 / std::log(ring(0) / ring(0.04));
  EXPECT_NEAR(decay, 40.7e-3, 0.02 * 40.7e-3);
  // amplitude ratio 200/2250.79 at the start: the first window has its mean at 5 ms
  EXPECT_NEAR(ring(0) * std::exp(5e-3 / decay) / forced, 0.08886, 0.01 * 0.08886);
  // not visible in the current
  const std::vector<double> i = r.signal("coil.i");
  EXPECT_NEAR(*std::max_element(i.begin(), i.end()), 0.1, 1e-4);
}

TEST(CondenserSpeakerExample, FollowsThePublishedEquations) {
  // m ẍ + d ẋ + k x − ½ C' u² = −m g, L i̇ = E − R i − u, i = C u̇ + C' ẋ u with C = ε A/(g + x)
  const auto f = [](double t, const std::array<double, 4>& y) {
    const double x = y[0], v = y[1], i = y[2], u = y[3], gap = 0.4e-3 + x, C = 8.8541878128e-12 * 80e-4 / gap,
                 slope = -C / gap;
    return std::array<double, 4>{v, (-0.003 * 9.81 - 0.6 * v - 2000 * x + slope * u * u / 2) / 0.003,
                                 (400 + 60 * std::sin(2 * pi * 90 * t) - 20e3 * i - u) / 0.5, (i - slope * v * u) / C};
  };
  const solve::Result r = run_model(read_example("condenser_speaker", "condenser_speaker"));
  for (const double t : {0.005, 0.02, 0.05}) {
    const auto y = integrate<4>(f, {0, 0, 0, 0}, t, static_cast<int>(t * 2e6));  // 0.5 µs
    EXPECT_NEAR(value_at(r, "plate.s", t), y[0], 1e-13 + 1e-8 * std::abs(y[0]));
    EXPECT_NEAR(value_at(r, "plates.v", t), y[3], 1e-8 * 400);
    EXPECT_NEAR(value_at(r, "coil.i", t), y[2], 1e-9);
  }
  // the account of energy
  const double supplied = r.signal("energy.supplied").back();
  const double rest = supplied - r.signal("energy.dissipated").back() -
                      (r.signal("energy.stored").back() - r.signal("energy.stored").front());
  EXPECT_NEAR(rest, 0, 1e-9 * r.signal("energy.dissipated").back() + 1e-9 * std::abs(supplied));
}

TEST(TwoLinkExample, MovesAsLagrangesEquationsByHandDemand) {
  // absolute coordinates of two rods, joint angles q1, q2 (relative), rotors with N² J, armatures
  constexpr double m1 = 4, m2 = 2.5, l1 = 0.5, l2 = 0.4, g = 9.81;
  constexpr double N1 = 80, N2 = 60, k1 = 0.08 * N1, k2 = 0.05 * N2, J1 = 6e-5 * N1 * N1, J2 = 3e-5 * N2 * N2;
  const auto f = [&](double t, const std::array<double, 6>& x) {
    const double q1 = x[0], q2 = x[1], v1 = x[2], v2 = x[3];
    const double s = t < 4 ? (t / 4 - std::sin(2 * pi * t / 4) / (2 * pi)) * pi / 2 : pi / 2;
    const double u1 = 400 * (s - q1) - 12 * v1, u2 = 300 * (s - q2) - 8 * v2;
    const double a = m1 * l1 * l1 / 3 + m2 * (l1 * l1 + l2 * l2 / 3 + l1 * l2 * std::cos(q2)) + J1;
    const double b = m2 * (l2 * l2 / 3 + l1 * l2 * std::cos(q2) / 2), d = m2 * l2 * l2 / 3 + J2;
    const double h = m2 * l1 * l2 * std::sin(q2) / 2;
    const double f1 = k1 * x[4] - 0.4 * v1 + h * (2 * v1 * v2 + v2 * v2) -
                      g * ((m1 / 2 + m2) * l1 * std::cos(q1) + m2 * l2 / 2 * std::cos(q1 + q2));
    const double f2 = k2 * x[5] - 0.2 * v2 - h * v1 * v1 - g * m2 * l2 / 2 * std::cos(q1 + q2);
    const double det = a * d - b * b;
    return std::array<double, 6>{v1,
                                 v2,
                                 (d * f1 - b * f2) / det,
                                 (a * f2 - b * f1) / det,
                                 (u1 - 1.1 * x[4] - k1 * v1) / 1.5e-3,
                                 (u2 - 1.8 * x[5] - k2 * v2) / 1.2e-3};
  };
  const solve::Result r = run_model(read_example("two_link", "two_link"));
  for (const double t : {0.5, 2.0, 4.0}) {
    const auto x = integrate<6>(f, {}, t, static_cast<int>(t * 1e5));  // 10 µs against time constants of 0.7 ms
    EXPECT_NEAR(value_at(r, "joint1.q", t), x[0], 1e-9);
    EXPECT_NEAR(value_at(r, "joint2.q", t), x[1], 1e-9);
    EXPECT_NEAR(value_at(r, "motor1.i", t), x[4], 1e-7);
    EXPECT_NEAR(value_at(r, "motor2.i", t), x[5], 1e-7);
  }
}

}  // namespace
}  // namespace coenergy::tests
