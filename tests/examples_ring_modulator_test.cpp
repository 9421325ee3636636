// examples/ring_modulator against the reference solution of the test set for initial value problem solvers
// (IVP test set, Mazzia and Magherini 2008).
#include <cmath>

#include "tests/example_run.hpp"

namespace coenergy::tests {
namespace {

TEST(RingModulatorExample, ReachesTheReferenceSolution) {
  const solve::Result result = run_model(read_example("ring_modulator", "ring_modulator"));
  struct Value {
    const char* signal;
    double value, tolerance;  // relative
  };
  // capacitances of 2 pF swing at some tens of MHz, for 1 ms: errors of their phase add up over 1e4 periods
  constexpr double slow = 5e-6, fast = 1e-3;
  const Value reference[] = {{"C1.v", -0.2339057358486745e-1, slow},  {"C2.v", -0.7367485485540825e-2, slow},
                             {"Ca.v", 0.2582956709291169, fast},      {"Cb.v", 0.4064465721283450, fast},
                             {"Cc.v", -0.4039455665149794, fast},     {"Cd.v", -0.2607966765422943, fast},
                             {"Cp.v", 0.1106761861269975, slow},      {"Lh1.i", 0.2939904342435596e-6, slow},
                             {"Lh2.i", -0.2840029933642329e-7, slow}, {"La.i", 0.7267198267264553e-3, slow},
                             {"Lb.i", 0.7929487196960840e-3, slow},   {"Lc.i", -0.7255283495698965e-3, slow},
                             {"Ld.i", -0.7941401968526521e-3, slow},  {"Le.i", 0.7088495416976114e-4, slow},
                             {"Lo.i", 0.2390059075236570e-4, slow}};
  for (const Value& v : reference)
    EXPECT_NEAR(result.signal(v.signal).back(), v.value, v.tolerance * std::abs(v.value)) << v.signal;
}

}  // namespace
}  // namespace coenergy::tests
