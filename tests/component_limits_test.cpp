// What physics does not allow is refused: values that leave their bounds, entries that contradict each other, starts
// outside of limits, couplings stronger than perfect.
#include <cmath>

#include "tests/inline_model.hpp"

namespace coenergy::tests {
namespace {

solve::Result run_to_the_end(const std::string& text, double t_end = 2) {
  return solve::simulate(compile_model(io::parse_model(text, "m.yaml")),
                         {.t_end = t_end, .method = "radau", .output_step = 0.1, .rtol = 1e-8, .atol = 1e-10});
}

/// How a run ends that must not go on.
std::string end_of(const std::string& text) {
  const solve::Result r = run_to_the_end(text);
  EXPECT_EQ(r.status, solve::Status::failed);
  return r.text;
}

TEST(Limits, ADamperThatBecomesNegativeEndsTheRunByName) {
  EXPECT_EQ(end_of(R"yaml(
components:
  m: {type: mechanical.Mass, m: 2 kg, v0: 1 m/s}
  d: {type: mechanical.TranslationalDamper, a: ground, b: m, d: "3 N.s/m - 2 N/m*time"}
)yaml"),
            "event at t = 1.5 s: d.d = 3 N.s/m - 2 N/m*time must be >= 0 at any time");
}

TEST(Limits, ARunThatDiesWhereAValueReachesItsBoundTellsWhich) {
  const std::string text = end_of(R"yaml(
components:
  i: {type: electrical.CurrentSource, p: gnd, n: a, i: 1 A}
  r: {type: electrical.Resistor, p: a, n: gnd, R: "4 ohm - 5 ohm/s*time"}
)yaml");
  EXPECT_NE(text.find("at t = 0.8 s"), std::string::npos) << text;
  EXPECT_NE(text.find("r.R = 4 ohm - 5 ohm/s*time must be > 0 at any time"), std::string::npos) << text;
}

TEST(Limits, AValueOutsideAtTheStartIsRefusedWithItsPlace) {
  const std::string model = R"yaml(
components:
  m: {type: mechanical.Mass, m: 2 kg, v0: 1 m/s}
  f: {type: mechanical.TranslationalFriction, a: ground, b: m, coulomb: "1 N*(time - 1 s)/(1 s)"}
)yaml";
  try {
    run_to_the_end(model);
    ADD_FAILURE() << "not refused";
  } catch (const Error& e) {
    EXPECT_EQ(std::string(e.what()),
              "m.yaml:4:74: f.coulomb = 1 N*(time - 1 s)/(1 s) must be >= 0 at any time (at the "
              "start, t = 0 s)");
  }
}

TEST(Limits, AValveIsNotMoreThanClosed) {
  const auto r = run_text(R"yaml(
components:
  p: {type: hydraulic.PressureSource, a: a, p: 20 bar}
  t: {type: hydraulic.Tank, a: b}
  o: {type: hydraulic.Orifice, a: a, b: b, area: 2 mm2, opening: "0.4*cos(2 1/s*time)"}
)yaml",
                          1);
  EXPECT_EQ(value_at(r, "o.q", 0.9), 0);
  EXPECT_NEAR(value_at(r, "o.q", 0.5), 0.4 * std::cos(1.0) * value_at(r, "o.q", 0) / 0.4, 1e-15);
}

TEST(Limits, ABreakAwayLevelBelowTheCoulombLevelIsRefused) {
  const std::string model = R"yaml(
components:
  m: {type: mechanical.Mass, m: 1 kg}
  F: {type: mechanical.Force, flange: m, f: 3 N}
  r: {type: mechanical.TranslationalFriction, a: ground, b: m, coulomb: 2 N, breakaway: 1.5 N, law: stick}
)yaml";
  try {
    run_to_the_end(model);
    ADD_FAILURE() << "not refused";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("r: the break-away force is below the Coulomb level"), std::string::npos)
        << e.what();
  }
}

TEST(Limits, ViscousFrictionOfAJointNeedsNoCoulombLevel) {
  const auto r = run_text(R"yaml(
components:
  j: {type: multibody.Revolute, parent: ground, child: b, axis: z, qd0: 3 rad/s, friction: {d: 1.5 N.m.s/rad}}
  b: {type: multibody.Body, mass: 1 kg, inertia: [1, 1, 2]}
)yaml",
                          1);
  EXPECT_NEAR(value_at(r, "j.qd", 1), 3 * std::exp(-0.75), 1e-7);
}

TEST(Limits, EntriesWithoutEffectAreRefused) {
  const auto mass = [](const std::string& other) {
    return error_of("components: {m: {type: mechanical.Mass, m: 1 kg}, " + other + "}");
  };
  EXPECT_EQ(mass("f: {type: mechanical.TranslationalFriction, a: ground, b: m, coulomb: 1 N, sigma0: 3 N/m}"),
            "m.yaml:1:134: f.sigma0 has no effect with law: tanh, only with law: lugre; leave it out, or change law");
  EXPECT_EQ(mass("s: {type: mechanical.TranslationalStop, a: ground, b: m, upper: 1 m, stop_restitution: 0.5, "
                 "stop_damping: 2 s/m}"),
            "m.yaml:1:157: s.stop_damping has no effect without stop_stiffness; leave it out, or give stop_stiffness");
  EXPECT_EQ(
      error_of("components: {c: {type: blocks.Pid, reference: 1, measure: 0, kp: 2, kd: 1, rate: 0, filter: 1 ms}}"),
      "m.yaml:1:93: c.filter has no effect beside rate; leave one of them out");
}

TEST(Limits, BeamDataThatContradictEachOtherAreRefused) {
  const std::string text = error_of(R"yaml(
components:
  c: {type: multibody.Fixed, parent: ground, child: b}
  b: {type: flexible.BeamBody, length: 2 m, section: {circle: 25 mm}, EI: 7 N.m2}
  d: {type: multibody.Fixed, parent: ground, child: e}
  e: {type: flexible.BeamBody, length: 2 m, EA: 3 kN, GA: 2 kN, GJ: 1 N.m2, EI: 1 N.m2, mass_per_length: 1 kg/m,
      inertia_per_length: 1 g.m, rho: 2000 kg/m3}
)yaml");
  EXPECT_NE(text.find("b.EI has no effect without EA"), std::string::npos) << text;
  EXPECT_NE(text.find("e.rho has no effect without section.rectangle or section.circle or section.tube"),
            std::string::npos)
      << text;
}

TEST(Limits, AnIntegratorStartsWithinItsLimits) {
  EXPECT_EQ(error_of("components: {i: {type: blocks.Integrator, u: 1, y0: 3, lower: -2, upper: 2}}"),
            "m.yaml:1:14: i: y0 = 3 lies outside of its limits; start within lower and upper");
  EXPECT_EQ(error_of("components: {i: {type: blocks.Integrator, u: 1, lower: 2, upper: 1}}"),
            "m.yaml:1:14: i: lower = 2 is greater than upper = 1");
}

TEST(Limits, AMutualCapacitanceIsNoLargerThanPerfect) {
  const auto model = [](const std::string& C) {
    return R"yaml(
components:
  C1: {type: electrical.Capacitor, p: a, n: gnd, C: 2 mF, v0: 1 V}
  C2: {type: electrical.Capacitor, p: b, n: gnd, C: 8 mF}
  R1: {type: electrical.Resistor, p: a, n: gnd, R: 1 ohm}
  R2: {type: electrical.Resistor, p: b, n: gnd, R: 1 ohm}
  M:  {type: electrical.MutualCapacitance, a: C1, b: C2, C: )yaml" +
           C + "}\n";
  };
  EXPECT_EQ(run_to_the_end(model("3.9 mF"), 0.1).status, solve::Status::done);
  EXPECT_THROW(run_to_the_end(model("4.1 mF"), 0.1), Error);
  const solve::Result r = run_to_the_end(model("-8 mF/s*time"), 1);
  EXPECT_EQ(r.status, solve::Status::failed);
  EXPECT_NE(r.text.find("at t = 0.5 s: M: its size exceeds the root of the capacitances of C1 and C2"),
            std::string::npos)
      << r.text;
}

TEST(Limits, AVaryingMutualInductanceIsNoLargerThanPerfect) {
  const std::string text = end_of(R"yaml(
components:
  L1: {type: electrical.Inductor, p: a, n: gnd, L: 2 H, i0: 1 A}
  L2: {type: electrical.Inductor, p: b, n: gnd, L: 8 H}
  R1: {type: electrical.Resistor, p: a, n: gnd, R: 1 ohm}
  R2: {type: electrical.Resistor, p: b, n: gnd, R: 1 ohm}
  K:  {type: electrical.Coupling, a: L1, b: L2, M: 5 H/s*time}
)yaml");
  EXPECT_NE(text.find("K: M exceeds the root of the inductances of L1 and L2"), std::string::npos) << text;
  EXPECT_NE(text.find("at t = 0.8 s"), std::string::npos) << text;
}

TEST(Limits, ATyreHasOneSlipSoThatItsForceStaysWithinFriction) {
  const auto r = run_text(R"yaml(
components:
  g:  {type: multibody.Gravity}
  j:  {type: multibody.Prismatic, parent: ground, child: c, axis: x, qd0: 2 m/s}
  c:  {type: multibody.Body, mass: 1 g, inertia: [1, 1, 1]}
  j2: {type: multibody.Prismatic, parent: c, child: e, axis: y, qd0: 5 m/s}
  e:  {type: multibody.Body, mass: 1 g, inertia: [1, 1, 1]}
  j3: {type: multibody.Prismatic, parent: e, child: w, axis: z, q0: 0.39 m}
  w:  {type: multibody.Body, mass: 30 kg, inertia: [1, 1, 1]}
  t:  {type: multibody.Tyre, body: w, radius: 0.4 m, stiffness: 29.43 kN/m, mu: 0.7}
)yaml",
                          0.1);
  // a locked wheel slides along its velocity
  const double fx = value_at(r, "t.fx", 0), fy = value_at(r, "t.fy", 0), N = value_at(r, "t.fz", 0);
  EXPECT_NEAR(N, 294.3, 1e-9);
  EXPECT_NEAR(fy / fx, 5.0 / 2, 1e-12);
  EXPECT_LE(std::hypot(fx, fy), 0.7 * N);
  // slip √29/5, the reference being the forward velocity's size or that of the wheel: tanh of more than 20 is 1
  EXPECT_NEAR(std::hypot(fx, fy), 0.7 * N, 1e-9);
}

TEST(Limits, AControllerThatMeasuresItsReferenceRests) {
  const auto r = run_text(R"yaml(
components:
  m: {type: mechanical.Mass, m: 3 kg, s0: 2 m}
  F: {type: mechanical.Force, flange: m, f: c.y*1 N}
  c: {type: blocks.Pid, reference: 2 m, measure: m.s, kp: 7, kd: 4}
)yaml",
                          0.5);
  EXPECT_EQ(value_at(r, "c.y", 0), 0);
  EXPECT_EQ(value_at(r, "m.s", 0.5), 2);
}

TEST(Limits, ALawWithARootAtZeroRuns) {
  const auto r = run_text(R"yaml(
components:
  V: {type: electrical.VoltageSource, p: a, n: gnd, v: "3 V*sin(4 1/s*time)"}
  N: {type: electrical.NonlinearResistor, p: a, n: gnd, i: "N.v >= 0 V ? 2 A*sqrt(max(N.v/(1 V), 0)) : -2 A*sqrt(max(-N.v/(1 V), 0))"}
)yaml",
                          1.2);
  EXPECT_EQ(value_at(r, "N.i", 0), 0);
  EXPECT_NEAR(value_at(r, "V.i", 0.5), -2 * std::sqrt(3 * std::sin(2.0)), 1e-9);
  EXPECT_NEAR(value_at(r, "N.i", 1.1), -2 * std::sqrt(-3 * std::sin(4.4)), 1e-9);
}

TEST(Limits, ARootInABranchThatKeepsItRealRuns) {
  // steps that look for the end of a branch look beyond it, where its root has no value
  const auto r = run_text(R"yaml(
components:
  V: {type: electrical.VoltageSource, p: a, n: gnd, v: "3 V*sin(4 1/s*time)"}
  N: {type: electrical.NonlinearResistor, p: a, n: gnd, i: "N.v > 0 V ? 2 A*sqrt(N.v/(5 V)) : -2 A*sqrt(-N.v/(5 V))"}
)yaml",
                          1.2);
  EXPECT_EQ(value_at(r, "N.i", 0), 0);
  EXPECT_NEAR(value_at(r, "V.i", 0.5), -2 * std::sqrt(0.6 * std::sin(2.0)), 1e-9);
  EXPECT_NEAR(value_at(r, "N.i", 1.1), -2 * std::sqrt(-0.6 * std::sin(4.4)), 1e-9);
  // a condition that does not keep it real keeps nothing
  const solve::Result wrong = solve::simulate(compile_model(io::parse_model(R"yaml(
components:
  V: {type: electrical.VoltageSource, p: a, n: gnd, v: "3 V*sin(4 1/s*time)"}
  N: {type: electrical.NonlinearResistor, p: a, n: gnd, i: "N.v > -1 V ? 2 A*sqrt(N.v/(5 V)) : 0 A"}
)yaml",
                                                                            "m.yaml")),
                                              {.t_end = 1.2});
  EXPECT_EQ(wrong.status, solve::Status::failed);
  EXPECT_NE(wrong.text.find("N.i"), std::string::npos) << wrong.text;
}

TEST(Limits, TheTorqueOfAMachineIsThatOnItsShaft) {
  // free rotor and load: the shaft turns J only
  const auto r = run_text(R"yaml(
components:
  V: {type: electrical.VoltageSource, p: a, n: gnd, v: 10 V}
  M: {type: converters.DcMachine, p: a, n: gnd, shaft: S, k: 0.2 V.s/rad, gear: 3, R: 2 ohm, J: 5e-3 kg.m2}
  S: {type: mechanical.Inertia, J: 0.4 kg.m2}
)yaml",
                          0.2);
  EXPECT_NEAR(value_at(r, "M.tau", 0.1), 0.4 * value_at(r, "S.a", 0.1), 1e-12);
  EXPECT_NEAR(value_at(r, "S.a", 0), 0.2 * 3 * 5 / (0.4 + 9 * 5e-3), 1e-12);
}

}  // namespace
}  // namespace coenergy::tests
