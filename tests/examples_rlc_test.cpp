// examples/02_rlc against the closed form (two real modes), circuit of Sass 2004.
#include <cmath>

#include "coenergy/analyze/linearize.hpp"
#include "coenergy/analyze/modes.hpp"
#include "coenergy/solve/initialize.hpp"
#include "tests/example_run.hpp"

namespace coenergy::tests {
namespace {

struct Row {
  double t, i_L, u_C, i_C;
};
constexpr Row reference[] = {
    {10e-6, 0.059109639081, 0.084997807208, 0.046967095194},  {50e-6, 0.270430712113, 1.203859305920, 0.098450811268},
    {100e-6, 0.473382648812, 2.739154687733, 0.082074836279}, {200e-6, 0.726603661365, 4.780694454761, 0.043647310685},
    {500e-6, 0.961786084168, 6.689771307011, 0.006104468881}, {1e-3, 0.998561434285, 6.988321417675, 0.000229803189},
};

TEST(RlcExample, FollowsTheClosedForm) {
  const solve::Result result = run_model(read_example("02_rlc", "rlc"));
  // the run asks for 1e-9 per step; the reference asks for 1e-7 of the final values
  for (const Row& row : reference) {
    EXPECT_NEAR(value_at(result, "L.i", row.t), row.i_L, 1e-7) << row.t;
    EXPECT_NEAR(value_at(result, "C.v", row.t), row.u_C, 7e-7) << row.t;
    EXPECT_NEAR(value_at(result, "C.i", row.t), row.i_C, 1e-7) << row.t;
  }
}

TEST(RlcExample, EveryImplicitAndExplicitMethodAgrees) {
  for (const char* method : {"dopri", "generalized-alpha", "rk4"}) {
    model::Model model = read_example("02_rlc", "rlc");
    solve::Options options = io::read_simulation_options(model);
    options.method = method;
    options.step = 1e-7;
    options.adaptive = std::string(method) == "dopri";
    if (!*options.adaptive) options.rtol = solve::Options{}.rtol, options.atol = solve::Options{}.atol;
    const solve::Result result = run_model(model, options);
    // the second-order method is the coarsest: (λ h)²/12 of the fast mode with λ h = 4.4e-3, times some
    for (const Row& row : reference)
      EXPECT_NEAR(value_at(result, "C.v", row.t), row.u_C, 2e-5) << method << " " << row.t;
  }
}

TEST(RlcExample, ReachesTheSteadyStateOfAllBranches) {
  model::Model model = read_example("02_rlc", "rlc");
  solve::Options options = io::read_simulation_options(model);
  options.t_end = 5e-3;  // 33 slow time constants
  options.output_step = 5e-3;
  const solve::Result result = run_model(model, options);
  const std::pair<const char*, double> steady[] = {{"source.i", -1}, {"source.v", 12}, {"R1.i", 1}, {"R1.v", 5},
                                                   {"L.i", 1},       {"L.v", 0},       {"R2.i", 1}, {"R2.v", 7},
                                                   {"C.v", 7},       {"C.i", 0}};
  for (const auto& [signal, value] : steady) EXPECT_NEAR(value_at(result, signal, 5e-3), value, 1e-6) << signal;
}

TEST(RlcExample, HasTheTwoRealEigenvalues) {
  equations::Evaluator evaluator(compile_model(read_example("02_rlc", "rlc")));
  const solve::Start start = solve::initialize(evaluator);
  const auto modes = analyze::compute_modes(evaluator.system(), analyze::linearize(evaluator, start.point)).modes;
  ASSERT_EQ(modes.size(), 2u);
  // exact up to the rounding of a 2×2 eigenvalue problem
  EXPECT_NEAR(modes[0].eigenvalue.real(), -6559.106304888813, 1e-12 * 6559);
  EXPECT_NEAR(modes[1].eigenvalue.real(), -43559.941314158806, 1e-12 * 43560);
}

}  // namespace
}  // namespace coenergy::tests
