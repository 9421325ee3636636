// examples/rlc_filter, one_constraint and triangle against the figures of Sass 2004, chapter 6.
#include <cmath>

#include "coenergy/analyze/linearize.hpp"
#include "coenergy/analyze/modes.hpp"
#include "coenergy/equations/state_equations.hpp"
#include "coenergy/solve/initialize.hpp"
#include "tests/example_run.hpp"

namespace coenergy::tests {
namespace {

compile::Compiled compile_example(const std::string& name) {
  return compile::compile(read_example(name, name), domains::make_standard_registry());
}
std::string state_equations(const std::string& name) {
  const compile::Compiled compiled = compile_example(name);
  return make_state_equations(compiled.system, compiled.summary.circuit.constraints).text;
}
using Row = std::vector<std::pair<std::string, int>>;

std::vector<std::complex<double>> eigenvalues(const std::string& name) {
  equations::Evaluator evaluator(compile_example(name).system);
  const solve::Start start = solve::initialize(evaluator);
  std::vector<std::complex<double>> all;
  for (const auto& m : analyze::compute_modes(evaluator.system(), analyze::linearize(evaluator, start.point)).modes)
    all.push_back(m.eigenvalue);
  return all;
}

/// Every rate is given by states, sources and parameters alone.
void expect_all_rates_explicit(const std::string& name) {
  const compile::Compiled compiled = compile_example(name);
  const equations::StateEquations equations =
      make_state_equations(compiled.system, compiled.summary.circuit.constraints);
  ASSERT_EQ(static_cast<int>(equations.rates.size()), compiled.system.nx());
  EXPECT_TRUE(equations.implicit.empty());
}

// ---- A1, A2

TEST(RlcFilterExample, HasTheStateEquationsOfTheThesis) {
  // L3603 without the rates of constant L and C
  EXPECT_EQ(state_equations("rlc_filter"),
            "der(L1.i) = -(C1.v - U1.v + L1.i*R1.R)/L1.L\n"
            "der(C1.v) = (L1.i - C1.v/R2.R)/C1.C\n");
  const auto summary = compile_example("rlc_filter").summary.circuit;
  EXPECT_EQ(summary.order, 2);
  EXPECT_TRUE(summary.constraints.empty());
  EXPECT_EQ(summary.tree, (std::vector<std::string>{"U1", "R1", "C1"}));
}

TEST(RlcFilterExample, FollowsTheClosedForm) {
  const solve::Result result = run_model(read_example("rlc_filter", "rlc_filter"));
  const double reference[][4] = {{10e-6, 0.059109639081, 0.084997807208, 0.046967095194},
                                 {50e-6, 0.270430712113, 1.203859305920, 0.098450811268},
                                 {100e-6, 0.473382648812, 2.739154687733, 0.082074836279},
                                 {200e-6, 0.726603661365, 4.780694454761, 0.043647310685},
                                 {500e-6, 0.961786084168, 6.689771307011, 0.006104468881},
                                 {1e-3, 0.998561434285, 6.988321417675, 0.000229803189}};
  // 1e-7 of the final values 1 A and 7 V, with 1e-9 asked of every step
  for (const auto& [t, i_L, u_C, i_C] : reference) {
    EXPECT_NEAR(value_at(result, "L1.i", t), i_L, 1e-7) << t;
    EXPECT_NEAR(value_at(result, "C1.v", t), u_C, 7e-7) << t;
    EXPECT_NEAR(value_at(result, "C1.i", t), i_C, 1e-7) << t;
  }
}

TEST(RlcFilterExample, ReachesTheSteadyStateOfAllBranches) {
  const model::Model model = read_example("rlc_filter", "rlc_filter");
  solve::Options options = io::read_simulation_options(model);
  options.t_end = options.output_step = 5e-3;  // 33 slow time constants
  const solve::Result result = run_model(model, options);
  const std::pair<const char*, double> steady[] = {{"U1.i", -1}, {"U1.v", 12}, {"R1.i", 1}, {"R1.v", 5}, {"L1.i", 1},
                                                   {"L1.v", 0},  {"R2.i", 1},  {"R2.v", 7}, {"C1.v", 7}, {"C1.i", 0}};
  for (const auto& [signal, value] : steady) EXPECT_NEAR(value_at(result, signal, 5e-3), value, 1e-6) << signal;
}

// ---- A3–A5

TEST(OneConstraintExample, FindsTheCutsetOfTheThreeInductors) {
  const auto summary = compile_example("one_constraint").summary.circuit;
  // (6.2); the first variable of the row is the dependent one
  EXPECT_EQ(summary.constraints, (std::vector<Row>{{{"L1.i", 1}, {"L2.i", -1}, {"L3.i", 1}}}));
  EXPECT_EQ(summary.order, 3);
  expect_all_rates_explicit("one_constraint");
}

TEST(OneConstraintExample, FollowsTheReferenceAndKeepsTheConstraint) {
  const solve::Result result = run_model(read_example("one_constraint", "one_constraint"));
  const double reference[][4] = {
      {0.001, 0.2889317090, 0.0243026158, 0.0183737544},  {0.005, 1.1816113442, 0.1923385823, 0.4019654420},
      {0.010, 1.8486623464, 0.4039041837, 1.3707319928},  {0.020, 2.2333738261, 0.5921321090, 4.0241734464},
      {0.050, 0.9008402518, 0.2005925303, 10.2291965701}, {0.100, -0.0643518415, -0.1530830013, 11.5920159336},
      {0.200, 0.0017190307, -0.1327422195, 11.3292067939}};
  for (const auto& [t, i_L2, i_L3, u_C] : reference) {
    EXPECT_NEAR(value_at(result, "L2.i", t), i_L2, 1e-7) << t;
    EXPECT_NEAR(value_at(result, "L3.i", t), i_L3, 1e-7) << t;
    EXPECT_NEAR(value_at(result, "C.v", t), u_C, 1e-6) << t;
  }
  const auto i1 = result.signal("L1.i"), i2 = result.signal("L2.i"), i3 = result.signal("L3.i");
  // a few units in the last place of 2 A: it is evaluated, not integrated
  for (std::size_t k = 0; k < i1.size(); ++k) EXPECT_LE(std::abs(i1[k] - i2[k] + i3[k]), 1e-14) << result.times[k];
}

TEST(OneConstraintExample, HasThreeEigenvalues) {
  const auto found = eigenvalues("one_constraint");
  ASSERT_EQ(found.size(), 2u);  // a conjugate pair is listed once
  // to the digits of the reference
  EXPECT_NEAR(found[0].real(), -41.348050712, 1e-8);
  EXPECT_NEAR(found[0].imag(), 36.947564579, 1e-8);
  EXPECT_NEAR(found[1].real(), -265.12998553, 1e-7);
}

// ---- A6, A7

TEST(TriangleExample, FindsBothConstraints) {
  const auto summary = compile_example("triangle").summary.circuit;
  // (6.3)
  EXPECT_EQ(summary.constraints,
            (std::vector<Row>{{{"C1.v", 1}, {"C2.v", -1}, {"C3.v", -1}}, {{"L1.i", 1}, {"L2.i", 1}, {"L3.i", 1}}}));
  EXPECT_EQ(summary.order, 4);
  expect_all_rates_explicit("triangle");
}

TEST(TriangleExample, FollowsTheReferenceAndKeepsBothConstraints) {
  const solve::Result result = run_model(read_example("triangle", "triangle"));
  const double reference[][5] = {{10e-6, -0.1323567817, -0.0968583686, 0.0217320686, 0.0032290195},
                                 {100e-6, -0.9546907944, -0.4382079365, 1.3131902245, 0.3091149898},
                                 {500e-6, -1.0051573033, -0.3078735100, 4.8237183489, 2.3599990537},
                                 {1e-3, -0.8717423700, -0.3383261096, 4.4901839590, 2.4366563463}};
  for (const auto& [t, i_L2, i_L3, u_C2, u_C3] : reference) {
    EXPECT_NEAR(value_at(result, "L2.i", t), i_L2, 1e-7) << t;
    EXPECT_NEAR(value_at(result, "L3.i", t), i_L3, 1e-7) << t;
    EXPECT_NEAR(value_at(result, "C2.v", t), u_C2, 4e-7) << t;  // 1e-7 of 4.5 V
    EXPECT_NEAR(value_at(result, "C3.v", t), u_C3, 4e-7) << t;
  }
  const auto i1 = result.signal("L1.i"), i2 = result.signal("L2.i"), i3 = result.signal("L3.i");
  const auto u1 = result.signal("C1.v"), u2 = result.signal("C2.v"), u3 = result.signal("C3.v");
  // a few units in the last place of 1 A and of 7 V
  for (std::size_t k = 0; k < i1.size(); ++k) {
    EXPECT_LE(std::abs(i1[k] + i2[k] + i3[k]), 1e-14) << result.times[k];
    EXPECT_LE(std::abs(u1[k] - u2[k] - u3[k]), 1e-14) << result.times[k];
  }
}

TEST(TriangleExample, HasFourEigenvalues) {
  const auto found = eigenvalues("triangle");
  ASSERT_EQ(found.size(), 3u);
  EXPECT_NEAR(found[0].real(), -4508.8963826, 1e-6);
  EXPECT_NEAR(found[1].real(), -5467.2193766, 1e-6);
  EXPECT_NEAR(found[1].imag(), 5158.0919140, 1e-6);
  EXPECT_NEAR(found[2].real(), -14987.112666, 1e-5);
}

}  // namespace
}  // namespace coenergy::tests
