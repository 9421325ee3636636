// Pumps, motors, valves with moving parts and lines against closed forms.
#include <cmath>
#include <numbers>

#include "tests/inline_model.hpp"

namespace coenergy::tests {
namespace {

/// stored − stored(0) − supplied + dissipated, the largest, relative to the largest of them.
double find_gap(const solve::Result& r) {
  const auto stored = r.signal("energy.stored"), supplied = r.signal("energy.supplied"),
             lost = r.signal("energy.dissipated");
  double gap = 0, size = 0;
  for (std::size_t k = 0; k < stored.size(); ++k) {
    gap = std::max(gap, std::abs(stored[k] - stored[0] - supplied[k] + lost[k]));
    size = std::max({size, std::abs(supplied[k]), std::abs(lost[k]), std::abs(stored[k] - stored[0])});
  }
  return gap / size;
}

solve::Result run_with_account(const std::string& text, double t_end, double output_step = 0.01) {
  model::Model model = io::parse_model(text, "m.yaml");
  model.energy = true;
  solve::Options options;
  options.t_end = t_end, options.output_step = output_step;
  options.method = "radau";
  options.rtol = 1e-11, options.atol = 1e-13;
  return run_model(model, options);
}

TEST(Pumps, AHydrostaticDriveHasItsRatioAndItsLosses) {
  // a pump turned at 100 rad/s feeds a motor of twice the displacement, which turns a brake: D_p ω_p − L p = D_m ω_m
  const auto r = run_with_account(R"yaml(
components:
  drive: {type: mechanical.RotationalMotion, flange: in, phi: 100 rad/s*time}
  pump: {type: hydraulic.PumpMotor, a: low, b: high, shaft: in, D: 5 cm3/rad, leakage: 2e-12}
  motor: {type: hydraulic.PumpMotor, a: high, b: low, shaft: out, D: 10 cm3/rad, leakage: 1e-12, d: 0.02}
  load: {type: mechanical.Inertia, shaft: out, J: 0.02 kg.m2}
  brake: {type: mechanical.RotationalDamper, a: out, b: ground, d: 0.5}
  line: {type: hydraulic.Volume, a: high, V: 0.2 l}
  tank: {type: hydraulic.Tank, a: low, p: 2 bar}
)yaml",
                                  3, 0.5);
  // steady: D_m (p − p_t) = (d + b) ω_m with the pressure of a motor p_a − p_b = p − p_t
  const double w = 100 * 5e-6 / (10e-6 + 3e-12 * 0.52 / 10e-6), p = 0.52 * w / 10e-6;
  EXPECT_NEAR(value_at(r, "load.w", 3), w, 1e-8 * w);
  EXPECT_NEAR(value_at(r, "line.p", 3) - 2e5, p, 1e-8 * p);
  EXPECT_NEAR(value_at(r, "pump.tau", 3), 5e-6 * p, 1e-8 * 5e-6 * p);
  EXPECT_LE(find_gap(r), 1e-9);
}

TEST(Pumps, AStrokeReversesThem) {
  const auto r = run_text(R"yaml(
components:
  drive: {type: mechanical.RotationalMotion, flange: in, phi: 100 rad/s*time}
  pump: {type: hydraulic.PumpMotor, a: low, b: high, shaft: in, D: 5 cm3/rad, stroke: "1 - 2*time/(1 s)"}
  one: {type: hydraulic.Tank, a: low, p: 2 bar}
  other: {type: hydraulic.Tank, a: high, p: 1 bar}
)yaml",
                          2, 0.25);
  EXPECT_NEAR(value_at(r, "pump.q", 0), 5e-4, 1e-12);
  EXPECT_NEAR(value_at(r, "pump.q", 0.25), 2.5e-4, 1e-12);
  // no more than the whole displacement
  EXPECT_NEAR(value_at(r, "pump.q", 2), -5e-4, 1e-12);
}

TEST(Valves, IdealCheckValvesRectify) {
  // an alternating flow of 0.1 l/s through a bridge of four: the load gets its amount
  const auto r = run_with_account(R"yaml(
components:
  s: {type: hydraulic.FlowSource, a: a, b: b, q: 0.1 l/s*sin(10*time/(1 s))}
  v1: {type: hydraulic.IdealCheckValve, a: a, b: high}
  v2: {type: hydraulic.IdealCheckValve, a: b, b: high}
  v3: {type: hydraulic.IdealCheckValve, a: low, b: a}
  v4: {type: hydraulic.IdealCheckValve, a: low, b: b}
  o: {type: hydraulic.Orifice, a: high, b: low, area: 4 mm2}
  tank: {type: hydraulic.Tank, a: low, p: 1 bar}
)yaml",
                                  1, 0.05);
  for (const double t : {0.1, 0.2, 0.4, 0.7, 0.85})
    EXPECT_NEAR(value_at(r, "o.q", t), 1e-4 * std::abs(std::sin(10 * t)), 1e-10) << t;
  EXPECT_LE(find_gap(r), 1e-9);
}

TEST(Valves, AnIdealReliefValveHoldsItsPressure) {
  // 0.1 l/s against a closed end of 1 l: the valve opens when β q t/V is reached
  const auto r = run_with_account(R"yaml(
components:
  q: {type: hydraulic.FlowSource, a: a, q: 0.1 l/s}
  v: {type: hydraulic.Volume, a: a, V: 1 l, beta: 1 GPa}
  r: {type: hydraulic.IdealReliefValve, a: a, p_set: 50 bar, b: low, R: 1 Pa.s/m3, leakage: 0}
  t: {type: hydraulic.Tank, a: low}
)yaml",
                                  0.1, 0.01);
  EXPECT_NEAR(value_at(r, "v.p", 0.04), 40e5, 1e-3);
  EXPECT_NEAR(value_at(r, "v.p", 0.1), 50e5, 1e-2);
  EXPECT_NEAR(value_at(r, "r.q", 0.1), 1e-4, 1e-12);
  EXPECT_LE(find_gap(r), 1e-9);
}

TEST(Valves, AFlowControlValveMovesACylinderEvenly) {
  // whatever the load, from the drop on that its orifice needs: v = q/A
  const auto r = run_with_account(R"yaml(
components:
  p: {type: hydraulic.PressureSource, a: in, p: 100 bar}
  f: {type: hydraulic.FlowControlValve, a: in, b: a, q_set: 0.05 l/s, area: 2 mm2}
  v: {type: hydraulic.Volume, a: a, V: 10 cm3}
  c: {type: hydraulic.IdealCylinder, a: a, rod: s, A_a: 5 cm2}
  m: {type: mechanical.Mass, flange: s, m: 20 kg}
  d: {type: mechanical.TranslationalDamper, a: s, b: ground, d: 8000 N.s/m}
  w: {type: mechanical.Force, flange: s, f: "-500 N - 1500 N*(time > 0.5 s ? 1 : 0)"}
)yaml",
                                  1, 0.25);
  EXPECT_NEAR(value_at(r, "m.v", 0.5), 0.1, 1e-7);
  EXPECT_NEAR(value_at(r, "m.v", 1), 0.1, 1e-7);
  EXPECT_EQ(value_at(r, "f.regulates", 1), 1);
  EXPECT_LE(find_gap(r), 1e-9);
}

TEST(Valves, APoppetFloatsWhereItsForcesBalance) {
  // a relief valve of its parts: pressure, jet, spring and flow at rest
  const auto r = run_with_account(R"yaml(
components:
  q: {type: hydraulic.FlowSource, a: a, q: 0.4 l/s}
  v: {type: hydraulic.Volume, a: a, V: 0.1 l, p0: 90 bar}
  o: {type: hydraulic.Poppet, a: a, b: low, poppet: x, seat: 8 mm}
  m: {type: mechanical.Mass, flange: x, m: 0.05 kg}
  s: {type: mechanical.TranslationalSpringDamper, a: ground, b: x, k: 50 N/mm, d: 3000 N.s/m, rest: -9 mm}
  l: {type: mechanical.TranslationalStop, a: ground, b: x, lower: 0 mm, stop_stiffness: 1e7}
  t: {type: hydraulic.Tank, a: low}
)yaml",
                                  1, 0.1);
  const double x = value_at(r, "o.x", 1), p = value_at(r, "v.p", 1);
  const double a = std::numbers::pi * 8e-3 * x * std::sqrt(0.5) * (1 - x / 16e-3), seat = std::numbers::pi * 16e-6;
  EXPECT_GT(x, 1e-4);
  EXPECT_NEAR(0.7 * a * std::sqrt(2 * p / 870), 4e-4, 1e-10);
  EXPECT_NEAR(seat * p - 1.4 * a * std::sqrt(0.5) * p, 50e3 * (x + 9e-3), 1e-4);
  EXPECT_LE(find_gap(r), 1e-9);
}

TEST(Valves, ASpoolIsCentredByItsJets) {
  // the jets act as a spring 4 C_d w cos θ Δp: ω² = k/m
  const auto r = run_with_account(R"yaml(
components:
  P: {type: hydraulic.PressureSource, a: p, p: 101 bar}
  A: {type: hydraulic.Tank, a: a, p: 51 bar}
  T: {type: hydraulic.Tank, a: t, p: 1 bar}
  v: {type: hydraulic.Spool, p: p, t: t, a: a, b: a, spool: x, width: 20 mm}
  m: {type: mechanical.Mass, flange: x, m: 0.1 kg, s0: 0.1 mm}
)yaml",
                                  0.05, 0.01);
  const double k = 2 * 2 * 0.7 * 0.02 * std::cos(69 * std::numbers::pi / 180) * 50e5, w = std::sqrt(k / 0.1);
  for (const double t : {0.01, 0.03, 0.05}) EXPECT_NEAR(value_at(r, "m.s", t), 1e-4 * std::cos(w * t), 1e-10) << t;
  EXPECT_LE(find_gap(r), 1e-9);
}

TEST(Lines, AValveThatClosesAtOnceMakesWaterHammer) {
  // Joukowsky: ±ρ c Δv at the valve, a square wave of period 4 T; the flow at the source between ± the first one
  const auto r = run_with_account(R"yaml(
components:
  P: {type: hydraulic.PressureSource, a: a, p: 40 bar}
  l: {type: hydraulic.Line, a: a, b: b, length: 20 m, area: 1 cm2, p0: 40 bar, q0: 0.05 l/s}
  q: {type: hydraulic.FlowSource, a: b, q: "time < 5 ms ? -0.05 l/s : 0 l/s"}
)yaml",
                                  0.1, 0.001);
  const double c = std::sqrt(1.4e9 / 870), T = 20 / c, rise = 870 * c * 0.05e-3 / 1e-4;
  for (const double t : {0.003, 0.007, 0.03, 0.041, 0.06, 0.075, 0.099}) {
    const int round = t < 0.005 ? -1 : static_cast<int>((t - 0.005) / (2 * T));
    const double p = round < 0 ? 0 : round % 2 == 0 ? rise : -rise;
    EXPECT_NEAR(value_at(r, "b.p", t), 40e5 + p, 1e-6 * rise) << t;
    const int back = t < 0.005 + T ? -1 : static_cast<int>((t - 0.005 - T) / (2 * T));
    EXPECT_NEAR(value_at(r, "l.q_a", t), back % 2 == 0 ? -5e-5 : 5e-5, 1e-11) << t;
  }
  EXPECT_LE(find_gap(r), 1e-9);
}

TEST(Lines, AShortLineIsAnInertanceAndACapacity) {
  // a frequency far below c/l: to (ω l/c)² the same as a mass of oil, without its delay
  const auto run = [](const std::string& line) {
    return run_text(
        "components:\n  P: {type: hydraulic.PressureSource, a: a, p: 10 bar + 5 bar*sin(20*time/(1 s))}\n  l: {" +
            line +
            ", a: a, b: b, length: 2 m, area: 1 cm2, viscosity: 0.05, q0: 0.1 l/s}\n"
            "  o: {type: hydraulic.Orifice, a: b, b: low, area: 5 mm2}\n  t: {type: hydraulic.Tank, a: low}\n",
        0.5, 0.1);
  };
  const auto line = run("type: hydraulic.Line, p0: 4 bar"), mass = run("type: hydraulic.Inertance");
  for (const double t : {0.2, 0.3, 0.5})
    EXPECT_NEAR(value_at(line, "l.q_a", t), value_at(mass, "l.q", t), 0.01 * 2e-4) << t;
}

TEST(Lines, FrictionIsLaminar) {
  // at rest with time: Δp = 128 μ l q/(π d⁴)
  const double d = 1e-2, area = std::numbers::pi / 4 * d * d;
  const double fall = 128 * 0.4 * 5 * 1e-4 / (std::numbers::pi * std::pow(d, 4));
  for (const char* type : {"hydraulic.Line", "hydraulic.Inertance"}) {
    const auto r = run_with_account(
        "components:\n  q: {type: hydraulic.FlowSource, a: a, q: 0.1 l/s}\n  l: {type: " + std::string(type) +
            ", a: a, b: b, length: 5 m, area: " + std::to_string(area * 1e6) +
            " mm2, viscosity: 0.4}\n  v: {type: hydraulic.Volume, a: a, V: 10 cm3}\n"
            "  t: {type: hydraulic.Tank, a: b, p: 3 bar}\n",
        4, 1);
    EXPECT_NEAR(value_at(r, "a.p", 4) - 3e5, fall, 1e-6 * fall) << type;
    EXPECT_LE(find_gap(r), 1e-9) << type;
  }
}

TEST(Cylinders, AnIdealCylinderIsALever) {
  // two of them on one volume of oil: the forces are as the areas, the ways the other way round
  const auto r = run_with_account(R"yaml(
components:
  c: {type: hydraulic.IdealCylinder, a: a, rod: x, A_a: 2 cm2}
  k: {type: hydraulic.IdealCylinder, a: a, rod: y, A_a: 8 cm2}
  v: {type: hydraulic.Volume, a: a, V: 1 cm3}
  m: {type: mechanical.Mass, flange: x, m: 3 kg}
  n: {type: mechanical.Mass, flange: y, m: 16 kg}
  f: {type: mechanical.Force, flange: x, f: -20 N}
)yaml",
                                  0.05, 0.01);
  // (3 kg + 16 kg/4²) a = −20 N, but for the spring of the oil, β A²/V = 56 N/µm, which gives way by 0.4 µm
  EXPECT_NEAR(value_at(r, "m.s", 0.05), -20.0 / (3 + 1) * 0.05 * 0.05 / 2, 1e-6);
  EXPECT_NEAR(value_at(r, "n.s", 0.05), 20.0 / (3 + 1) * 0.05 * 0.05 / 2 / 4, 1e-6);
  EXPECT_LE(find_gap(r), 1e-9);
}

TEST(HydraulicComponents, WhatHasNoEffectIsRefused) {
  EXPECT_NE(
      error_of("components:\n  s: {type: hydraulic.Spool, p: p, t: t, a: a, b: b, spool: x, width: 1 mm, pilot_area: 1 "
               "mm2}\n  T: {type: hydraulic.Tank, a: t}\n")
          .find("pilot_area has no effect without a pilot port"),
      std::string::npos);
  EXPECT_NE(
      error_of("components:\n  c: {type: hydraulic.IdealCylinder, a: a, rod: x, A_a: 1 cm2, A_b: 1 cm2}\n  T: {type: "
               "hydraulic.Tank, a: a}\n")
          .find("chamber b is not connected"),
      std::string::npos);
}

TEST(IdealMachines, FollowAFlowThatIsGiven) {
  // q = 1 + 0.5 sin 3t l/s through a motor, and from it into two cylinders that share it on a lever-like common mass:
  // D w = q, (A + B) v = q; pressures are what inertias and the load need
  const std::string text = R"yaml(
energy: true
components:
  Q: {type: hydraulic.FlowSource, a: a, q: "1 l/s + 0.5 l/s*sin(3 1/s*time)"}
  M: {type: hydraulic.PumpMotor, a: a, b: b, shaft: S, D: 20 cm3/rad}
  S: {type: mechanical.Inertia, J: 0.01 kg.m2}
  C: {type: hydraulic.IdealCylinder, a: b, b: t, rod: m, A_a: 10 cm2, A_b: 10 cm2}
  E: {type: hydraulic.IdealCylinder, a: b, b: t, rod: m, A_a: 30 cm2, A_b: 30 cm2}
  T: {type: hydraulic.Tank, a: t, p: 2 bar}
  m: {type: mechanical.Mass, m: 50 kg}
  L: {type: mechanical.Force, flange: m, f: -400 N}
)yaml";
  for (const char* method : {"radau", "esdirk", "generalized-alpha", "dopri", "ida"}) {
    SCOPED_TRACE(method);
    solve::Options options{.t_end = 1, .output_step = 0.25, .rtol = 1e-9, .atol = 1e-11};
    options.method = method;
    const auto r = run_model(io::parse_model(text, "m.yaml"), options);
    for (const double t : {0.25, 1.0}) {
      const double q = 1e-3 + 0.5e-3 * std::sin(3 * t), rate = 1.5e-3 * std::cos(3 * t), A = 4e-3, D = 20e-6;
      const double p_b = 2e5 + (50 * rate / A + 400) / A, p_a = p_b + 0.01 * rate / D / D;
      EXPECT_NEAR(value_at(r, "S.w", t), q / D, 1e-6 * 50);
      EXPECT_NEAR(value_at(r, "m.v", t), q / A, 1e-8);
      EXPECT_NEAR(value_at(r, "b.p", t), p_b, 1e-6 * p_b);
      EXPECT_NEAR(value_at(r, "a.p", t), p_a, 1e-6 * std::abs(p_a) + 1);
    }
    EXPECT_NEAR(value_at(r, "energy.supplied", 1) - value_at(r, "energy.dissipated", 1) -
                    (value_at(r, "energy.stored", 1) - value_at(r, "energy.stored", 0)),
                0, 1e-4);  // of 1 kJ
  }
}

}  // namespace
}  // namespace coenergy::tests
