// Windings without leakage: the inductance matrix is singular, and fewer currents are states than there are coils.
#include <cmath>

#include "tests/circuit_compile.hpp"

namespace coenergy::tests {
namespace {

constexpr double exact = 1e-7;  // the tolerance 1e-9 of a step, and the interpolant where rows lie between steps

/// R1 from a source of 12 V to L1 = 4 H, and R2 on a coil of turns n with k = ±1.
std::string transformer(double n, double k, const std::string& more = "") {
  return R"(
components:
  U:  {type: electrical.VoltageSource, p: in, n: gnd, v: 12 V}
  R1: {type: electrical.Resistor, p: in, n: a, R: 3 ohm}
  L1: {type: electrical.Inductor, p: a, n: gnd, L: 4 H, i0: 0.7 A}
  L2: {type: electrical.Inductor, p: b, n: gnd, L: )" +
         std::to_string(4 * n * n) + R"( H, i0: 0.2 A}
  K:  {type: electrical.Coupling, a: L1, b: L2, k: )" +
         std::to_string(k) + R"(}
  R2: {type: electrical.Resistor, p: b, n: gnd, R: 5 ohm}
)" + more;
}

TEST(PerfectCoupling, ATransformerIsAnIdealOneWithItsMagnetisingInductance) {
  // one state m = i1 ± n i2: 4 H dm/dt = v, (12 V − v)/3 Ω = i1, i2 = ∓n v/5 Ω, so v (1/3 + n²/5) = 4 − m in V and A
  for (const double k : {1.0, -1.0}) {
    const double n = 0.6, g = 1.0 / 3 + n * n / 5, m0 = 0.7 + k * n * 0.2;
    const auto r = run_text(transformer(n, k), 2);
    for (const double t : {0.0, 0.5, 1.0, 2.0}) {
      const double m = 4 + (m0 - 4) * std::exp(-t / (4 * g)), v = (4 - m) / g;
      EXPECT_NEAR(value_at(r, "L1.i_m", t), m, exact) << t;
      EXPECT_NEAR(value_at(r, "L1.v", t), v, exact) << t;
      EXPECT_NEAR(value_at(r, "L2.v", t), k * n * v, exact) << t;
      EXPECT_NEAR(value_at(r, "L1.i", t), (12 - v) / 3, exact) << t;
      EXPECT_NEAR(value_at(r, "L2.i", t), -k * n * v / 5, exact) << t;
    }
  }
  const auto ideal = run_text(R"(
components:
  U:  {type: electrical.VoltageSource, p: in, n: gnd, v: 12 V}
  R1: {type: electrical.Resistor, p: in, n: a, R: 3 ohm}
  Lm: {type: electrical.Inductor, p: a, n: gnd, L: 4 H, i0: 0.82 A}
  T:  {type: electrical.IdealTransformer, p1: b, n1: gnd, p2: a, n2: gnd, n: 0.6}
  R2: {type: electrical.Resistor, p: b, n: gnd, R: 5 ohm}
)",
                              2);
  const auto own = run_text(transformer(0.6, 1), 2);
  for (const double t : {0.3, 1.7}) {
    EXPECT_NEAR(value_at(own, "L1.i_m", t), value_at(ideal, "Lm.i", t), exact);
    EXPECT_NEAR(value_at(own, "b.v", t), value_at(ideal, "b.v", t), exact);
  }
}

TEST(PerfectCoupling, KeepsTheEnergyAccount) {
  const solve::Options options{
      .t_end = 5, .method = "radau", .output_step = 0.01, .rtol = 1e-12, .atol = 1e-13, .newton_tolerance = 1e-12};
  const auto r = run_model(io::parse_model(R"(
components:
  U:  {type: electrical.VoltageSource, p: in, n: gnd, v: 12 V*sin(3 1/s*time)}
  R1: {type: electrical.Resistor, p: in, n: a, R: 3 ohm}
  L1: {type: electrical.Inductor, p: a, n: gnd, L: 4 H}
  L2: {type: electrical.Inductor, p: b, n: gnd, L: 1 H}
  L3: {type: electrical.Inductor, p: c, n: gnd, L: 9 H}
  K1: {type: electrical.Coupling, a: L1, b: L2, k: 1}
  K2: {type: electrical.Coupling, a: L1, b: L3, M: -6 H}
  K3: {type: electrical.Coupling, a: L2, b: L3, k: -1}
  R2: {type: electrical.Resistor, p: b, n: gnd, R: 5 ohm}
  C3: {type: electrical.Capacitor, p: d, n: gnd, C: 0.2 F, v0: 1 V}
  R3: {type: electrical.Resistor, p: c, n: d, R: 2 ohm}
energy: true
)",
                                           "m.yaml"),
                           options);
  const auto stored = r.signal("energy.stored"), supplied = r.signal("energy.supplied"),
             lost = r.signal("energy.dissipated");
  double error = 0, size = 0;
  for (std::size_t k = 0; k < stored.size(); ++k) {
    error = std::max(error, std::abs(stored[k] - stored[0] - supplied[k] + supplied[0] + lost[k] - lost[0]));
    size = std::max({size, stored[k], std::abs(supplied[k]), lost[k]});
  }
  EXPECT_LT(error, 1e-9 * size);
  EXPECT_GT(size, 1);
  // the voltages have the ratios of turns at rows of the run
  for (const double t : {1.0, 5.0}) {
    EXPECT_NEAR(value_at(r, "b.v", t), value_at(r, "a.v", t) / 2, exact);
    EXPECT_NEAR(value_at(r, "c.v", t), -1.5 * value_at(r, "a.v", t), exact);
  }
}

TEST(PerfectCoupling, CountsItsStates) {
  EXPECT_EQ(compile(transformer(0.6, 1)).summary.circuit.order, 1);
  EXPECT_EQ(compile(transformer(0.6, 1)).summary.states, 1);
  EXPECT_EQ(compile(transformer(0.6, 0.9)).summary.circuit.order, 2);
}

TEST(PerfectCoupling, LeakageInSeriesLeavesAllCurrentsStates) {
  // T circuit: the matrix of the windings alone is singular, that of the circuit is not
  const auto perfect = run_text(R"(
components:
  U:  {type: electrical.VoltageSource, p: in, n: gnd, v: 12 V*cos(2 1/s*time)}
  S1: {type: electrical.Inductor, p: in, n: a, L: 0.5 H}
  L1: {type: electrical.Inductor, p: a, n: gnd, L: 4 H}
  L2: {type: electrical.Inductor, p: b, n: gnd, L: 1 H}
  K:  {type: electrical.Coupling, a: L1, b: L2, k: 1}
  S2: {type: electrical.Inductor, p: b, n: c, L: 0.25 H}
  R2: {type: electrical.Resistor, p: c, n: gnd, R: 5 ohm}
)",
                                2);
  const auto leaky = run_text(R"(
components:
  U:  {type: electrical.VoltageSource, p: in, n: gnd, v: 12 V*cos(2 1/s*time)}
  L1: {type: electrical.Inductor, p: in, n: gnd, L: 4.5 H}
  L2: {type: electrical.Inductor, p: c, n: gnd, L: 1.25 H}
  K:  {type: electrical.Coupling, a: L1, b: L2, M: 2 H}
  R2: {type: electrical.Resistor, p: c, n: gnd, R: 5 ohm}
)",
                              2);
  for (const double t : {0.5, 2.0})
    for (const char* name : {"L1.i", "L2.i", "c.v"})
      EXPECT_NEAR(value_at(perfect, name, t), value_at(leaky, name, t), exact) << name;
}

TEST(PerfectCoupling, EqualWindingsAgainstEachOtherAreAWire) {
  const auto r = run_text(R"(
components:
  U:  {type: electrical.VoltageSource, p: in, n: gnd, v: 12 V*cos(2 1/s*time)}
  R:  {type: electrical.Resistor, p: in, n: a, R: 3 ohm}
  L1: {type: electrical.Inductor, p: a, n: b, L: 4 H}
  L2: {type: electrical.Inductor, p: gnd, n: b, L: 4 H}
  K:  {type: electrical.Coupling, a: L1, b: L2, k: 1}
)",
                          1);
  for (const double t : {0.0, 1.0}) {
    EXPECT_NEAR(value_at(r, "L1.i", t), 4 * std::cos(2 * t), 1e-12) << t;  // no state: nothing but rounding
    EXPECT_NEAR(value_at(r, "b.v", t), 0, 1e-12) << t;
  }
}

TEST(PerfectCoupling, ACurrentSourceInSeriesFixesOneCurrentAndLeavesTheOtherAState) {
  // i1 = 2 A cos 3t; 1 H di2/dt + 2 H di1/dt = −5 Ω i2: i2 = a (e^{−5t} − cos 3t) + b sin 3t
  const auto r = run_text(R"(
components:
  I:  {type: electrical.CurrentSource, p: gnd, n: a, i: 2 A*cos(3 1/s*time)}
  L1: {type: electrical.Inductor, p: a, n: gnd, L: 4 H}
  L2: {type: electrical.Inductor, p: b, n: gnd, L: 1 H}
  K:  {type: electrical.Coupling, a: L1, b: L2, k: 1}
  R2: {type: electrical.Resistor, p: b, n: gnd, R: 5 ohm}
)",
                          1);
  // particular solution A cos 3t + B sin 3t: 3B + 5A = 0, −3A + 5B = 12
  const double A = -36.0 / 34, B = 60.0 / 34;
  for (const double t : {0.4, 1.0})
    EXPECT_NEAR(value_at(r, "L2.i", t), A * std::cos(3 * t) + B * std::sin(3 * t) - A * std::exp(-5 * t), exact);
}

TEST(PerfectCoupling, WhatHasNoSolutionIsRefused) {
  const std::string coils = R"(
components:
  U:  {type: electrical.VoltageSource, p: a, n: gnd, v: 1 V}
  L1: {type: electrical.Inductor, p: a, n: gnd, L: 4 H}
  L2: {type: electrical.Inductor, p: b, n: gnd, L: 1 H}
  K:  {type: electrical.Coupling, a: L1, b: L2, k: -1}
)";
  EXPECT_EQ(error_of(coils + "  C:  {type: electrical.Capacitor, p: b, n: gnd, C: 1 F}\n"),
            "m.yaml:5:3: L1, L2 share all their flux, so their voltages are in a fixed ratio; but U, C fix them; put a "
            "resistor in series with one of them, or give the coupling some leakage (|k| < 1)");
  EXPECT_EQ(error_of(R"(
components:
  R:  {type: electrical.Resistor, p: a, n: gnd, R: 1 ohm}
  L1: {type: electrical.Inductor, p: a, n: gnd, L: 4 H + 1 H*sin(1 1/s*time)}
  L2: {type: electrical.Inductor, p: b, n: gnd, L: 1 H}
  K:  {type: electrical.Coupling, a: L1, b: L2, k: 1}
)"),
            "m.yaml:6:3: K: windings without leakage, k = 1 or -1, must have constant inductances");
}

}  // namespace
}  // namespace coenergy::tests
