// examples/transistor_amplifier against the reference solution of the test set for initial value problem solvers
// (IVP test set, Mazzia and Magherini 2008).
#include <cmath>

#include "tests/example_run.hpp"

namespace coenergy::tests {
namespace {

TEST(TransistorAmplifierExample, ReachesTheReferenceSolution) {
  const solve::Result result = run_model(read_example("transistor_amplifier", "transistor_amplifier"));
  const double reference[] = {-0.005562145012262709, 3.006522471903042, 2.849958788608128, 2.926422536206241,
                              2.704617865010554,     2.761837778393145, 4.770927631616772, 1.236995868091548};
  for (int k = 0; k < 8; ++k) {
    const std::string node = "n" + std::to_string(k + 1) + ".v";
    // a thousand times the tolerance of a step, over 20 periods
    EXPECT_NEAR(value_at(result, node, 0.2), reference[k], 1e-8 * std::abs(reference[k])) << node;
  }
}

}  // namespace
}  // namespace coenergy::tests
