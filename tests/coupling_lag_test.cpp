// Circuit and mechanics at one instant keep the order of the method; a coupling that lags by one step has order 1.
#include <algorithm>
#include <cmath>

#include "tests/inline_model.hpp"

namespace coenergy::tests {
namespace {

/// A motor by its primitives: voltage k ω in the circuit, torque k i on the shaft, at once or as they were at the last step.
solve::Result run_motor(bool lags, double step, const char* method) {
  const std::string hold = "sample: " + std::to_string(step) + " s}\n";
  const std::string w = lags ? "held_w.y*1 rad/s" : "rotor.w", i = lags ? "held_i.y*1 A" : "L.i";
  const std::string text =
      "components:\n"
      "  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 10 V*sin(6 1/s*time)}\n"
      "  R: {type: electrical.Resistor, p: a, n: b, R: 1 ohm}\n"
      "  L: {type: electrical.Inductor, p: b, n: c, L: 0.1 H}\n"
      "  e: {type: electrical.VoltageSource, p: c, n: gnd, v: 0.5 V.s/rad*" +
      w +
      "}\n"
      "  rotor: {type: mechanical.Inertia, J: 0.05 kg.m2}\n"
      "  tau: {type: mechanical.Torque, flange: rotor, tau: 0.5 N.m/A*" +
      i + "}\n" +
      (lags ? "  held_w: {type: blocks.ZeroOrderHold, u: rotor.w/(1 rad/s), " + hold +
                  "  held_i: {type: blocks.ZeroOrderHold, u: L.i/(1 A), " + hold
            : "");
  solve::Options options;
  options.t_end = 0.8, options.method = method, options.step = step, options.output_step = 0.08;
  return run_model(io::parse_model(text, "m.yaml"), options);
}

TEST(CouplingAtOneInstant, KeepsTheOrderThatALagLoses) {
  const solve::Result exact = run_motor(false, 0.0025, "rk4");  // 4th order: 1e-8 of it
  const auto error = [&](bool lags, double step, const char* method) {
    const solve::Result r = run_motor(lags, step, method);
    double largest = 0;
    for (int k = 1; k <= 10; ++k)
      largest = std::max(largest, std::abs(value_at(r, "rotor.w", 0.08 * k) - value_at(exact, "rotor.w", 0.08 * k)));
    return largest;
  };
  const auto order = [&](bool lags, const char* method) {
    const double step = lags ? 0.005 : 0.02;  // short enough for the first term of the error to be all of it
    return std::log2(error(lags, 2 * step, method) / error(lags, step, method));
  };
  EXPECT_NEAR(order(false, "rk4"), 4, 0.4);
  EXPECT_NEAR(order(false, "newmark"), 2, 0.2);
  EXPECT_NEAR(order(true, "rk4"), 1, 0.2);
  EXPECT_NEAR(order(true, "newmark"), 1, 0.2);
}

}  // namespace
}  // namespace coenergy::tests
