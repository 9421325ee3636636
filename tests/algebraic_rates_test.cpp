// Controlled sources that fix capacitor voltages and inductor currents: the rate of what controls them is found.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "coenergy/solve/initialize.hpp"
#include "coenergy/solve/settle.hpp"
#include "tests/inline_model.hpp"

namespace coenergy::tests {
namespace {

constexpr double w = 2e3 * std::numbers::pi;  // rad/s

/// By a method that solves for algebraic variables in every row; those of implicit ones are interpolated.
solve::Result run_explicitly(const std::string& text) {
  solve::Options options;
  options.t_end = 1e-3;
  options.method = "dopri";
  options.output_step = 1e-5;
  return run_model(io::parse_model(text, "m.yaml"), options);
}

/// The largest difference of a signal from a function of time, over all rows.
double find_error(const solve::Result& result, const std::string& signal, const std::function<double(double)>& exact) {
  EXPECT_EQ(result.status, solve::Status::done) << result.text;
  const std::vector<double> values = result.signal(signal);
  double error = 0;
  for (std::size_t k = 0; k < values.size(); ++k) error = std::max(error, std::abs(values[k] - exact(result.times[k])));
  return error;
}

TEST(AlgebraicRates, ASourceThatAResistiveNodeControlsChargesACapacitor) {
  // out = 10·½ sin ωt; the source carries the currents of R3 and of C1
  const solve::Result result = run_explicitly(R"yaml(
components:
  V1: {type: electrical.VoltageSource, p: in, n: gnd, v: "1 V*sin(2*pi*1 kHz*time)"}
  R1: {type: electrical.Resistor, p: in, n: a, R: 1 kohm}
  R2: {type: electrical.Resistor, p: a, n: gnd, R: 1 kohm}
  E1: {type: electrical.VoltageSource, p: out, n: gnd, v: "10*a.v"}
  C1: {type: electrical.Capacitor, p: out, n: gnd, C: 1 uF}
  R3: {type: electrical.Resistor, p: out, n: gnd, R: 1 kohm}
)yaml");
  // nothing is integrated: the tolerance of Newton's method
  EXPECT_LT(find_error(result, "E1.i", [](double t) { return -5e-3 * std::sin(w * t) - 5e-6 * w * std::cos(w * t); }),
            1e-9);
}

TEST(AlgebraicRates, ACurrentThatADiodeControlsRunsThroughAnInductor) {
  // a chain of equations with a nonlinear one in it has to be differentiated: i = 2 Is (e^{u/V} − 1), u = u(t)
  const solve::Result result = run_explicitly(R"yaml(
components:
  V1: {type: electrical.VoltageSource, p: in, n: gnd, v: "0.6 V + 0.05 V*sin(2*pi*1 kHz*time)"}
  D1: {type: electrical.Diode, p: in, n: gnd, Is: 1e-14 A, gmin: 0 S}
  F1: {type: electrical.CurrentSource, p: gnd, n: out, i: "2*D1.i"}
  L1: {type: electrical.Inductor, p: out, n: x, L: 1 mH}
  R3: {type: electrical.Resistor, p: x, n: gnd, R: 1 ohm}
)yaml");
  const double V = 1.380649e-23 / 1.602176634e-19 * 300.15;
  const auto exact = [&](double t) {
    const double e = 2e-14 * std::exp((0.6 + 0.05 * std::sin(w * t)) / V);
    return e + 1e-3 * e * 0.05 * w * std::cos(w * t) / V;
  };
  // of a largest value of 3 mV; Newton's tolerance, times 30 thermal voltages in the exponent
  EXPECT_LT(find_error(result, "out.v", exact), 1e-8);
}

TEST(AlgebraicRates, AnIntegratorDrivesALoadWithACapacitor) {
  // an amplifier of gain A with feedback over C1: out = −A n, C1 d(n − out)/dt = (in − n)/R1, and C2 takes C2 d(out)/dt
  const solve::Result result = run_text(R"yaml(
components:
  V1: {type: electrical.VoltageSource, p: in, n: gnd, v: 1 V}
  R1: {type: electrical.Resistor, p: in, n: n, R: 1 kohm}
  C1: {type: electrical.Capacitor, p: n, n: out, C: 1 uF}
  E1: {type: electrical.VoltageSource, p: out, n: gnd, v: "-1000*n.v"}
  C2: {type: electrical.Capacitor, p: out, n: gnd, C: 2 uF}
)yaml",
                                        1e-3, 1e-5);
  const double T = 1001 * 1e-3;  // time constant of n, towards 1 V
  EXPECT_LT(find_error(result, "out.v", [&](double t) { return -1000 * (1 - std::exp(-t / T)); }), 1e-8);
  const auto source = [&](double t) {
    const double e = std::exp(-t / T), rate = -1000 * e / T;
    return e * 1e-3 - 2e-6 * rate;
  };
  EXPECT_LT(find_error(result, "E1.i", source), 1e-8);
}

TEST(AlgebraicRates, ACapacitanceMayDependOnTheCurrentOfAResistor) {
  // C = 1 µF (1 + i/A), i = (5 V − v)/10 Ω: with dq/dv = 1 µF (1.5 − 0.2 v/V), t = 10 µs (0.2 v/V + 0.5 ln(5/(5 −
  // v/V)))
  const solve::Result result = run_text(R"yaml(
components:
  U1: {type: electrical.VoltageSource, p: a, n: gnd, v: 5 V}
  R1: {type: electrical.Resistor, p: a, n: b, R: 10 ohm}
  C1: {type: electrical.Capacitor, p: b, n: gnd, C: "1 uF*(1 + R1.i/(1 A))"}
)yaml",
                                        2e-5, 1e-6);
  ASSERT_EQ(result.status, solve::Status::done) << result.text;
  const std::vector<double> v = result.signal("C1.v");
  // tolerance of a step 1e-9, and rows between steps have a lower order; time counts in units of 10 µs
  for (std::size_t k = 0; k < v.size(); ++k)
    EXPECT_NEAR(1e-5 * (0.2 * v[k] + 0.5 * std::log(5 / (5 - v[k]))), result.times[k], 1e-7 * 1e-5);
}

TEST(AlgebraicRates, NothingMovesInTheOperatingPoint) {
  solve::Options options;
  options.start = "steady";
  equations::Evaluator evaluator(compile_model(io::parse_model(R"yaml(
components:
  V1: {type: electrical.VoltageSource, p: in, n: gnd, v: "2 V + 1 V*sin(2*pi*1 kHz*time)"}
  R1: {type: electrical.Resistor, p: in, n: a, R: 1 kohm}
  R2: {type: electrical.Resistor, p: a, n: gnd, R: 1 kohm}
  E1: {type: electrical.VoltageSource, p: out, n: gnd, v: "10*a.v"}
  C1: {type: electrical.Capacitor, p: out, n: gnd, C: 1 uF}
)yaml",
                                                               "m.yaml")));
  const solve::HeldTime time(evaluator);
  const solve::Start start = solve::initialize(evaluator, options);
  ASSERT_TRUE(start.good) << start.text;
  std::vector<double> values(evaluator.system().signals().size());
  evaluator.signals(start.point, values);
  EXPECT_NEAR(values[evaluator.system().find_signal("out.v")], 10, 1e-12);
  EXPECT_NEAR(values[evaluator.system().find_signal("E1.i")], 0, 1e-15);
}

TEST(AlgebraicRates, ASecondDerivativeIsRefusedByTheSourceThatNeedsIt) {
  // the current of E1 holds the rate of a.v already, and H1 makes it the voltage of C2
  EXPECT_EQ(error_of(R"yaml(
components:
  V1: {type: electrical.VoltageSource, p: in, n: gnd, v: "1 V*sin(1 kHz*time)"}
  R1: {type: electrical.Resistor, p: in, n: a, R: 1 kohm}
  R2: {type: electrical.Resistor, p: a, n: gnd, R: 1 kohm}
  E1: {type: electrical.VoltageSource, p: out, n: gnd, v: "10*a.v"}
  C1: {type: electrical.Capacitor, p: out, n: gnd, C: 1 uF}
  H1: {type: electrical.VoltageSource, p: h, n: gnd, v: "1 kohm*E1.i"}
  C2: {type: electrical.Capacitor, p: h, n: gnd, C: 1 uF}
)yaml"),
            "m.yaml:8:3: H1: its equations need the time derivative of 1000*E1.i, which depends on rates or forces "
            "itself; use a signal that is a state or a coordinate");
}

}  // namespace
}  // namespace coenergy::tests
