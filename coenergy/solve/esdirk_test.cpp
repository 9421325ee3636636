#include "coenergy/solve/esdirk.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "coenergy/solve/initialize.hpp"
#include "coenergy/solve/simulate.hpp"
#include "coenergy/solve/test_systems.hpp"

namespace coenergy::solve {
namespace {

using namespace test;
constexpr double pi = std::numbers::pi;

Options esdirk(double t_end, double tolerance) {
  Options options;
  options.method = "esdirk", options.t_end = t_end, options.rtol = options.atol = tolerance;
  return options;
}

/// Order seen between steps h and h/2 in a signal at the end, given its exact value.
double order_of(const System& system, double t_end, double h, const char* signal, double exact) {
  double error[2];
  for (int k = 0; k < 2; ++k) {
    Options options;
    options.method = "esdirk", options.t_end = t_end, options.newton_tolerance = 1e-12;
    options.adaptive = false, options.step = h / (k + 1);
    const Result result = simulate(system, options);
    EXPECT_EQ(result.status, Status::done) << result.text;
    error[k] = std::abs(result.signal(signal).back() - exact);
  }
  return std::log2(error[0] / error[1]);
}

// ẍ + 0.4 ẋ + 9 x = 0
double damped_cosine(double t) {
  const double w = std::sqrt(9 - 0.04);
  return std::exp(-0.2 * t) * (std::cos(w * t) + 0.2 / w * std::sin(w * t));
}

TEST(EsdirkMethod, TableausMeetTheirOrderConditionsAndAreLStable) {
  for (const EsdirkMethod* m : {&esdirk_method(), &sdirk_method()}) {
    const int s = m->stages;
    const auto& b = m->a[s - 1];
    double sum = 0, bc = 0, bcc = 0, bac = 0, e = 0, ec = 0;
    for (int i = 0; i < s; ++i) {
      double row = 0, ac = 0;
      for (int j = 0; j <= i; ++j) row += m->a[i][j], ac += m->a[i][j] * m->c[j];
      EXPECT_NEAR(row, m->c[i], 1e-15);
      if (m->explicit_first) {
        EXPECT_NEAR(ac, m->c[i] * m->c[i] / 2, 1e-15) << "stage order 2";
      }
      sum += b[i], bc += b[i] * m->c[i], bcc += b[i] * m->c[i] * m->c[i], bac += b[i] * ac;
      e += m->error[i], ec += m->error[i] * m->c[i];
    }
    EXPECT_NEAR(sum, 1, 1e-14);
    EXPECT_NEAR(bc, 1.0 / 2, 1e-14);
    EXPECT_NEAR(bcc, 1.0 / 3, 1e-14);
    EXPECT_NEAR(bac, 1.0 / 6, 1e-14);
    // the embedded formula has order 2
    EXPECT_NEAR(e, 0, 1e-14);
    EXPECT_NEAR(ec, 0, 1e-14);
    // R(z) of ẋ = z x vanishes at infinity: stages k_i = z (1 + Σ a_ij k_j)
    const double z = -1e8;
    std::array<double, 4> k{};
    for (int i = 0; i < s; ++i) {
      double before = 1;
      for (int j = 0; j < i; ++j) before += m->a[i][j] * k[j];
      k[i] = z * before / (1 - z * m->a[i][i]);
    }
    double end = 1;
    for (int i = 0; i < s; ++i) end += b[i] * k[i];
    EXPECT_LT(std::abs(end), 1e-7);  // 2.9/z
  }
}

TEST(Esdirk, IsOfOrderThree) {
  const double exact = damped_cosine(2);
  // the next term of the error at h/period = 1/50 is a few per cent
  EXPECT_NEAR(order_of(make_oscillator(1, 0.4, 9, 1, 0), 2, 0.04, "mass.x", exact), 3, 0.1);
  // circuit with an algebraic node: L = 1, R = 0.4, C = 1/9
  EXPECT_NEAR(order_of(make_rlc(0.4, 1, 1.0 / 9, 1), 2, 0.04, "C.v", 1 - exact), 3, 0.1);
  // the node, u − R C v̇ with −d(damped cosine)/dt = 9/w e^{−0.2 t} sin w t; not at t = 2, where its error passes zero
  const double w = std::sqrt(9 - 0.04), t = 1.6, node = 1 - 0.4 / w * std::exp(-0.2 * t) * std::sin(w * t);
  EXPECT_NEAR(order_of(make_rlc(0.4, 1, 1.0 / 9, 1), t, 0.04, "node.v", node), 3, 0.15);
}

TEST(Esdirk, IsOfOrderThreeOnConstrainedMotion) {
  // IFToMM A01, positions and the multiplier
  EXPECT_NEAR(order_of(make_pendulum(), 10, 0.01, "bob.x", -0.2750874625761169), 3, 0.15);
  const Result reference = simulate(make_pendulum(), [] {
    Options options;
    options.method = "radau", options.t_end = 1, options.rtol = options.atol = 1e-12;
    return options;
  }());
  EXPECT_NEAR(order_of(make_pendulum(), 1, 0.01, "rod.force", reference.signal("rod.force").back()), 3, 0.15);
}

TEST(Esdirk, IsOfOrderThreeOnRotations) {
  const auto body = make_free_body({1, 2, 3}, {0.1, 4, 0.3});
  Options options;
  options.method = "radau", options.t_end = 2, options.rtol = options.atol = 1e-12;
  EXPECT_NEAR(order_of(body, 2, 0.02, "p1", simulate(body, options).signal("p1").back()), 3, 0.2);
}

TEST(Esdirk, StiffVanDerPolOscillatorTakesFewSteps) {
  const Result result = simulate(make_van_der_pol(1000), esdirk(2000, 1e-5));
  ASSERT_EQ(result.status, Status::done) << result.text;
  // the second jump is at t = 1614, its time is as exact as the tolerance allows; y1 is flat there
  EXPECT_NEAR(result.signal("y1").back(), 1.706167732170469, 1e-3);
  EXPECT_LT(result.statistics.steps, 1500);
}

/// The true error of a step, by ten of a tenth its size with the method itself, against the estimate.
TEST(Esdirk, EstimatesTheErrorOfAStep) {
  const System system = make_oscillator(1, 0.4, 9, 1, 0);
  equations::Evaluator evaluator(system);
  Options options = esdirk(1, 1e-6);
  Statistics statistics;
  Esdirk method(evaluator, options, statistics);
  equations::Point from = initialize(evaluator, options).point, to = from;
  method.begin(from);
  double estimate[2];
  for (int k = 0; k < 2; ++k) {
    const double h = 0.02 / (k + 1);
    // the first step behind an event has another tableau: take one more
    ASSERT_TRUE(method.step(from, 1e-4, to).good);
    method.accept(from, to);
    std::swap(from, to);
    const StepOutcome outcome = method.step(from, h, to);
    ASSERT_TRUE(outcome.good);
    estimate[k] = outcome.error;
  }
  // e = h³/3! · x‴ · (0.0124 · 2) in the norm of the tolerance: proportional to h³ within the change over the step
  EXPECT_NEAR(std::log2(estimate[0] / estimate[1]), 3, 0.2);
}

TEST(Esdirk, KeepsTheGlobalErrorProportionalToTheTwoThirdsPowerOfTheToleranceOrBetter) {
  double error[2];
  for (int k = 0; k < 2; ++k) {
    const Result result = simulate(make_pendulum(), esdirk(5, k == 0 ? 1e-5 : 1e-8));
    ASSERT_EQ(result.status, Status::done) << result.text;
    error[k] = std::abs(result.signal("bob.x").back() + 0.9423054350437573);
  }
  // the estimate is of order 3 in h, the method of order 3: error ~ tolerance
  EXPECT_NEAR(std::log10(error[0] / error[1]), 3, 0.5);
}

TEST(Esdirk, SaturatedIntegratorStopsAtTheBoundAndLeavesItOnTime) {
  Options options = esdirk(5, 1e-9);
  const Result result = simulate(make_saturated_integrator(-1, 0.5), options);
  ASSERT_EQ(result.status, Status::done) << result.text;
  const auto x = result.signal("x");
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double t = result.times[i];
    const double exact = t < 2 * pi / 3 ? -std::cos(t) : t < pi ? 0.5 : 0.5 - (1 + std::cos(t));
    EXPECT_NEAR(x[i], exact, 1e-6) << " t = " << t;  // a thousand steps of the tolerance
  }
}

/// C v̇ = i(t) − I (e^{v/V} − 1) with a current that a clock turns round every µs: from −12 V to conduction within 0.1
/// ns.
System make_switched_junction() {
  Builder b;
  auto& vars = b.variables();
  const int iv = b.add_state({"junction.v", "V"}, -12), charge = b.add_state({"slow.q", "C"}, 0),
            on = b.add_discrete("on", 0), clock = b.add_clock(1e-6);
  b.set_clocked_update(on, clock, 1 - vars.discrete(on));
  const auto v = vars.state(iv), q = vars.state(charge);
  const Expr current = select(vars.discrete(on), 2, (-12 - v.x) / 10.0);
  const Expr x = v.x / 0.026, beyond = max(x - 60, 0);
  b.add_state_row(iv, 50e-12 * v.xd - current + 1e-9 * (exp(x - beyond) * (1 + beyond) - 1));
  b.add_state_row(charge, q.xd - v.x);
  b.add_signal("v", "V", v.x);
  b.add_signal("q", "", q.x);
  return b.build();
}

TEST(Esdirk, StepsOverATransientMuchShorterThanTheStepAndOverTheBendOfADiode) {
  Options options = esdirk(20e-6, 1e-3);
  options.atol = 1e-6;
  const Result result = simulate(make_switched_junction(), options);
  ASSERT_EQ(result.status, Status::done) << result.text;
  // i = I (e^{v/V} − 1) = 2 A, or −12 V through 10 Ω; the 0.3 ns between them are 3e-4 of a µs
  const double conducting = 0.026 * std::log(2 / 1e-9 + 1);
  EXPECT_NEAR(result.signal("q").back(), 10e-6 * (conducting - 12), 10e-6 * 12 * 2e-3);
  EXPECT_LT(result.statistics.steps, 20 * 12);
}

TEST(Esdirk, AModeThatChangesNothingAtItsInstantIsNoRestart) {
  // a corner: u = t up to 1, from there on 1
  Builder b;
  const int i = b.add_state({"x", ""}, 0), iy = b.add_algebraic({"u", ""});
  const auto x = b.variables().state(i);
  const Expr t = b.variables().time(), u = b.variables().algebraic(iy);
  b.add_algebraic_row(iy, u - select(b.relation("corner", t - 1), 1, t));
  b.add_state_row(i, x.xd - u);
  b.add_signal("x", "", x.x);
  const System system = b.build();
  for (const char* method : {"esdirk", "radau"}) {
    Options options = esdirk(2, 1e-6);
    options.method = method;
    const Result result = simulate(system, options);
    ASSERT_EQ(result.status, Status::done) << result.text;
    EXPECT_NEAR(result.signal("x").back(), 1.5, 1e-11) << method;
    EXPECT_EQ(result.statistics.events, 1) << method;
    EXPECT_EQ(result.statistics.restarts, 1) << method << ": only at the start";
  }
}

TEST(Esdirk, RowsBetweenStepsFollowTheSolution) {
  // behind the start the steps grow quickly; the node is algebraic
  Options options = esdirk(2, 1e-6);
  options.output_step = 0.01;
  const Result result = simulate(make_rlc(0.4, 1, 1.0 / 9, 1), options);
  const auto v = result.signal("C.v");
  // some fifty steps, each with an error of 1e-6 at most
  for (std::size_t k = 0; k < v.size(); ++k) EXPECT_NEAR(v[k], 1 - damped_cosine(result.times[k]), 5e-5);
}

TEST(Esdirk, RowsOfTheFirstStepBehindAnEventFollowTheSolution) {
  // x' = u − x with u = 1 up to t = 1, then −1: the step behind the start and behind the event has rows inside
  Builder b;
  auto& vars = b.variables();
  const int i = b.add_state({"x", ""}, 0), j = b.add_algebraic({"y", ""}, 0);
  const auto x = vars.state(i);
  const Expr u = 1 - 2 * b.relation("switch", vars.time() - 1);
  b.add_state_row(i, x.xd - (u - x.x));
  b.add_algebraic_row(j, vars.algebraic(j) - 3 * (u - x.x));
  b.add_signal("x", "", x.x);
  b.add_signal("y", "", vars.algebraic(j));
  Options options = esdirk(2, 1e-4);
  options.step = options.max_step = 0.1;
  options.output_step = 0.002;
  options.record_events = false;
  const Result result = simulate(b.build(), options);
  ASSERT_EQ(result.status, Status::done) << result.text;
  const auto v = result.signal("x"), w = result.signal("y");
  const double top = 1 - std::exp(-1.0);
  for (std::size_t k = 0; k < v.size(); ++k) {
    const double t = result.times[k];
    if (std::abs(t - 1) < 1e-9) continue;
    const double exact = t < 1 ? 1 - std::exp(-t) : -1 + (1 + top) * std::exp(-(t - 1));
    // a dozen steps, each with an error of 1e-4 at most, of which the solution forgets most; y comes from the stages,
    // whose own error c²/2 − Σ a c is at most 0.18 h² of the curvature 3·1.63, 8.8e-3 in a step of 0.1, and from the
    // start, where it is exact
    EXPECT_NEAR(v[k], exact, 4e-4) << t;
    const double behind = t < 1 ? t : t - 1;
    EXPECT_NEAR(w[k], 3 * ((t < 1 ? 1 : -1) - exact), 6e-4 + 9e-3 * std::min(1.0, behind / 0.04)) << t;
  }
}

}  // namespace
}  // namespace coenergy::solve
