#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "coenergy/solve/generalized_alpha.hpp"
#include "coenergy/solve/simulate.hpp"
#include "coenergy/solve/test_systems.hpp"

namespace coenergy::solve {
namespace {

using namespace test;

Result run(const System& system, Options options) {
  Result result = simulate(system, options);
  EXPECT_EQ(result.status, Status::done) << options.method << ": " << result.text;
  return result;
}

double rms_difference(const std::vector<double>& a, const std::vector<double>& b) {
  EXPECT_EQ(a.size(), b.size());
  double sum = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum / a.size());
}

/// Signals every 10 ms, one row each.
Options four_bar_options(const std::string& method, double step) {
  Options options;
  options.method = method, options.t_end = 2, options.step = step, options.output_step = 0.01;
  options.record_events = false;
  return options;
}

Result four_bar_reference(const FourBarOptions& variant) {
  Options options = four_bar_options("dopri", 0);
  options.rtol = options.atol = 1e-12, options.newton_tolerance = 1e-12, options.max_step = 2e-3;
  return run(make_four_bar(variant), options);
}

// four-bar mechanism after Brüls 2005
TEST(FourBar, AnalogControlConvergesWithOrderTwoAndTheTabulatedErrors) {
  const Result reference = four_bar_reference({});
  const auto theta = reference.signal("theta");
  // the reference is the minimal-coordinate solution of the table
  EXPECT_NEAR(theta[50], 1.054595879, 1e-9);
  EXPECT_NEAR(theta[100], 1.397214991, 1e-9);
  EXPECT_NEAR(theta[150], 1.378171031, 1e-9);
  EXPECT_NEAR(theta[200], 1.365139510, 1e-9);
  EXPECT_NEAR(reference.signal("x")[200], -0.016074868, 1e-9);

  const double tabulated_theta[] = {1.99e-5, 4.96e-6, 1.24e-6, 3.10e-7, 7.74e-8};
  const double tabulated_x[] = {2.50e-6, 6.26e-7, 1.57e-7, 3.92e-8, 9.8e-9};
  double h = 0.01;
  for (int k = 0; k < 5; ++k, h /= 2) {
    const Result result = run(make_four_bar({}), four_bar_options("hht", h));
    EXPECT_NEAR(rms_difference(result.signal("theta"), theta) / tabulated_theta[k], 1, 0.01) << h;
    EXPECT_NEAR(rms_difference(result.signal("x"), reference.signal("x")) / tabulated_x[k], 1, 0.01) << h;
    EXPECT_LE(double(result.statistics.newton_iterations) / result.statistics.steps, 4) << h;
  }
}

TEST(FourBar, DigitalControlKeepsOrderTwoWithRestartAndLosesItWithout) {
  FourBarOptions digital{.digital = true};
  const auto theta = four_bar_reference(digital).signal("theta");
  const double with_restart[] = {4.89e-5, 1.21e-5, 3.11e-6, 7.96e-7, 2.01e-7};
  const double without[] = {9.76e-4, 5.01e-4, 2.55e-4, 1.28e-4, 6.44e-5};
  double h = 0.01;
  for (int k = 0; k < 5; ++k, h /= 2) {
    Options options = four_bar_options("hht", h);
    EXPECT_NEAR(rms_difference(run(make_four_bar(digital), options).signal("theta"), theta) / with_restart[k], 1, 0.05)
        << h;
    options.restart = false;
    EXPECT_NEAR(rms_difference(run(make_four_bar(digital), options).signal("theta"), theta) / without[k], 1, 0.05) << h;
  }
}

TEST(FourBar, MultipliersConvergeWithOrderTwoAndDoNotDependOnTheScaleOfTheConstraints) {
  const auto lambda = four_bar_reference({}).signal("lambda2");
  const auto error = [&](double h, double scale) {
    const Result result = run(make_four_bar({.constraint_scale = scale}), four_bar_options("hht", h));
    return rms_difference(result.signal("lambda2"), lambda);
  };
  const double e1 = error(0.005, 1), e2 = error(0.0025, 1);
  EXPECT_NEAR(std::log2(e1 / e2), 2, 0.1);
  EXPECT_NEAR(error(0.005, 1000) / e1, 1, 1e-3);  // Newton's tolerance

  const auto a = run(make_four_bar({}), four_bar_options("hht", 0.005)).signal("theta");
  const auto b = run(make_four_bar({.constraint_scale = 1000}), four_bar_options("hht", 0.005)).signal("theta");
  EXPECT_LT(rms_difference(a, b), 1e-12);
}

TEST(FourBar, ALoadAtTheStartKeepsOrderTwoBecauseTheStartIsConsistent) {
  FourBarOptions loaded{.constant_force = 10, .sine_force = 5};
  const auto theta = four_bar_reference(loaded).signal("theta");
  const double e1 = rms_difference(run(make_four_bar(loaded), four_bar_options("hht", 0.01)).signal("theta"), theta);
  const double e2 = rms_difference(run(make_four_bar(loaded), four_bar_options("hht", 0.005)).signal("theta"), theta);
  EXPECT_NEAR(e1, 2.0e-5, 1e-6);
  EXPECT_NEAR(std::log2(e1 / e2), 2, 0.05);
}

// after Brüls 2005, chapter 4
TEST(GeneralizedAlphaMethod, DampsMultiplierErrorsOnlyWithNumericalDamping) {
  const auto lambda_after = [](const char* method, int steps) {
    // the start velocity 1e-6 violates the constraint; a start projection would remove it, so the stepper is driven
    // directly
    equations::Evaluator evaluator(make_held_mass(0));
    Options options;
    options.method = method, options.step = 0.01;
    Statistics statistics;
    GeneralizedAlpha stepper(evaluator, options, statistics);
    equations::Point from = evaluator.system().start();
    from.a.resize(1), from.lambda.resize(1), from.v = {1e-6};
    equations::Point to = from;
    stepper.begin(from);
    for (int k = 0; k < steps; ++k) {
      EXPECT_TRUE(stepper.step(from, 0.01, to).good);
      stepper.accept(from, to);
      std::swap(from, to);
    }
    return std::abs(from.lambda[0]);
  };
  EXPECT_NEAR(lambda_after("newmark", 1), 4e-4, 1e-6);
  EXPECT_NEAR(lambda_after("newmark", 10), 4e-3, 1e-5);
  EXPECT_NEAR(lambda_after("newmark", 100), 4e-2, 1e-4);
  EXPECT_NEAR(lambda_after("newmark", 400), 1.6e-1, 1e-3);
  EXPECT_NEAR(lambda_after("hht", 1), 3.8e-4, 1e-5);
  EXPECT_NEAR(lambda_after("hht", 10), 1.6e-3, 1e-4);
  EXPECT_NEAR(lambda_after("hht", 100), 2e-6, 1e-6);
  EXPECT_LT(lambda_after("hht", 400), 1e-12);
}

// two-link arm after Brüls 2005: 1.71e-4, 4.27e-5, 1.07e-5 …
TEST(GeneralizedAlphaMethod, IsOfOrderTwoWhereTheMassMatrixVaries) {
  Options options;
  options.t_end = 1, options.output_step = 0.01, options.method = "rk4", options.step = 1e-4;
  const Result reference = run(make_arm(), options);
  options.method = "hht";
  const double tabulated[] = {1.71e-4, 4.27e-5, 1.07e-5, 2.67e-6, 6.67e-7};
  double h = 0.01;
  for (int k = 0; k < 5; ++k, h /= 2) {
    options.step = h;
    const Result result = run(make_arm(), options);
    double worst = 0;  // at t = 1 s
    for (const char* name : {"q1", "q2"})
      worst = std::max(worst, std::abs(result.signal(name).back() - reference.signal(name).back()));
    EXPECT_NEAR(worst / tabulated[k], 1, 0.01) << h;
  }
}

struct OrderCase {
  const char* method;
  double order;
  double h;
};

/// Largest difference from exact(t) over the run.
template <class Exact>
double largest_error(const System& system, const OrderCase& c, double h, const char* signal, Exact exact) {
  Options options;
  options.method = c.method, options.t_end = 2, options.step = h;
  const Result result = run(system, options);
  const auto values = result.signal(signal);
  double worst = 0;
  for (std::size_t i = 0; i < values.size(); ++i) worst = std::max(worst, std::abs(values[i] - exact(result.times[i])));
  return worst;
}

// ẍ + 0.4 ẋ + 9 x = 0
double damped_cosine(double t) {
  const double w = std::sqrt(9 - 0.04);
  return std::exp(-0.2 * t) * (std::cos(w * t) + 0.2 / w * std::sin(w * t));
}

TEST(Methods, HaveTheirOrderOnADampedOscillator) {
  const System system = make_oscillator(1, 0.4, 9, 1, 0);
  const OrderCase cases[] = {
      {"generalized-alpha", 2, 0.02}, {"hht", 2, 0.02},    {"newmark", 2, 0.02}, {"jansen", 2, 0.02},
      {"backward-euler", 1, 0.005},   {"trapez", 2, 0.01}, {"euler", 1, 0.002},  {"rk4", 4, 0.04}};
  for (const OrderCase& c : cases) {
    const double e1 = largest_error(system, c, c.h, "mass.x", damped_cosine);
    const double e2 = largest_error(system, c, c.h / 2, "mass.x", damped_cosine);
    EXPECT_NEAR(std::log2(e1 / e2), c.order, 0.1) << c.method;
  }
}

TEST(Methods, HaveTheirOrderOnAFirstOrderCircuit) {
  // L = 1, R = 0.4, C = 1/9: the capacitor voltage follows the same oscillator
  const System system = make_rlc(0.4, 1, 1.0 / 9, 1);
  const OrderCase cases[] = {
      {"generalized-alpha", 2, 0.02}, {"jansen", 2, 0.02}, {"newmark", 2, 0.02}, {"trapez", 2, 0.01}, {"rk4", 4, 0.04},
      {"backward-euler", 1, 0.002}};
  const auto exact = [](double t) { return 1 - damped_cosine(t); };
  for (const OrderCase& c : cases) {
    const double e1 = largest_error(system, c, c.h, "C.v", exact), e2 = largest_error(system, c, c.h / 2, "C.v", exact);
    EXPECT_NEAR(std::log2(e1 / e2), c.order, 0.1) << c.method;
  }
}

TEST(Methods, OfDormandAndPrinceHaveTheirOrdersAtTheStepsAndBetweenThem) {
  const System system = make_oscillator(1, 0.4, 9, 1, 0);
  const auto error = [&](const char* method, double h, double output_step) {
    Options options;
    options.method = method, options.adaptive = false, options.t_end = 2, options.step = h;
    options.output_step = output_step, options.newton_tolerance = 1e-14;
    const Result result = run(system, options);
    const auto values = result.signal("mass.x");
    double worst = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
      worst = std::max(worst, std::abs(values[i] - damped_cosine(result.times[i])));
    return worst;
  };
  // the continuous extensions err with a power of h one higher than their order; 0.037 s meets a step at the start only
  const struct {
    const char* method;
    double h, at_steps, between;
  } cases[] = {{"dopri", 0.1, 5, 5}, {"dop853", 0.4, 8, 8}};
  for (const auto& c : cases) {
    EXPECT_NEAR(std::log2(error(c.method, c.h, 0) / error(c.method, c.h / 2, 0)), c.at_steps, 0.3) << c.method;
    EXPECT_NEAR(std::log2(error(c.method, c.h, 0.037) / error(c.method, c.h / 2, 0.037)), c.between, 0.5) << c.method;
  }
}

TEST(FourBar, DampedNewmarkIsOfOrderOneAsItSays) {
  const auto theta = four_bar_reference({}).signal("theta");
  double before = 0;
  // orders between steps of 10, 5, 2.5 and 1.25 ms by an independent program
  const double tabulated[] = {1.19, 1.09, 1.04};
  for (int k = 0; k < 4; ++k) {
    Options options = four_bar_options("newmark", 0.01 / (1 << k));
    options.gamma = 0.55;
    const Result result = run(make_four_bar({}), options);
    const double error = rms_difference(result.signal("theta"), theta);
    if (k > 0) {
      EXPECT_NEAR(std::log2(before / error), tabulated[k - 1], 0.03) << k;
    }
    before = error;
    EXPECT_NE(
        std::find(result.notes.begin(), result.notes.end(),
                  "gamma = 0.55 is not 1/2 + alpha_f - alpha_m = 0.5: errors fall with the step, not with its square"),
        result.notes.end());
  }
}

TEST(AlphaParameters, OutOfRangeAreTold) {
  Options options;
  options.method = "generalized-alpha", options.step = 0.01, options.rho_inf = 0.8;
  EXPECT_TRUE(AlphaParameters::from_options(options).warnings().empty());
  options.gamma = 0.5;
  EXPECT_EQ(AlphaParameters::from_options(options).warnings().front(),
            "gamma = 0.5 is below 1/2 + alpha_f - alpha_m = 0.611111: oscillations grow");
  // the explicit member of the family, stable up to ω h = 2
  options = {};
  options.method = "newmark", options.step = 0.01, options.beta = 0.01;
  EXPECT_EQ(AlphaParameters::from_options(options).warnings().front(),
            "beta = 0.01 is below gamma/2 = 0.25: steps must be short beside the fastest oscillation");
  EXPECT_GT(AlphaParameters::from_options(options).rho_mechanical(), 1);
  options.beta.reset(), options.gamma = 0.55;
  EXPECT_NEAR(AlphaParameters::from_options(options).rho_mechanical(), 0.95 / 1.05, 1e-12);
}

TEST(AlphaParameters, HaveTheTabulatedRadiiAtInfinity) {
  const auto expect = [](AlphaParameters p, double mechanical, double state) {
    EXPECT_NEAR(p.rho_mechanical(), mechanical, 1e-4);
    EXPECT_NEAR(p.rho_state(), state, 1e-4);
  };
  expect(AlphaParameters::chung_hulbert(0), 0, 1.0 / 3);
  expect(AlphaParameters::chung_hulbert(0.5), 0.5, 0.5);
  expect(AlphaParameters::chung_hulbert(0.8), 0.8, 0.8);
  expect(AlphaParameters::chung_hulbert(0.9), 0.9, 0.9);
  expect(AlphaParameters::jansen(0.5), 0.7143, 0.5);
  expect(AlphaParameters::jansen(0.8), 0.8947, 0.8);
  expect(AlphaParameters::from_alphas(0, 0.02), 0.9608, 0.9231);
  expect(AlphaParameters::from_alphas(0, 0.05), 0.9048, 0.8182);
  expect(AlphaParameters::from_alphas(0, 0.25), 0.6, 1.0 / 3);
}

}  // namespace
}  // namespace coenergy::solve
