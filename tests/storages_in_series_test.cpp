// Storages inside of elements, in series and in parallel with others: each changes the motion by all of its size.
#include <cmath>

#include "tests/circuit_compile.hpp"

namespace coenergy::tests {
namespace {

const std::vector<std::string> methods = {"radau", "esdirk", "generalized-alpha", "dopri", "dop853", "rk4"};

solve::Result run_by(const std::string& method, const std::string& text, double t_end, double step) {
  solve::Options options{.t_end = t_end, .method = method, .output_step = t_end};
  if (method == "generalized-alpha" || method == "rk4")
    options.step = step;
  else
    options.rtol = 1e-10, options.atol = 1e-12;
  return run_model(io::parse_model(text, "m.yaml"), options);
}

/// stored − supplied + dissipated, at the end against the start, over the energy that moved.
double account_error(const solve::Result& r) {
  const auto stored = r.signal("energy.stored"), supplied = r.signal("energy.supplied"),
             lost = r.signal("energy.dissipated");
  const double change = stored.back() - stored.front(), in = supplied.back() - supplied.front(),
               out = lost.back() - lost.front();
  return std::abs(change - in + out) / (std::abs(change) + std::abs(in) + std::abs(out));
}

TEST(StoragesInSeries, AnInductorAddsToTheInductanceOfAMachine) {
  // a rotor too heavy to move: (L1 + L) di/dt = U − (R1 + R) i
  const double U = 24, R1 = 7, R = 2, L1 = 0.04, L = 0.025, t = 0.004;
  const std::string parts[] = {"  L1: {type: electrical.Inductor, p: b, n: c, L: 40 mH}\n",
                               "  mot: {type: converters.DcMachine, p: c, n: gnd, shaft: J, k: 0.2, R: 2, L: 25 mH}\n"};
  for (const bool inductor_first : {true, false})
    for (const std::string& method : methods) {
      const std::string text =
          "components:\n"
          "  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 24 V}\n"
          "  R1: {type: electrical.Resistor, p: a, n: b, R: 7}\n" +
          parts[inductor_first ? 0 : 1] + parts[inductor_first ? 1 : 0] +
          "  J: {type: mechanical.Inertia, J: 1e9}\nenergy: true\n";
      const auto r = run_by(method, text, t, t / 400);
      const double i = U / (R1 + R) * (1 - std::exp(-t * (R1 + R) / (L1 + L)));
      // the tolerances; fixed steps of the second order leave (step/time constant)² / 12
      const double error = method == "generalized-alpha" ? 2e-6 : 1e-8;
      EXPECT_NEAR(value_at(r, "mot.i", t), i, error) << method;
      EXPECT_NEAR(value_at(r, "L1.i", t), i, error) << method;
      // the voltage divides as the inductances do, less what the resistance takes
      const double v = U - (R1 + R) * i;
      EXPECT_NEAR(value_at(r, "L1.v", t), v * L1 / (L1 + L), 30 * error * U) << method;
      EXPECT_LT(account_error(r), method == "generalized-alpha" ? 1e-4 : 1e-8) << method;
    }
}

TEST(StoragesInSeries, TwoMachinesAndAPulsatingSourceShareOneCurrent) {
  // the current is that of the source: every inductance shows its derivative, whichever is named first
  const std::string text = R"(
components:
  I: {type: electrical.CurrentSource, p: gnd, n: a, i: 3 A*sin(40 1/s*time)}
  M1: {type: converters.DcMachine, p: a, n: b, shaft: s1, k: 0.3, R: 1, L: 20 mH}
  L2: {type: electrical.Inductor, p: b, n: c, L: 5 mH}
  M3: {type: converters.DcMachine, p: c, n: gnd, shaft: s3, k: 0.1, L: 70 mH}
  J1: {type: mechanical.Inertia, shaft: s1, J: 0.02}
  J3: {type: mechanical.Inertia, shaft: s3, J: 0.04}
energy: true
)";
  for (const std::string& method : methods) {
    const double t = 0.13, i = 3 * std::sin(40 * t), rate = 120 * std::cos(40 * t),
                 turned = 3 / 40.0 * (1 - std::cos(40 * t));
    const auto r = run_by(method, text, t, t / 2000);
    const double error = method == "generalized-alpha" ? 2e-5 : 1e-8;
    EXPECT_NEAR(value_at(r, "M1.i", t), i, 1e-9) << method;
    EXPECT_NEAR(value_at(r, "M1.w", t), 0.3 * turned / 0.02, 100 * error) << method;
    EXPECT_NEAR(value_at(r, "M1.v", t), i + 0.02 * rate + 0.3 * 0.3 * turned / 0.02, 100 * error) << method;
    EXPECT_NEAR(value_at(r, "L2.v", t), 0.005 * rate, 1e-9) << method;
    EXPECT_NEAR(value_at(r, "M3.v", t), 0.07 * rate + 0.1 * 0.1 * turned / 0.04, 100 * error) << method;
    EXPECT_LT(account_error(r), method == "generalized-alpha" ? 1e-4 : 1e-7) << method;
  }
}

TEST(StoragesInSeries, AMachineAddsToCoilsThatShareAllTheirFlux) {
  // the machine behind the secondary of a transformer without leakage, seen from the primary through n = 1/2
  const std::string text = R"(
components:
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 10 V*cos(100 1/s*time)}
  R: {type: electrical.Resistor, p: a, n: b, R: 4}
  L1: {type: electrical.Inductor, p: b, n: gnd, L: 80 mH}
  L2: {type: electrical.Inductor, p: c, n: gnd, L: 20 mH}
  K: {type: electrical.Coupling, a: L1, b: L2, k: 1}
  M: {type: converters.DcMachine, p: c, n: gnd, shaft: s, k: 0.1, R: 0.5, L: 6 mH}
  J: {type: mechanical.Inertia, shaft: s, J: 1e9}
energy: true
)";
  const std::string equal = R"(
components:
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 10 V*cos(100 1/s*time)}
  R: {type: electrical.Resistor, p: a, n: b, R: 4}
  Lm: {type: electrical.Inductor, p: b, n: gnd, L: 80 mH}
  Ls: {type: electrical.Inductor, p: b, n: d, L: 24 mH}
  Rs: {type: electrical.Resistor, p: d, n: gnd, R: 2}
)";
  for (const std::string method : {"radau", "esdirk", "dopri"}) {
    const auto r = run_by(method, text, 0.05, 1e-5), e = run_by(method, equal, 0.05, 1e-5);
    EXPECT_NEAR(value_at(r, "M.i", 0.05), 2 * value_at(e, "Ls.i", 0.05), 1e-7) << method;
    EXPECT_NEAR(value_at(r, "b.v", 0.05), value_at(e, "b.v", 0.05), 1e-6) << method;
    EXPECT_LT(account_error(r), 1e-7) << method;
  }
}

TEST(StoragesInSeries, AJunctionAddsToACapacitorAndASource) {
  // reverse-biased and so quick that hardly a charge leaks: C(v) = Cj0 (1 − v/Vj)^−M
  const std::string text = R"(
components:
  I: {type: electrical.CurrentSource, p: gnd, n: a, i: 2 mA}
  C: {type: electrical.Capacitor, p: a, n: gnd, C: 30 pF}
  D: {type: electrical.Diode, p: gnd, n: a, Is: 1e-30 A, Cj0: 50 pF, Vj: 0.8 V, M: 0.5}
energy: true
)";
  for (const std::string& method : methods) {
    if (method == "rk4") continue;
    const auto r = run_by(method, text, 1e-6, 1e-9);
    const double v = r.signal("a.v").back();
    const double charge = 30e-12 * v + 50e-12 * 2 * 0.8 * (std::sqrt(1 + v / 0.8) - 1);
    // the leak of 1e-12 S over 1 us takes 3e-17 C; fixed steps see the kink of the law at the start
    EXPECT_NEAR(charge, 2e-9, method == "generalized-alpha" ? 1e-13 : 1e-16) << method;
  }
}

TEST(StoragesInSeries, ATankHoldsTheChamberOfACylinder) {
  // single-acting: b is open to the tank, a is fed; the piston moves with the oil
  const std::string text = R"(
components:
  pump: {type: hydraulic.FlowSource, a: A, q: 6e-5 m3/s}
  tank: {type: hydraulic.Tank, a: T, p: 2 bar}
  cyl: {type: hydraulic.Cylinder, a: A, b: T, rod: m, A_a: 8e-4, A_b: 5e-4, stroke: 1 m, d: 900 N.s/m, offset: 0.2 m}
  m: {type: mechanical.Mass, m: 20}
energy: true
)";
  for (const std::string method : {"radau", "esdirk", "generalized-alpha"}) {
    const auto r = run_by(method, text, 2, 1e-4);
    // steady by then: v = q/A_a, p_a A_a = d v + p_b A_b, and the tank takes what b gives
    const double v = 6e-5 / 8e-4;
    EXPECT_NEAR(value_at(r, "m.v", 2), v, 1e-6) << method;
    EXPECT_NEAR(value_at(r, "cyl.p_a", 2), (900 * v + 2e5 * 5e-4) / 8e-4, 1) << method;
    EXPECT_NEAR(value_at(r, "tank.q", 2), v * 5e-4, 1e-9) << method;
    EXPECT_LT(account_error(r), method == "generalized-alpha" ? 1e-4 : 1e-7) << method;
  }
}

TEST(StoragesInSeries, AVolumeFollowsAPressureSource) {
  // q = V/β dp/dt, and the orifice of the load
  const std::string text = R"(
components:
  P: {type: hydraulic.PressureSource, a: s, p: 40 bar + 10 bar*sin(30 1/s*time)}
  V: {type: hydraulic.Volume, a: s, V: 2 l, beta: 1.5 GPa}
  W: {type: hydraulic.Volume, a: s, V: 1 l, beta: 1.5 GPa}
energy: true
)";
  for (const std::string& method : methods) {
    const auto r = run_by(method, text, 0.2, 1e-4);
    EXPECT_NEAR(value_at(r, "P.q", 0.2), 3e-3 / 1.5e9 * 10e5 * 30 * std::cos(6), 1e-12) << method;
    EXPECT_NEAR(value_at(r, "V.p", 0.2), 40e5 + 10e5 * std::sin(6), 1e-3) << method;
    // the account is an integral over steps: fixed ones leave (ω·step)²/12 of the amplitude
    EXPECT_LT(account_error(r), method == "generalized-alpha" ? 1e-4 : 1e-6) << method;
  }
}

TEST(StoragesInSeries, AStartAgainstASourceIsRefused) {
  const std::string text = R"(
components:
  P: {type: hydraulic.PressureSource, a: s, p: 40 bar}
  V: {type: hydraulic.Volume, a: s, V: 2 l, p0: 10 bar}
)";
  try {
    run_text(text, 1);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(std::string(e.what()),
              "V.p0 = 1e+06 Pa contradicts s.p = P.p, which is 4e+06 Pa at the start; leave it out, or choose start "
              "values that fit");
  }
}

TEST(StoragesInSeries, AStartThatCannotMatterIsNoted) {
  const auto notes = compile(R"(
components:
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 1 V}
  M: {type: converters.DcMachine, p: a, n: gnd, shaft: J, k: 0.1, R: 1, i0: 2 A}
  J: {type: mechanical.Inertia, J: 1}
)")
                         .summary.notes;
  EXPECT_EQ(notes, std::vector<std::string>{"M.i0 is a guess only: without a storage M.i is no state"});
}

}  // namespace
}  // namespace coenergy::tests
