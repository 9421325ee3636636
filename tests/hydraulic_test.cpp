// Hydraulic components against closed forms.
#include <cmath>

#include "tests/inline_model.hpp"

namespace coenergy::tests {
namespace {

TEST(Hydraulic, AVolumeEmptiesThroughAnOrificeWithAStraightRoot) {
  // V/β ṗ = −K √p: √p falls linearly
  const auto r = run_text(R"(
components:
  vessel:  {type: hydraulic.Volume, V: 2 l, beta: 1 GPa, p0: 100 bar}
  orifice: {type: hydraulic.Orifice, a: vessel, b: out, area: 1 mm2, Cd: 0.6, rho: 900 kg/m3, transition: 10 Pa}
  tank:    {type: hydraulic.Tank, a: out}
)",
                          0.2);
  const double K = 0.6e-6 * std::sqrt(2 / 900.0), root = std::sqrt(100e5) - K * 1e9 / (2 * 2e-3) * 0.2;
  ASSERT_GT(root, 1000);
  // the transition of 10 Pa is felt by (10/p)²/4 only
  EXPECT_NEAR(value_at(r, "vessel.p", 0.2), root * root, 1e-6 * root * root);
  EXPECT_NEAR(value_at(r, "orifice.q", 0.2), K * root, 1e-6 * K * root);
  EXPECT_NEAR(value_at(r, "tank.q", 0.2), K * root, 1e-6 * K * root);
}

TEST(Hydraulic, ANominalFlowGivesTheSameOrificeAsItsArea) {
  const auto r = run_text(R"(
components:
  supply: {type: hydraulic.PressureSource, a: s, p: 30 bar}
  tank:   {type: hydraulic.Tank, a: t, p: 1 bar}
  valve:  {type: hydraulic.Orifice, a: s, b: t, q_nominal: 20 l/min, dp_nominal: 5 bar, opening: 0.25}
)",
                          0.1);
  EXPECT_NEAR(value_at(r, "valve.q", 0.1), 0.25 * 20e-3 / 60 * std::sqrt(29.0 / 5), 1e-9);
  EXPECT_NEAR(value_at(r, "supply.q", 0.1), value_at(r, "valve.q", 0.1), 1e-15);
}

TEST(Hydraulic, AReliefValveLimitsThePressureOfAPump) {
  const auto r = run_text(R"(
components:
  pump:   {type: hydraulic.FlowSource, a: line, q: 30 l/min}
  line_V: {type: hydraulic.Volume, a: line, V: 1 l}
  relief: {type: hydraulic.ReliefValve, a: line, b: t, p_set: 80 bar, range: 5 bar, area: 20 mm2, Cd: 0.7, rho: 870 kg/m3}
  tank:   {type: hydraulic.Tank, a: t}
)",
                          2);
  const double p = value_at(r, "line.p", 2), opening = (p - 80e5) / 5e5;
  EXPECT_NEAR(0.7 * 20e-6 * std::sqrt(2 / 870.0) * opening * std::sqrt(p), 30e-3 / 60, 1e-9);
  EXPECT_NEAR(value_at(r, "relief.opening", 2), opening, 1e-9);
  EXPECT_GT(p, 80e5);
}

TEST(Hydraulic, ACheckValveLetsOilPassOneWayOnly) {
  const auto r = run_text(R"(
components:
  source: {type: hydraulic.PressureSource, a: s, p: 25 bar + 25 bar*sin(10 1/s*time)}
  check:  {type: hydraulic.CheckValve, a: s, b: held, area: 10 mm2}
  held_V: {type: hydraulic.Volume, a: held, V: 0.1 l}
)",
                          0.6);
  // filled while the pressure rises to 50 bar, then locked: the cracking pressure is missing
  const double locked = value_at(r, "held.p", 0.3);
  EXPECT_NEAR(locked, 50e5 - 0.3e5, 0.02e5);
  EXPECT_EQ(value_at(r, "check.q", 0.45), 0);
  EXPECT_NEAR(value_at(r, "held.p", 0.6), locked, 1);
}

TEST(Hydraulic, AnAccumulatorKeepsItsGasLaw) {
  const auto r = run_text(R"(
components:
  pump: {type: hydraulic.FlowSource, a: line, q: 12 l/min}
  gas:  {type: hydraulic.Accumulator, a: line, V: 2 l, precharge: 40 bar, p0: 40 bar, n: 1.3}
)",
                          3);
  const double oil = 12e-3 / 60 * 3, p = (40e5 + 101325) * std::pow(2e-3 / (2e-3 - oil), 1.3) - 101325;
  EXPECT_NEAR(value_at(r, "gas.V_oil", 3), oil, 1e-9);
  EXPECT_NEAR(value_at(r, "gas.p", 3), p, 1e-7 * p);
}

TEST(Hydraulic, ACylinderStopsAtTheEndOfItsStroke) {
  const auto r = run_text(R"(
components:
  supply:   {type: hydraulic.PressureSource, a: s, p: 50 bar}
  tank:     {type: hydraulic.Tank, a: t}
  valve:    {type: hydraulic.ServoValve, p: s, t: t, a: ca, b: cb, u: 1, area: 20 mm2}
  cylinder: {type: hydraulic.Cylinder, a: ca, b: cb, rod: mass, A_a: 10 cm2, A_b: 6 cm2, stroke: 0.2 m, d: 200 N.s/m}
  mass:     {type: mechanical.Mass, m: 20 kg, s0: 0.1 m}
)",
                          2);
  // at rest chamber a has the supply pressure, b the tank's: 5 kN on a stop of 1e8 N/m
  EXPECT_NEAR(value_at(r, "cylinder.x", 2), 0.2 + 5000 / 1e8, 1e-8);
  EXPECT_NEAR(value_at(r, "cylinder.p_a", 2), 50e5, 50);
  EXPECT_NEAR(value_at(r, "mass.v", 2), 0, 1e-7);
}

TEST(Hydraulic, VolumesOnOneNodeAddUp) {
  const auto r = run_text(R"(
components:
  pump: {type: hydraulic.FlowSource, a: line, q: 1 l/min}
  v1:   {type: hydraulic.Volume, a: line, V: 1 l, beta: 1 GPa}
  v2:   {type: hydraulic.Volume, a: line, V: 3 l, beta: 2 GPa}
)",
                          0.5);
  const double p = 1e-3 / 60 * 0.5 / (1e-3 / 1e9 + 3e-3 / 2e9);
  EXPECT_NEAR(value_at(r, "line.p", 0.5), p, 1e-8 * p);
}

TEST(Hydraulic, RefusesAnOrificeWithoutOrWithTwoSizes) {
  EXPECT_EQ(error_of("components: {o: {type: hydraulic.Orifice, a: x, b: y}}"),
            "m.yaml:1:14: o: its size is missing; give area, or q_nominal (with dp_nominal)");
  EXPECT_EQ(error_of("components: {o: {type: hydraulic.Orifice, a: x, b: y, area: 1 mm2, q_nominal: 1 l/min}}"),
            "m.yaml:1:14: o: area and q_nominal both give its size; remove one of them");
  EXPECT_EQ(error_of("components: {v: {type: hydraulic.Volume, V: 1 l}}"),
            "m.yaml:1:14: v: nothing is connected to it");
}

}  // namespace
}  // namespace coenergy::tests
