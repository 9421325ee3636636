// examples/class_e against comparison C3 of EUROSIM (Breitenecker): published eigenvalues, states from
// a matrix exponential, and slow switching against a method of its own below.
#include <array>
#include <cmath>

#include "coenergy/analyze/linearize.hpp"
#include "coenergy/analyze/modes.hpp"
#include "tests/example_run.hpp"

namespace coenergy::tests {
namespace {

constexpr const char* states[] = {"L1.i", "C2.v", "L3.i", "C4.v"};
using State = std::array<double, 4>;

solve::Result run_class_e(const Settings& set, double t_end) {
  const model::Model model = read_example("class_e", "class_e", set);
  solve::Options options = io::read_simulation_options(model);
  options.t_end = t_end;
  return run_model(model, options);
}
State end_of(const solve::Result& result) {
  State x;
  for (int k = 0; k < 4; ++k) x[k] = result.signal(states[k]).back();
  return x;
}

std::vector<std::complex<double>> eigenvalues_at(double time) {
  equations::Evaluator evaluator(compile_model(read_example("class_e", "class_e")));
  solve::Options options = io::read_simulation_options(read_example("class_e", "class_e"));
  options.t_end = time;
  const solve::Result run = solve::simulate(evaluator, options);
  std::vector<std::complex<double>> all;
  for (const auto& m : analyze::compute_modes(evaluator.system(), analyze::linearize(evaluator, run.end)).modes)
    all.push_back(m.eigenvalue);
  return all;
}

void expect_close(std::complex<double> actual, std::complex<double> expected) {
  // the published values scatter by 1e-11
  EXPECT_LE(std::abs(actual - expected), 1e-10 * std::abs(expected)) << actual << " " << expected;
}

TEST(ClassEExample, HasThePublishedEigenvaluesWithTheSwitchClosed) {
  const auto found = eigenvalues_at(7.5e-6);
  ASSERT_EQ(found.size(), 3u);
  expect_close(found[0], {-6.25782767474931e2, 0});
  expect_close(found[1], {-1.1303881490e5, 6.58352220471e5});
  expect_close(found[2], {-1.11731759441059e9, 0});
}

TEST(ClassEExample, HasThePublishedEigenvaluesWithTheSwitchOpen) {
  const auto found = eigenvalues_at(2.5e-6);
  ASSERT_EQ(found.size(), 2u);
  expect_close(found[0], {-0.05822841860988e6, 0.532750192405971e6});
  expect_close(found[1], {-0.05470820246506e6, 1.040797197854831e6});
}

TEST(ClassEExample, StartsAsTheReference) {
  const solve::Result result = run_class_e({}, 100e-6);
  const std::pair<double, State> reference[] = {
      {5e-6, {-0.009692960928, 6.302101480778, 0.024134733126, 9.859921040721}},
      {10e-6, {0.302573531184, 0.015511393004, -0.007685423794, -5.993950349972}},
      {50e-6, {0.261826039551, 0.010848293085, 0.044850495443, -14.309543643054}},
      {100e-6, {0.261093907738, 0.010829917670, 0.044486180888, -14.370629610158}}};
  for (const auto& [t, x] : reference)
    for (int k = 0; k < 4; ++k)
      EXPECT_NEAR(value_at(result, states[k], t), x[k], 1e-6 * std::abs(x[k])) << states[k] << " at " << t;
}

TEST(ClassEExample, ShowsTheCurrentPeaksOfTheSwitch) {
  const solve::Result result = run_class_e({}, 40e-6);
  const std::vector<double> current = result.signal("S1.i");
  const std::pair<double, double> peaks[] = {{5e-6, 126.0420}, {15e-6, -24.9757}, {25e-6, 109.3414}, {35e-6, 118.4900}};
  for (const auto& [t, expected] : peaks) {
    double peak = 0;
    for (std::size_t k = 0; k < current.size(); ++k)
      if (std::abs(result.times[k] - t) < 1e-8 && std::abs(current[k]) > std::abs(peak)) peak = current[k];
    EXPECT_NEAR(peak, expected, 1e-4 * std::abs(expected)) << t;
  }
}

// ---- slow switching, by a method that shares nothing with the program

/// ẋ = A(R) x + b of the circuit, by Gauss' method of order 4 with steps in a variable that resolves the ramp of R.
class Oracle {
 public:
  State x{};

  /// Constant R.
  void hold(double R, double duration) {
    const int steps = R < 1 ? 40000 : 4000;
    for (int k = 0; k < steps; ++k) step([R](double) { return R; }, 0, 1, duration / steps);
  }
  /// R from `from` to `to`, linear in time: t = trf·(R − from)/(to − from), R = exp(σ), steps uniform in σ.
  void ramp(double from, double to, double trf) {
    const int steps = 20000;
    const double begin = std::log(from), width = (std::log(to) - begin) / steps, rate = trf / (to - from);
    for (int k = 0; k < steps; ++k)
      step([](double sigma) { return std::exp(sigma); }, begin + k * width, width, 0, rate);
  }

 private:
  /// One step in s: dx/ds = (A x + b) dt/ds; dt/ds is `dt` (R held) or rate·R (ramp, s = σ).
  template <class Resistance>
  void step(Resistance R, double s, double h, double dt, double rate = 0) {
    const double root = std::sqrt(3.0) / 6, nodes[] = {0.5 - root, 0.5 + root};
    const double a[2][2] = {{0.25, 0.25 - root}, {0.25 + root, 0.25}};
    double m[8][9] = {};
    for (int i = 0; i < 2; ++i) {
      const double r = R(s + nodes[i] * h), weight = h * (rate != 0 ? rate * r : dt / h);
      double A[4][4] = {{0, -1 / L1, 0, 0}, {1 / C2, -1 / (r * C2), -1 / C2, 0}, {0, 1 / L3, -RL / L3, -1 / L3}, {}};
      A[3][2] = 1 / C4;
      const double b[4] = {5 / L1, 0, 0, 0};
      for (int k = 0; k < 4; ++k) {
        m[4 * i + k][4 * i + k] += 1;
        m[4 * i + k][8] = weight * b[k];
        for (int l = 0; l < 4; ++l) {
          m[4 * i + k][8] += weight * A[k][l] * x[l];
          for (int j = 0; j < 2; ++j) m[4 * i + k][4 * j + l] -= weight * A[k][l] * a[i][j];
        }
      }
    }
    solve(m);
    for (int k = 0; k < 4; ++k) x[k] += (m[k][8] + m[4 + k][8]) / 2;
  }
  static void solve(double (&m)[8][9]) {
    for (int k = 0; k < 8; ++k) {
      int best = k;
      for (int i = k; i < 8; ++i)
        if (std::abs(m[i][k]) > std::abs(m[best][k])) best = i;
      std::swap(m[k], m[best]);
      for (int i = 0; i < 8; ++i) {
        if (i == k) continue;
        const double f = m[i][k] / m[k][k];
        for (int j = k; j < 9; ++j) m[i][j] -= f * m[k][j];
      }
    }
    for (int k = 0; k < 8; ++k) m[k][8] /= m[k][k];
  }
  static constexpr double L1 = 79.9e-6, C2 = 17.9e-9, L3 = 232e-6, C4 = 9.66e-9, RL = 52.4;
};

/// Task c: 9 µs from the end state of task b.
Settings task_c(const char* trf) {
  return {{"TRF", trf},
          {"L1.i0", "0.261093907738"},
          {"C2.v0", "0.010829917670"},
          {"L3.i0", "0.044486180888"},
          {"C4.v0", "-14.370629610158"}};
}

TEST(ClassEExample, SwitchesSlowlyAsTheReference) {
  for (const char* trf : {"1e-15", "1e-11", "1e-9", "1e-7"}) {
    const double t = std::stod(trf);
    Oracle oracle;
    oracle.x = {0.261093907738, 0.010829917670, 0.044486180888, -14.370629610158};
    oracle.ramp(0.05, 5e6, t);
    oracle.hold(5e6, 5e-6 - t);
    oracle.ramp(5e6, 0.05, t);
    oracle.hold(0.05, 4e-6 - t);
    const State x = end_of(run_class_e(task_c(trf), 9e-6));
    for (int k = 0; k < 4; ++k)
      EXPECT_NEAR(x[k], oracle.x[k], 1e-5 * std::abs(oracle.x[k])) << states[k] << " with TRF = " << trf;
  }
}

TEST(ClassEExample, OnlyTheSlowestSwitchingDiffersVisibly) {
  const State fast = end_of(run_class_e(task_c("1e-15"), 9e-6)), medium = end_of(run_class_e(task_c("1e-11"), 9e-6)),
              slow = end_of(run_class_e(task_c("1e-7"), 9e-6));
  const State reference = {0.1986579158, 0.010926624169, -0.0198653307, -15.8273652977};
  const State reference_medium = {0.1986572247, 0.010926596884, -0.0198654760, -15.8273537199};
  for (int k = 0; k < 4; ++k) {
    EXPECT_NEAR(fast[k], reference[k], 1e-5 * std::abs(reference[k])) << states[k];
    EXPECT_NEAR(medium[k], reference_medium[k], 1e-5 * std::abs(reference_medium[k])) << states[k];
  }
  EXPECT_GT(std::abs(slow[0] - fast[0]), 1e-3 * std::abs(fast[0]));
}

}  // namespace
}  // namespace coenergy::tests
