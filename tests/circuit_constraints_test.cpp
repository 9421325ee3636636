// Constraints of circuits, with sources in them (Sass 2004, chapter 4; Enge, Kielau,
// Maißer 1996), and start values that contradict them.
#include <cmath>

#include "coenergy/circuits/circuit_matrices.hpp"
#include "coenergy/equations/data.hpp"
#include "coenergy/equations/state_equations.hpp"
#include "coenergy/solve/initialize.hpp"
#include "tests/circuit_compile.hpp"
#include "tests/inline_model.hpp"

namespace coenergy::tests {
namespace {

TEST(CircuitConstraints, ASeriesCircuitOfAllElementsHasNoConstraint) {
  // Fig 4.6: the charge form would count one state
  const auto summary = compile(R"(
components:
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 10 V}
  R: {type: electrical.Resistor, p: a, n: b, R: 4 ohm}
  L: {type: electrical.Inductor, p: b, n: c, L: 3 H}
  C: {type: electrical.Capacitor, p: c, n: gnd, C: 3 F}
)")
                           .summary.circuit;
  EXPECT_TRUE(summary.constraints.empty());
  EXPECT_EQ(summary.order, 2);
}

TEST(CircuitConstraints, ANodeHeldByAGroundedCapacitorNeedsNoUnknown) {
  const auto count = [](const std::string& capacitors) {
    const equations::System s = compile(R"(
components:
  I: {type: electrical.CurrentSource, p: gnd, n: a, i: 2 A}
  R: {type: electrical.Resistor, p: a, n: gnd, R: 3 ohm}
)" + capacitors)
                                    .system;
    EXPECT_TRUE(s.is_linear_in_all_modes());
    return std::pair(s.nx(), s.ny());
  };
  const std::string first = "  C1: {type: electrical.Capacitor, p: a, n: gnd, C: 1 F}\n";
  EXPECT_EQ(count(first), std::pair(1, 0));
  // the other of two in parallel follows it
  EXPECT_EQ(count(first + "  C2: {type: electrical.Capacitor, p: a, n: gnd, C: 2 F}\n"), std::pair(1, 1));
  // one that points the other way, or leads elsewhere, leaves the node an unknown
  EXPECT_EQ(count("  C1: {type: electrical.Capacitor, p: gnd, n: a, C: 1 F}\n"), std::pair(1, 1));
  EXPECT_EQ(count(first + "  C2: {type: electrical.Capacitor, p: b, n: a, C: 2 F}\n"
                          "  R2: {type: electrical.Resistor, p: b, n: gnd, R: 1 ohm}\n"),
            std::pair(2, 1));
}

TEST(CircuitConstraints, ShortedElementsAreNotedAndPlayNoPart) {
  const std::string circuit = R"(
components:
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 6 V}
  R: {type: electrical.Resistor, p: a, n: gnd, R: 3 ohm}
  Rs: {type: electrical.Resistor, p: a, n: a, R: 1 ohm}
  Cs: {type: electrical.Capacitor, p: a, n: a, C: 1 F}
  Ls: {type: electrical.Inductor, p: gnd, n: gnd, L: 1 H}
)";
  EXPECT_EQ(compile(circuit).summary.notes, (std::vector<std::string>{"Rs has both ends on node a; it is shorted",
                                                                      "Cs has both ends on node a; it is shorted",
                                                                      "Ls has both ends on node gnd; it is shorted"}));
  const auto r = run_text(circuit, 1, 1);
  EXPECT_NEAR(value_at(r, "U.i", 1), -2, 1e-12);  // algebraic, so to round-off
  EXPECT_EQ(value_at(r, "Cs.v", 1), 0);
}

TEST(CircuitConstraints, TheOrderCountsStatesInsideElements) {
  // a junction with charge behind a series resistance is a state that belongs to no branch of the circuit
  const std::string circuit = R"(
components:
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 10 V}
  R: {type: electrical.Resistor, p: a, n: b, R: 4 ohm}
  L: {type: electrical.Inductor, p: b, n: c, L: 3 H}
)";
  const auto find_order = [&](const std::string& diode) {
    const auto summary = compile(circuit + "  D: {type: electrical.Diode, p: c, n: gnd, " + diode + "}\n").summary;
    EXPECT_EQ(summary.circuit.order, summary.states) << diode;
    return summary.circuit.order;
  };
  EXPECT_EQ(find_order("Rs: 1 ohm, Cj0: 10 pF"), 2);
  EXPECT_EQ(find_order("Rs: 1 ohm, TT: 1 ns"), 2);
  EXPECT_EQ(find_order("Cj0: 10 pF"), 2);
  EXPECT_EQ(find_order("Rs: 1 ohm"), 1);
  EXPECT_EQ(find_order("Is: 1e-14 A"), 1);
}

TEST(CircuitConstraints, ACapacitorOnASourceTakesTheDerivativeOfTheSource) {
  const auto r = run_text(R"(
components:
  U:  {type: electrical.VoltageSource, p: a, n: gnd, v: 3 V*sin(7 1/s*time) + 1 V*exp(-2 1/s*time)}
  C1: {type: electrical.Capacitor, p: a, n: b, C: 2 F}
  C2: {type: electrical.Capacitor, p: b, n: gnd, C: 5 F, v0: 0.3 V}
  R:  {type: electrical.Resistor, p: b, n: gnd, R: 4 ohm}
)",
                          1);
  // at nodes of the run: between them all variables are interpolated
  for (double t : {0.0, 1.0}) {
    const double du = 21 * std::cos(7 * t) - 2 * std::exp(-2 * t), u2 = value_at(r, "C2.v", t);
    // C1 (U' − u2') = C2 u2' + u2/R
    const double du2 = (2 * du - u2 / 4) / 7;
    EXPECT_NEAR(value_at(r, "C1.i", t), 2 * (du - du2), 1e-9) << t;
    EXPECT_NEAR(value_at(r, "U.i", t), -2 * (du - du2), 1e-9) << t;
    EXPECT_NEAR(value_at(r, "C1.v", t), 3 * std::sin(7 * t) + std::exp(-2 * t) - u2, 1e-12) << t;
  }
}

TEST(CircuitConstraints, AnInductorBehindACurrentSourceTakesItsDerivative) {
  const auto r = run_text(R"(
components:
  I:  {type: electrical.CurrentSource, p: gnd, n: a, i: 2 A*cos(5 1/s*time)}
  L1: {type: electrical.Inductor, p: a, n: b, L: 3 H}
  L2: {type: electrical.Inductor, p: b, n: gnd, L: 2 H, i0: 0.5 A}
  R:  {type: electrical.Resistor, p: b, n: gnd, R: 4 ohm}
)",
                          1);
  for (double t : {0.0, 1.0}) {
    EXPECT_NEAR(value_at(r, "L1.v", t), -3 * 10 * std::sin(5 * t), 1e-11) << t;
    EXPECT_NEAR(value_at(r, "L1.i", t), 2 * std::cos(5 * t), 1e-12) << t;
  }
}

TEST(CircuitConstraints, AStarWithACurrentInItsNeutral) {
  // i_a + i_b + i_c = i_n(t): a row with G ≠ 0. Phases L = 2 H with M = −1 H, driven by voltages that sum to zero
  const auto compiled = compile(R"(
components:
  Ua: {type: electrical.VoltageSource, p: a, n: gnd, v: 3 V}
  Ub: {type: electrical.VoltageSource, p: b, n: gnd, v: -1 V}
  Uc: {type: electrical.VoltageSource, p: c, n: gnd, v: -2 V}
  La: {type: electrical.Inductor, p: a, n: star, L: 2 H}
  Lb: {type: electrical.Inductor, p: b, n: star, L: 2 H}
  Lc: {type: electrical.Inductor, p: c, n: star, L: 2 H}
  ab: {type: electrical.Coupling, a: La, b: Lb, M: -0.9 H}
  bc: {type: electrical.Coupling, a: Lb, b: Lc, M: -0.9 H}
  ca: {type: electrical.Coupling, a: Lc, b: La, M: -0.9 H}
  In: {type: electrical.CurrentSource, p: star, n: gnd, i: 0.6 A*sin(4 1/s*time)}
)");
  using Row = std::vector<std::pair<std::string, int>>;
  EXPECT_EQ(compiled.summary.circuit.constraints,
            (std::vector<Row>{{{"La.i", 1}, {"Lb.i", 1}, {"Lc.i", 1}, {"In.i", -1}}}));
  solve::Options options{.t_end = 1, .method = "radau", .output_step = 0.5, .rtol = 1e-11, .atol = 1e-12};
  const solve::Result r = solve::simulate(compiled.system, options);
  // L_d = L − M = 2.9: differences of phases; L_0 = L + 2M = 0.2 carries the common part
  const double t = 1, common = 0.6 * std::sin(4 * t) / 3;
  EXPECT_NEAR(r.signal("La.i").back(), 3 / 2.9 * t + common, 1e-9);
  EXPECT_NEAR(r.signal("Lb.i").back(), -1 / 2.9 * t + common, 1e-9);
  EXPECT_NEAR(r.signal("star.v").back(), -0.2 * 0.6 * 4 * std::cos(4 * t) / 3, 1e-8);
}

TEST(CircuitConstraints, CurrentSourcesAreNeverInTheTree) {
  // G4
  const auto summary = compile(R"(
components:
  I1: {type: electrical.CurrentSource, p: gnd, n: a, i: 1 A}
  I2: {type: electrical.CurrentSource, p: a, n: b, i: 1 A}
  R1: {type: electrical.Resistor, p: a, n: gnd, R: 4 ohm}
  L1: {type: electrical.Inductor, p: b, n: gnd, L: 4 H}
)")
                           .summary.circuit;
  EXPECT_EQ(summary.tree, (std::vector<std::string>{"R1", "L1"}));
}

std::string start_error(const std::string& text) {
  try {
    equations::Evaluator evaluator(compile(text).system);
    solve::initialize(evaluator, {});
  } catch (const Error& e) {
    return e.what();
  }
  return "none";
}

TEST(CircuitConstraints, StartValuesThatContradictAConstraintAreRefusedByName) {
  const std::string coils = R"(
components:
  U:  {type: electrical.VoltageSource, p: a, n: gnd, v: 10 V}
  L1: {type: electrical.Inductor, p: a, n: b, L: 2 H, i0: 3 A}
  L2: {type: electrical.Inductor, p: b, n: c, L: 3 H, i0: 2 A}
  R:  {type: electrical.Resistor, p: c, n: gnd, R: 4 ohm}
)";
  EXPECT_EQ(start_error(coils),
            "L1.i0 = 3 A contradicts L1.i = L2.i, which is 2 A at the start; leave it out, or choose start values that "
            "fit");
  std::string fits = coils;
  fits.replace(fits.find("3 A"), 3, "2 A");
  EXPECT_EQ(start_error(fits), "none");
  EXPECT_EQ(
      start_error(R"(
components:
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 10 V}
  C: {type: electrical.Capacitor, p: a, n: gnd, C: 2 F, v0: 4 V}
)"),
      "C.v0 = 4 V contradicts C.v = U.v, which is 10 V at the start; leave it out, or choose start values that fit");
}

TEST(CircuitConstraints, PrintedEquationsHoldTheRateOfTheSource) {
  // C1 (U' − u2') = C2 u2' + u2/R with U' = 21 cos 7t
  const compile::Compiled compiled = compile(R"(
components:
  U:  {type: electrical.VoltageSource, p: a, n: gnd, v: 3 V*sin(7 1/s*time)}
  C1: {type: electrical.Capacitor, p: a, n: b, C: 2 F}
  C2: {type: electrical.Capacitor, p: b, n: gnd, C: 5 F}
  R:  {type: electrical.Resistor, p: b, n: gnd, R: 4 ohm}
)");
  const std::string text = make_state_equations(compiled.system, compiled.summary.circuit.constraints).text;
  EXPECT_NE(text.find("cos(7*time)"), std::string::npos) << text;
  EXPECT_EQ(text.find("der(time)"), std::string::npos) << text;
}

// ---- voltages that motion makes

solve::Result run_by(const std::string& text, const std::string& method) {
  solve::Options options{.t_end = 1, .output_step = 0.25, .rtol = 1e-9, .atol = 1e-11};
  options.method = method;
  return run_model(io::parse_model(text, "m.yaml"), options);
}

TEST(IdealMachines, OnAnIdealSourceTurnAsItSays) {
  // k N ω = v(t), whatever the load: i = (J ω̇ + 0.4 N.m)/(k N); the account is kept
  const std::string text = R"(
energy: true
components:
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 3 V*sin(2 1/s*time)}
  D: {type: electrical.VoltageSource, p: b, n: a, v: 1 V}
  R: {type: electrical.Resistor, p: b, n: gnd, R: 8 ohm}
  M: {type: converters.DcMachine, p: b, n: gnd, shaft: S, k: 0.25 V.s/rad, gear: 2}
  N: {type: converters.DcMachine, p: gnd, n: b, shaft: T, support: S, k: 0.4 V.s/rad}
  S: {type: mechanical.Inertia, J: 0.7 kg.m2}
  T: {type: mechanical.Inertia, J: 0.2 kg.m2}
  L: {type: mechanical.Torque, flange: S, tau: -0.4 N.m}
)";
  for (const char* method : {"radau", "esdirk", "generalized-alpha", "hht", "dopri", "dop853", "cvode", "ida"}) {
    SCOPED_TRACE(method);
    const auto r = run_by(text, method);
    for (const double t : {0.25, 0.5, 1.0}) {
      const double v = 3 * std::sin(2 * t) + 1, rate = 6 * std::cos(2 * t);
      const double w = v / 0.5, a = rate / 0.5, w_T = w - v / 0.4, a_T = a - rate / 0.4;
      const double torque_N = 0.2 * a_T, i_N = torque_N / 0.4, i_M = (0.7 * a + torque_N + 0.4) / 0.5;
      constexpr double close = 1e-7;  // of 12: rtol and the rows between steps
      EXPECT_NEAR(value_at(r, "S.w", t), w, close);
      EXPECT_NEAR(value_at(r, "T.w", t), w_T, close);
      EXPECT_NEAR(value_at(r, "M.i", t), i_M, close * 10);
      EXPECT_NEAR(value_at(r, "N.i", t), i_N, close * 10);
      EXPECT_NEAR(value_at(r, "M.tau", t), 0.5 * i_M, close * 10);
      EXPECT_NEAR(value_at(r, "D.i", t), i_N - i_M - v / 8, close * 10);
      // two voltage sources feed what is stored, lost and taken by the load
      EXPECT_NEAR(
          value_at(r, "energy.supplied", t) - value_at(r, "energy.dissipated", t) - value_at(r, "energy.stored", t),
          -(0.7 * 4 + 0.2 * 0.25) / 2, 1e-5);
    }
  }
}

TEST(IdealMachines, ThatCannotFollowTheirSourceAreRefused) {
  const auto refused = [](const std::string& v, const std::string& shaft, const std::string& others = "") {
    return error_of("components: {U: {type: electrical.VoltageSource, p: a, n: gnd, v: \"" + v +
                    "\"}, M: {type: converters.DcMachine, p: a, n: gnd, shaft: " + shaft +
                    ", k: 1 V.s/rad}, S: {type: mechanical.Inertia, J: 2 kg.m2}, F: {type: mechanical.Torque, flange: "
                    "S, tau: 1 N.m}" +
                    others + "}");
  };
  EXPECT_EQ(refused("1 V", "ground"), "m.yaml:1:75: M: sources alone hold its voltage, and it cannot move");
  EXPECT_EQ(refused("1 V - 3 V.s*S.w", "S"),
            "m.yaml:1:87: M: the voltage that sources hold depends on a velocity, and its motion follows that "
            "voltage; give it a resistance");
  EXPECT_EQ(refused("1 V", "S",
                    ", O: {type: converters.DcMachine, p: b, n: gnd, shaft: S, k: 1 V.s/rad}, P: {type: "
                    "converters.DcMachine, p: b, n: gnd, shaft: T, k: 1 V.s/rad}, T: {type: mechanical.Inertia, J: 1 "
                    "kg.m2}"),
            "m.yaml:1:313: loop P–O contains only voltage sources; the circuit has no solution");
}

}  // namespace
}  // namespace coenergy::tests
