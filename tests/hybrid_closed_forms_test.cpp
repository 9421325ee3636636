// Periodic states and linear models of what switches, samples and hits, against maps in closed form: of every interval
// between two instants the motion is that of a linear system, which a matrix exponential solves exactly.
#include <cmath>
#include <numbers>

#include "coenergy/analyze/periodic.hpp"
#include "coenergy/analyze/sampled.hpp"
#include "coenergy/solve/initialize.hpp"
#include "tests/inline_model.hpp"

namespace coenergy::tests {
namespace {

using Complex = std::complex<double>;
using Row = std::vector<double>;
using Matrix = std::vector<Row>;

Matrix identity(std::size_t n) {
  Matrix m(n, Row(n));
  for (std::size_t i = 0; i < n; ++i) m[i][i] = 1;
  return m;
}
Matrix operator*(const Matrix& a, const Matrix& b) {
  Matrix c(a.size(), Row(b[0].size()));
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b[0].size(); ++j)
      for (std::size_t k = 0; k < b.size(); ++k) c[i][j] += a[i][k] * b[k][j];
  return c;
}
Row operator*(const Matrix& a, const Row& x) {
  Row y(a.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t k = 0; k < x.size(); ++k) y[i] += a[i][k] * x[k];
  return y;
}

/// e^{A t}, by its series for a part of t, squared.
Matrix exponential(const Matrix& a, double t) {
  double size = 0;
  for (const Row& row : a)
    for (const double x : row) size = std::max(size, std::abs(x * t));
  const int squarings = std::max(0, static_cast<int>(std::ceil(std::log2(size + 1e-300))) + 4);
  Matrix term = identity(a.size()), sum = term;
  for (int k = 1; k < 16; ++k) {
    term = term * a;
    for (Row& row : term)
      for (double& x : row) x *= t / std::ldexp(1, squarings) / k;
    for (std::size_t i = 0; i < sum.size(); ++i)
      for (std::size_t j = 0; j < sum.size(); ++j) sum[i][j] += term[i][j];
  }
  for (int k = 0; k < squarings; ++k) sum = sum * sum;
  return sum;
}

/// x(t) of ẋ = A x + b.
Row move(const Matrix& a, const Row& b, const Row& x, double t) {
  Matrix whole(a.size() + 1, Row(a.size() + 1));
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < a.size(); ++j) whole[i][j] = a[i][j];
    whole[i][a.size()] = b[i];
  }
  Row extended = x;
  extended.push_back(1);
  extended = exponential(whole, t) * extended;
  extended.pop_back();
  return extended;
}

/// The solution of M x = r by elimination.
Row solve(Matrix m, Row r) {
  const std::size_t n = r.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t p = k;
    for (std::size_t i = k; i < n; ++i)
      if (std::abs(m[i][k]) > std::abs(m[p][k])) p = i;
    std::swap(m[k], m[p]), std::swap(r[k], r[p]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = m[i][k] / m[k][k];
      for (std::size_t j = k; j < n; ++j) m[i][j] -= factor * m[k][j];
      r[i] -= factor * r[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) r[k] -= m[k][j] * r[j];
    r[k] /= m[k][k];
  }
  return r;
}

/// The fixed point of a map with this Jacobian, by Newton's method.
template <class Map, class Jacobian>
Row find_fixed(Map&& map, Jacobian&& jacobian, Row x) {
  for (int pass = 0; pass < 50; ++pass) {
    const Row y = map(x);
    Matrix m = jacobian(x);
    Row r(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) r[i] = y[i] - x[i], m[i][i] -= 1;
    const Row step = solve(m, r);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] -= step[i];
  }
  return x;
}

/// The multipliers λ are the eigenvalues of M, those beside them zero: det(M − λ) = 0 for each, and their sum is the trace.
void expect_eigenvalues(const std::vector<Complex>& found, const Matrix& m, double tolerance) {
  const std::size_t n = m.size();
  ASSERT_GE(found.size(), n);
  Complex sum = 0;
  double trace = 0;
  for (std::size_t k = 0; k < n; ++k) sum += found[k], trace += m[k][k];
  for (std::size_t k = n; k < found.size(); ++k) EXPECT_LT(std::abs(found[k]), 1e-6) << found[k];
  EXPECT_NEAR(sum.real(), trace, tolerance);
  EXPECT_NEAR(sum.imag(), 0, tolerance);
  for (std::size_t k = 0; k < n; ++k) {
    std::vector<std::vector<Complex>> a(n, std::vector<Complex>(n));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) a[i][j] = m[i][j] - (i == j ? found[k] : 0.0);
    const auto minor = [&](int i, int j, int p, int q) { return a[i][p] * a[j][q] - a[i][q] * a[j][p]; };
    const Complex det = n == 2
                            ? minor(0, 1, 0, 1)
                            : a[0][0] * minor(1, 2, 1, 2) - a[0][1] * minor(1, 2, 0, 2) + a[0][2] * minor(1, 2, 0, 1);
    EXPECT_LT(std::abs(det), tolerance) << found[k];
  }
}

analyze::Periodic find(const std::string& text, double period) {
  equations::Evaluator evaluator(compile_model(io::parse_model(text, "m.yaml")));
  solve::Options options;
  options.rtol = 1e-10, options.atol = 1e-12;
  return analyze::find_periodic(evaluator, options, {.period = period});
}

double value_of(const analyze::Periodic& p, const std::string& name) {
  for (std::size_t k = 0; k < p.names.size(); ++k)
    if (p.names[k] == name) return p.values[k];
  ADD_FAILURE() << "no " << name;
  return 0;
}

TEST(HybridClosedForms, ABuckConverterUnderASampledPiController) {
  // (i, v, X) just before a sample: x = X + T (v − r), d = −kp (v − r) − ki x, then the source for d T, nothing for
  // the rest of T. Its switching moves with d: ∂(i, v)/∂d = e^{A (1 − d) T} (V/L, 0) T.
  const std::string text = R"(
components:
  c: {type: blocks.SampledPid, reference: 7 V, measure: C.v, kp: 0.011, ki: 55, sample: 8 us}
  gate: {type: electrical.Pwm, duty: c.y, period: 8 us}
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 20 V*gate.y}
  r: {type: electrical.Resistor, p: a, n: b, R: 70 mohm}
  L: {type: electrical.Inductor, p: b, n: out, L: 75 uH, i0: 1.7 A}
  C: {type: electrical.Capacitor, p: out, n: gnd, C: 62 uF, v0: 6.9 V}
  R: {type: electrical.Resistor, p: out, n: gnd, R: 4.1 ohm}
)";
  const double V = 20, L = 75e-6, C = 62e-6, R = 4.1, r = 0.07, T = 8e-6, kp = 0.011, ki = 55, wanted = 7;
  const Matrix A = {{-r / L, -1 / L}, {1 / C, -1 / (R * C)}};
  const auto duty = [&](const Row& x) { return -kp * (x[1] - wanted) - ki * (x[2] + T * (x[1] - wanted)); };
  const auto map = [&](const Row& x) {
    const double d = duty(x);
    Row next = move(A, {0, 0}, move(A, {V / L, 0}, {x[0], x[1]}, d * T), (1 - d) * T);
    next.push_back(x[2] + T * (x[1] - wanted));
    return next;
  };
  const auto jacobian = [&](const Row& x) {
    const Matrix whole = exponential(A, T);
    const Row shift = exponential(A, (1 - duty(x)) * T) * Row{V / L * T, 0};
    const Row d = {0, -kp - ki * T, -ki};
    Matrix m(3, Row(3));
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 3; ++j) m[i][j] = (j < 2 ? whole[i][j] : 0) + shift[i] * d[j];
    m[2] = {0, T, 1};
    return m;
  };
  const Row fixed = find_fixed(map, jacobian, {1.7, 7, -0.36 / ki});
  const auto found = find(text, T);
  ASSERT_TRUE(found.good) << found.text;
  EXPECT_NEAR(found.smallest, T, 1e-15);
  // runs keep 1e-10
  EXPECT_NEAR(value_of(found, "L.i"), fixed[0], 1e-8);
  EXPECT_NEAR(value_of(found, "C.v"), fixed[1], 1e-8);
  EXPECT_NEAR(value_of(found, "c.y"), duty(fixed), 1e-9);
  expect_eigenvalues(found.multipliers, jacobian(fixed), 1e-7);
}

TEST(HybridClosedForms, ABoostConverterUnderASampledControllerThatIsOnePeriodLate) {
  // closed for d T: L i' = V − r i, C v' = −v/R; then L i' = V − r i − v, C v' = i − v/R; d = 0.4 + what the controller
  // made of the sample before
  const std::string text = R"(
components:
  c: {type: blocks.SampledPid, reference: 20 V, measure: C.v, kp: 0.004, sample: 10 us}
  late: {type: blocks.ZeroOrderHold, u: c.y, sample: 10 us, delay: 1}
  gate: {type: electrical.Pwm, duty: 0.4 + late.y, period: 10 us}
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 12 V}
  r: {type: electrical.Resistor, p: a, n: b, R: 60 mohm}
  L: {type: electrical.Inductor, p: b, n: sw, L: 90 uH, i0: 2 A}
  low: {type: electrical.IdealSwitch, p: sw, n: gnd, control: gate.y, R_on: 20 mohm, G_off: 1e-12 S}
  high: {type: electrical.IdealSwitch, p: sw, n: out, control: 1 - gate.y, R_on: 20 mohm, G_off: 1e-12 S}
  C: {type: electrical.Capacitor, p: out, n: gnd, C: 110 uF, v0: 19.5 V}
  R: {type: electrical.Resistor, p: out, n: gnd, R: 15 ohm}
)";
  const double V = 12, L = 90e-6, C = 110e-6, R = 15, r = 0.08, T = 10e-6, kp = 0.004, wanted = 20;
  const Matrix on = {{-r / L, 0}, {0, -1 / (R * C)}}, off = {{-r / L, -1 / L}, {1 / C, -1 / (R * C)}};
  const Row b = {V / L, 0};
  // (i, v, output of the sample before)
  const auto duty = [](const Row& x) { return 0.4 + x[2]; };
  const auto map = [&](const Row& x) {
    Row next = move(off, b, move(on, b, {x[0], x[1]}, duty(x) * T), (1 - duty(x)) * T);
    next.push_back(-kp * (x[1] - wanted));
    return next;
  };
  const auto jacobian = [&](const Row& x) {
    const double d = duty(x);
    const Matrix rest = exponential(off, (1 - d) * T), whole = rest * exponential(on, d * T);
    const Row at = move(on, b, {x[0], x[1]}, d * T);
    // what the rates lose by switching, over the shift T of the instant
    const Row shift = rest * Row{at[1] / L * T, -at[0] / C * T};
    return Matrix{{whole[0][0], whole[0][1], shift[0]}, {whole[1][0], whole[1][1], shift[1]}, {0, -kp, 0}};
  };
  const Row fixed = find_fixed(map, jacobian, {2, 19.5, 0});
  const auto found = find(text, T);
  ASSERT_TRUE(found.good) << found.text;
  EXPECT_NEAR(value_of(found, "L.i"), fixed[0], 1e-8);
  EXPECT_NEAR(value_of(found, "C.v"), fixed[1], 1e-8);
  expect_eigenvalues(found.multipliers, jacobian(fixed), 1e-7);
}

TEST(HybridClosedForms, AnOscillatorThatHitsAStopOnceInEveryPeriodOfItsForce) {
  // x = a cos w0 s + b sin w0 s + G cos w (s + t0) between impacts at s = 0 and T (Shaw and Holmes 1983): with the speed
  // v behind the impact, sin w t0 = v (1 − e)/(2 e G w), b = v (1 + e)/(2 e w0), a = b cot(w0 T/2), and x = σ gives v
  const double m = 1.3, w0 = 6, F = 5, e = 0.72, sigma = -0.03, w = 10, T = 2 * std::numbers::pi / w;
  const double G = F / (m * (w0 * w0 - w * w)), kappa = (1 + e) / (2 * e * w0) / std::tan(w0 * T / 2);
  const double p = std::pow((1 - e) / (2 * e * G * w), 2) + std::pow(kappa / G, 2), q = -2 * sigma * kappa / (G * G);
  const double v = (-q + std::sqrt(q * q - 4 * p * (std::pow(sigma / G, 2) - 1))) / (2 * p);
  const double angle = std::atan2(v * (1 - e) / (2 * e * G * w), (sigma - kappa * v) / G);
  const double b = v * (1 + e) / (2 * e * w0), a = b / std::tan(w0 * T / 2);
  // at a whole number of periods of the force, s = −t0 modulo T
  const double s = std::fmod(2 * T - angle / w, T);
  const double x = a * std::cos(w0 * s) + b * std::sin(w0 * s) + G,
               speed = -a * w0 * std::sin(w0 * s) + b * w0 * std::cos(w0 * s);
  const auto found = find(R"(
components:
  m: {type: mechanical.Mass, m: 1.3 kg, s0: 0.05 m}
  k: {type: mechanical.TranslationalSpring, a: ground, b: m, k: 46.8 N/m}
  F: {type: mechanical.Force, flange: m, f: 5 N*cos(10 1/s*time)}
  st: {type: mechanical.TranslationalStop, a: ground, b: m, lower: -0.03 m, stop_restitution: 0.72}
)",
                          T);
  ASSERT_TRUE(found.good) << found.text;
  EXPECT_NEAR(value_of(found, "m.flange.s"), x, 1e-8);
  EXPECT_NEAR(value_of(found, "m.flange.sd"), speed, 1e-7);
  // between impacts a rotation; at the impact δx⁺ = −e δx, δv⁺ = −e δv − (1 + e) e A/v δx, A the acceleration there
  const double A = F / m * std::cos(angle) - w0 * w0 * sigma;
  const Matrix turn = {{std::cos(w0 * T), std::sin(w0 * T) / w0}, {-w0 * std::sin(w0 * T), std::cos(w0 * T)}};
  const Matrix hit = {{-e, 0}, {-(1 + e) * e * A / v, -e}};
  expect_eigenvalues(found.multipliers, hit * turn, 1e-6);
}

TEST(HybridClosedForms, ASampledPiLoopWithADelay) {
  // samples: K = kp + ki T z/(z − 1), three periods late, a lag a = e^{−T/τ}: closed L/(1 + L), L = K z⁻³ (1 − a)/(z − a)
  const double T = 0.012, tau = 0.11, kp = 0.35, ki = 1.9, a = std::exp(-T / tau);
  const std::string loop = R"(
  c: {type: blocks.SampledPid, reference: r.y, measure: g.y, kp: 0.35, ki: 1.9, sample: 12 ms}
  z: {type: blocks.ZeroOrderHold, u: c.y, sample: 12 ms, delay: 3}
  g: {type: blocks.TransferFunction, u: z.y, den: [0.11, 1]}
)";
  const auto controller = [&](Complex z) { return (kp + ki * T * z / (z - 1.0)) / (z * z * z); };
  const auto open = [&](Complex z) { return controller(z) * (1 - a) / (z - a); };

  // the frequency response between samples: hold, lag and controller on what is sampled
  equations::Evaluator linear(compile_model(io::parse_model(
      "components:\n  r: {type: blocks.Gain, u: u.y, k: 1}\n  u: {type: blocks.Constant, value: 0}" + loop, "m.yaml")));
  const equations::Point start = solve::initialize(linear).point;
  const auto model = analyze::linearize_sampled(linear, start, analyze::linearize(linear, start, {"u.value"}, {"g.y"}));
  for (const double f : {0.3, 2.0, 9.0, 31.0, 60.0}) {
    const Complex s(0, 2 * std::numbers::pi * f), z = std::exp(s * T), hold = (1.0 - 1.0 / z) / (s * T);
    const Complex expected = hold / (1.0 + s * tau) * controller(z) / (1.0 + open(z));
    EXPECT_LT(std::abs(analyze::compute_sampled_response(model, s.imag())[0] - expected), 1e-11) << f;
  }
  // its poles: (z − 1)(z − a) z³ + (1 − a)(kp (z − 1) + ki T z) = 0
  const auto polynomial = [&](Complex z) {
    return (z - 1.0) * (z - a) * z * z * z + (1 - a) * (kp * (z - 1.0) + ki * T * z);
  };
  int poles = 0;
  std::vector<double> sizes;
  for (const analyze::SampledMode& mode : analyze::compute_sampled_modes(model)) {
    if (std::abs(mode.z) < 1e-6) continue;
    EXPECT_LT(std::abs(polynomial(mode.z)), 1e-10) << mode.z;
    for (int k = 0; k < (mode.z.imag() > 0 ? 2 : 1); ++k) sizes.push_back(std::pow(std::abs(mode.z), 5)), ++poles;
  }
  EXPECT_EQ(poles, 5);

  // under a sine over five samples: y(kT) = Im(L/(1 + L) e^{jωkT}), and multipliers z⁵
  const auto found = find("components:\n  r: {type: blocks.Sine, frequency: 1/(60 ms)}" + loop, 5 * T);
  ASSERT_TRUE(found.good) << found.text;
  const Complex z = std::exp(Complex(0, 2 * std::numbers::pi / 5));
  EXPECT_NEAR(value_of(found, "g.x1") / tau, (open(z) / (1.0 + open(z))).imag(), 1e-8);
  ASSERT_GE(found.multipliers.size(), sizes.size());
  for (std::size_t k = 0; k < sizes.size(); ++k) EXPECT_NEAR(std::abs(found.multipliers[k]), sizes[k], 1e-7) << k;
}

TEST(HybridClosedForms, ALoopOfTwoRates) {
  // a mass under a fast loop of its speed every T, f = c (w − v), inside a slow one of its position every 3 T,
  // w = h (r − x); both read the state just before the instant, the fast one what the slow one has just put out
  const double m = 2, T = 0.01, c = 60, h = 4;
  const std::string loop = R"(
  slow: {type: blocks.ZeroOrderHold, u: 4 1/s*(r.y - m.s), sample: 30 ms}
  fast: {type: blocks.ZeroOrderHold, u: 60 N.s/m*(slow.y - m.v), sample: 10 ms}
  F: {type: mechanical.Force, flange: m, f: fast.y}
  m: {type: mechanical.Mass, m: 2 kg, s0: 0.1 m}
)";
  // over T: x += T v + T²/(2 m) f, v += T/m f
  const Matrix step = {{1, T - T * T / (2 * m) * c}, {0, 1 - T / m * c}};
  const Row push = {T * T / (2 * m) * c, T / m * c};
  const Matrix three = step * step * step;
  const Row twice = step * (step * push), once = step * push;
  const Row by_w = {twice[0] + once[0] + push[0], twice[1] + once[1] + push[1]};
  Matrix whole = three;
  for (int i = 0; i < 2; ++i) whole[i][0] -= by_w[i] * h;

  equations::Evaluator linear(
      compile_model(io::parse_model("components:\n  r: {type: blocks.Constant, value: 0 m}" + loop, "m.yaml")));
  const equations::Point start = solve::initialize(linear).point;
  const auto model = analyze::linearize_sampled(linear, start, analyze::linearize(linear, start, {}, {"m.s"}));
  EXPECT_NEAR(model.period, 3 * T, 1e-15);
  std::vector<Complex> poles;
  for (const analyze::SampledMode& mode : analyze::compute_sampled_modes(model)) {
    poles.push_back(mode.z);
    if (mode.z.imag() > 0) poles.push_back(std::conj(mode.z));
  }
  std::stable_sort(poles.begin(), poles.end(), [](Complex x, Complex y) { return std::abs(x) > std::abs(y); });
  expect_eigenvalues(poles, whole, 1e-10);

  // a sine over four slow samples: z₀ = M⁴ z₀ + Σ M^{3−k} b h sin(2π k/4)
  const auto found =
      find("components:\n  r: {type: blocks.Sine, frequency: 1/(120 ms), amplitude: 0.3 m}" + loop, 12 * T);
  ASSERT_TRUE(found.good) << found.text;
  Matrix four = whole * whole * whole * whole, rest = four;
  Row forced(2);
  for (int k = 0; k < 4; ++k) {
    forced = whole * forced;
    for (int i = 0; i < 2; ++i) forced[i] += by_w[i] * h * 0.3 * std::sin(2 * std::numbers::pi * k / 4);
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) rest[i][j] = (i == j) - four[i][j];
  const Row expected = solve(rest, forced);
  EXPECT_NEAR(value_of(found, "F.flange.s"), expected[0], 1e-9);
  EXPECT_NEAR(value_of(found, "F.flange.sd"), expected[1], 1e-8);
  expect_eigenvalues(found.multipliers, four, 1e-8);
}

}  // namespace
}  // namespace coenergy::tests
