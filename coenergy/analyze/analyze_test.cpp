#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "coenergy/analyze/equilibrium.hpp"
#include "coenergy/analyze/linearize.hpp"
#include "coenergy/analyze/modes.hpp"
#include "coenergy/base/error.hpp"
#include "coenergy/solve/initialize.hpp"
#include "coenergy/solve/test_systems.hpp"

namespace coenergy::analyze {
namespace {

using namespace solve::test;
constexpr double pi = std::numbers::pi;

/// DC motor with inertia: states angle, speed and current; input the supply voltage.
System make_motor(double r, double l, double k, double j, double b, double u) {
  Builder builder;
  auto& vars = builder.variables();
  const int iq = builder.add_coordinate({"rotor.q", "rad"}, 0, 0), ii = builder.add_state({"motor.i", "A"}, 0);
  const Expr supply = vars.parameter(builder.add_parameter("supply.v", "V", u));
  const auto q = vars.coordinate(iq);
  const auto i = vars.state(ii);
  builder.add_balance(iq, j * q.a + b * q.v - k * i.x);
  builder.add_state_row(ii, l * i.xd + r * i.x + k * q.v - supply);
  builder.add_signal("rotor.w", "rad/s", q.v);
  builder.add_signal("power", "W", supply * i.x);
  builder.add_signal("rotor.a", "rad/s2", q.a);
  return builder.build();
}

TEST(Linearize, DcMotorGivesTheTextbookMatrices) {
  const double r = 2, l = 0.5, k = 0.1, j = 0.02, b = 0.2, u = 3;
  equations::Evaluator evaluator(make_motor(r, l, k, j, b, u));
  equations::Point p = solve::initialize(evaluator).point;
  p.x[0] = 1.5;
  ASSERT_TRUE(solve::restart(evaluator, p).converged);
  const StateSpace m = linearize(evaluator, p, {"supply.v"}, {"rotor.w", "power", "rotor.a"}).model;
  EXPECT_EQ(m.states, (std::vector<std::string>{"rotor.q", "rotor.qd", "motor.i"}));
  EXPECT_EQ(m.state_units, (std::vector<std::string>{"rad", "rad/s", "A"}));
  const double a[3][3] = {{0, 1, 0}, {0, -b / j, k / j}, {0, -k / l, -r / l}};
  for (int i = 0; i < 3; ++i)
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(m.a(i, c), a[i][c], 1e-13) << i << c;
  EXPECT_NEAR(m.b(2, 0), 1 / l, 1e-13);
  EXPECT_NEAR(m.b(1, 0), 0, 1e-13);
  EXPECT_NEAR(m.c(0, 1), 1, 1e-14);
  EXPECT_NEAR(m.c(1, 2), u, 1e-14);    // power by current
  EXPECT_NEAR(m.d(1, 0), 1.5, 1e-14);  // power by voltage
  EXPECT_NEAR(m.c(2, 1), -b / j, 1e-13);
}

TEST(Linearize, CartesianPendulumHasOneDegreeOfFreedomAndItsFrequency) {
  for (bool twice : {false, true}) {
    equations::Evaluator evaluator(make_pendulum(0, -1, 0, 0, twice));
    const Linearization linear = linearize(evaluator, solve::initialize(evaluator).point);
    EXPECT_EQ(linear.model.states, (std::vector<std::string>{"bob.x", "bob.xd"}));
    const Modes modes = compute_modes(evaluator.system(), linear);
    ASSERT_EQ(modes.modes.size(), 1u);
    EXPECT_NEAR(modes.modes[0].frequency, std::sqrt(9.81) / (2 * pi), 1e-8);
    EXPECT_NEAR(modes.modes[0].damping, 0, 1e-8);
    EXPECT_NEAR(std::abs(modes.modes[0].shape[0]), 1, 1e-12);
    EXPECT_NEAR(std::abs(modes.modes[0].shape[1]), 0, 1e-12);
  }
}

TEST(Linearize, AMovingPendulumCarriesItsVelocityIntoTheMatrix) {
  // x = sin φ, y = −cos φ with φ = 0.5, φ̇ = 2 against a finite difference of the motion φ̈ = −g sin φ in the coordinate
  // x
  const double phi = 0.5, w = 2, g = 9.81;
  equations::Evaluator evaluator(make_pendulum(std::sin(phi), -std::cos(phi), w * std::cos(phi), w * std::sin(phi)));
  const StateSpace m = linearize(evaluator, solve::initialize(evaluator).point).model;
  ASSERT_EQ(m.states.size(), 2u);
  const bool by_x = m.states[0] == "bob.x";
  const auto acceleration = [&](double q, double v) {
    const double f = by_x ? std::asin(q) : std::acos(-q);
    const double fd = v / (by_x ? std::cos(f) : std::sin(f)), fdd = -g * std::sin(f);
    return by_x ? std::cos(f) * fdd - std::sin(f) * fd * fd : std::sin(f) * fdd + std::cos(f) * fd * fd;
  };
  const double q = by_x ? std::sin(phi) : -std::cos(phi), v = by_x ? w * std::cos(phi) : w * std::sin(phi), s = 1e-5;
  EXPECT_NEAR(m.a(1, 0), (acceleration(q + s, v) - acceleration(q - s, v)) / (2 * s), 1e-6);
  EXPECT_NEAR(m.a(1, 1), (acceleration(q, v + s) - acceleration(q, v - s)) / (2 * s), 1e-6);
  EXPECT_NEAR(m.a(0, 1), 1, 1e-14);
}

TEST(Linearize, ASpinningTopHasItsNutationFrequency) {
  // steady spin about the axis of I₃: deviations of ω turn with (I₃ − I₁)/I₁ ω in body axes, of the attitude with ω
  equations::Evaluator evaluator(make_free_body({1, 1, 1.8}, {0, 0, 5}));
  const Modes modes = compute_modes(evaluator.system(), linearize(evaluator, solve::initialize(evaluator).point));
  std::vector<double> frequencies;
  for (const Mode& mode : modes.modes)
    if (mode.frequency > 1e-6) frequencies.push_back(2 * pi * mode.frequency);
  ASSERT_EQ(frequencies.size(), 2u);
  EXPECT_NEAR(frequencies[0], 0.8 * 5, 1e-9);
  EXPECT_NEAR(frequencies[1], 5, 1e-9);
}

TEST(Linearize, ReportsAllUnknownNamesWithSuggestions) {
  equations::Evaluator evaluator(make_motor(1, 1, 1, 1, 1, 1));
  try {
    linearize(evaluator, solve::initialize(evaluator).point, {"supply.V"}, {"rotor.ww"});
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(),
                 "there is no parameter \"supply.V\" to be an input; did you mean supply.v?\n"
                 "there is no signal \"rotor.ww\" to be an output; did you mean rotor.w?");
  }
}

TEST(Modes, OfADampedOscillatorHaveItsFrequencyAndDamping) {
  equations::Evaluator evaluator(make_oscillator(2, 0.8, 50, 0.1, 0));
  const Modes modes = compute_modes(evaluator.system(), linearize(evaluator, solve::initialize(evaluator).point));
  ASSERT_EQ(modes.modes.size(), 1u);
  EXPECT_NEAR(modes.modes[0].frequency, 5 / (2 * pi), 1e-12);
  EXPECT_NEAR(modes.modes[0].damping, 0.8 / (2 * std::sqrt(100.0)), 1e-12);
}

TEST(Equilibrium, OfAMassOnASpringIsWhereTheForcesCancel) {
  Builder b;
  const int i = b.add_coordinate({"x", "m"}, 3, 1);
  const auto x = b.variables().coordinate(i);
  b.add_balance(i, 2 * x.a + 0.1 * x.v + 100 * x.q + 50 * x.q * x.q * x.q - 10);
  equations::Evaluator evaluator(b.build());
  const Equilibrium e = find_equilibrium(evaluator);
  ASSERT_TRUE(e.good) << e.text;
  EXPECT_NEAR(100 * e.point.q[0] + 50 * std::pow(e.point.q[0], 3), 10, 1e-12);
  EXPECT_EQ(e.point.v[0], 0);
}

TEST(Equilibrium, OfAPendulumHangsDown) {
  equations::Evaluator evaluator(make_pendulum(0.8, -0.6));
  const Equilibrium e = find_equilibrium(evaluator);
  ASSERT_TRUE(e.good) << e.text;
  EXPECT_NEAR(e.point.q[0], 0, 1e-12);
  EXPECT_NEAR(e.point.q[1], -1, 1e-12);
  EXPECT_NEAR(e.point.lambda[0], 9.81, 1e-10);
}

/// A free cart, pushed by a force, and a mass on a spring beside it.
System make_free_cart(double force) {
  Builder b;
  const int i = b.add_coordinate({"cart.x", "m"}, 0.7, 0), j = b.add_coordinate({"mass.x", "m"}, 0, 0);
  b.add_balance(i, 3 * b.variables().coordinate(i).a - force);
  b.add_balance(j, 2 * b.variables().coordinate(j).a + 100 * b.variables().coordinate(j).q - 5);
  b.set_row_name(b.variables().coordinate(i).q, "cart force balance");
  return b.build();
}

TEST(Equilibrium, AFreeBodyWithoutForceStaysWhereItIs) {
  equations::Evaluator evaluator(make_free_cart(0));
  const Equilibrium e = find_equilibrium(evaluator);
  ASSERT_TRUE(e.good) << e.text;
  EXPECT_NEAR(e.point.q[0], 0.7, 1e-12);
  EXPECT_NEAR(e.point.q[1], 0.05, 1e-10);
}

TEST(Equilibrium, AFreeBodyUnderAForceHasNone) {
  equations::Evaluator evaluator(make_free_cart(2));
  const Equilibrium e = find_equilibrium(evaluator);
  EXPECT_FALSE(e.good);
  EXPECT_NE(e.text.find("; largest residual: cart force balance, -2"), std::string::npos) << e.text;
}

}  // namespace
}  // namespace coenergy::analyze
