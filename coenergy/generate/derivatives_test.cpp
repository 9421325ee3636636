// Derivatives of inverse and forward dynamics, and the regressor.
#include <gtest/gtest.h>

#include "coenergy/generate/test_sources.hpp"

namespace coenergy::generate::test {
namespace {

std::size_t find_array(const std::vector<Array>& arrays, const std::string& name, std::size_t& first) {
  first = 0;
  for (const Array& a : arrays) {
    if (a.name == name) return a.entries.size();
    first += a.entries.size();
  }
  ADD_FAILURE() << "there is no array " << name;
  return 0;
}

/// Every derivative of `task` against central differences of `of`, in states where nothing switches.
void expect_derivatives(const char* text, Task of, Task task,
                        const std::vector<std::pair<std::string, std::string>>& arrays) {
  const model::Model m = parse(text);
  const Generated f = make(m, {.task = of}), d = make(m, {.task = task});
  const symbolic::Function function(f.main.program), derivative(d.main.program);
  // what follows the motion, as time, need not be an argument of both
  std::vector<double> in = start_values(f), of_slopes = start_values(d);
  // a motion that is in no way special
  std::size_t q = 0;
  const std::size_t n = find_array(f.main.inputs, "q", q);
  for (std::size_t i = 0; i < 3 * n; ++i) in[i] += 0.1 * std::sin(1.0 + static_cast<double>(i)), of_slopes[i] = in[i];
  const std::vector<double> slopes = symbolic::evaluate(derivative, of_slopes);
  for (const auto& [array, argument] : arrays) {
    std::size_t from = 0, by = 0;
    ASSERT_EQ(find_array(d.main.outputs, array, from), n * n);
    ASSERT_EQ(find_array(d.main.inputs, argument, by), n);
    for (std::size_t j = 0; j < n; ++j) {
      // Richardson of two central differences: error h⁴, round-off 1e-16/h of values up to 100
      const auto difference = [&](double h) {
        std::vector<double> more = in, less = in;
        more[by + j] += h, less[by + j] -= h;
        std::vector<double> a = symbolic::evaluate(function, more);
        const std::vector<double> b = symbolic::evaluate(function, less);
        for (std::size_t i = 0; i < n; ++i) a[i] = (a[i] - b[i]) / (2 * h);
        return a;
      };
      const std::vector<double> coarse = difference(2e-3), fine = difference(1e-3);
      for (std::size_t i = 0; i < n; ++i) {
        const double expected = (4 * fine[i] - coarse[i]) / 3;
        EXPECT_NEAR(slopes[from + i * n + j], expected, 1e-9 * std::max(100.0, std::abs(expected)))
            << array << " " << i << " " << j;
      }
    }
  }
}

TEST(GeneratedDerivatives, OfInverseDynamicsAreDifferences) {
  for (const char* const text : {arm, loaded_arm})
    expect_derivatives(text, Task::inverse_dynamics, Task::inverse_dynamics_derivatives,
                       {{"dQ_dq", "q"}, {"dQ_dqd", "qd"}, {"dQ_dqdd", "qdd"}});
}

TEST(GeneratedDerivatives, OfForwardDynamicsAreDifferences) {
  for (const char* const text : {arm, loaded_arm})
    expect_derivatives(text, Task::forward_dynamics, Task::forward_dynamics_derivatives,
                       {{"dqdd_dq", "q"}, {"dqdd_dqd", "qd"}, {"dqdd_dQ", "Q"}});
}

TEST(GeneratedDerivatives, TheRegressorTimesTheParametersIsInverseDynamics) {
  const model::Model m = parse(arm);
  const Generated inverse = make(m, {.task = Task::inverse_dynamics}), made = make(m, {.task = Task::regressor});
  const auto motion = [&](const Generated& g) {
    std::vector<double> in = start_values(g);
    for (std::size_t i = 0; i < 12; ++i) in[i] += 0.3 * std::cos(static_cast<double>(i));
    return in;
  };
  const std::vector<double> Q = evaluate(inverse, motion(inverse)), all = evaluate(made, motion(made));
  std::size_t first = 0;
  const std::size_t columns = find_array(made.main.outputs, "phi", first);
  ASSERT_EQ(columns, 10 * Q.size());
  std::vector<double> product(Q.size(), 0.0);
  for (std::size_t i = 0; i < Q.size(); ++i)
    for (std::size_t j = 0; j < columns; ++j) product[i] += all[i * columns + j] * all[first + j];
  expect_near(Q, product, 1e-13);
}

TEST(GeneratedDerivatives, BaseParametersOfAPendulumAreThree) {
  // of a body that turns about z with gravity in its plane: both first moments and the inertia about the axis
  const model::Model m = parse(R"(
components:
  g:   {type: multibody.Gravity, g: [0, -9.81, 0]}
  bob: {type: multibody.Body, mass: 2, com: [0.1, 0.2, 0.3], inertia: [0.3, 0.2, 0.25, 0.01, 0.02, 0.03]}
  pin: {type: multibody.Revolute, parent: ground, child: bob, axis: z}
)");
  const Generated made = make(m, {.task = Task::regressor});
  ASSERT_FALSE(made.notes.empty());
  EXPECT_EQ(made.notes[0], "base parameters, whose columns are independent: pin.mcx, pin.mcy, pin.Izz");
}

TEST(GeneratedDerivatives, AreRefusedAlongQuaternions) {
  const model::Model m = parse(R"(
components:
  top:  {type: multibody.Body, mass: 2, com: [0, 0, 0.3], inertia: [0.3, 0.2, 0.25]}
  ball: {type: multibody.Spherical, parent: ground, child: top}
)");
  EXPECT_NE(refusal([&] {
              make(m, {.task = Task::inverse_dynamics_derivatives});
            }).find("ball turns freely about three axes"),
            std::string::npos);
}

}  // namespace
}  // namespace coenergy::generate::test
