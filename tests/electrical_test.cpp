// Elementary circuits against closed forms.
#include <cmath>

#include "tests/inline_model.hpp"

namespace coenergy::tests {
namespace {

TEST(Electrical, AShortedCoilKeepsItsFluxWhileItsInductanceChanges) {
  const auto r = run_text(R"(
components:
  L: {type: electrical.Inductor, p: gnd, n: gnd, L: 2 H + 1 H*sin(3 1/s*time), i0: 1.5 A}
)",
                          1);
  EXPECT_NEAR(value_at(r, "L.i", 1), 2 * 1.5 / (2 + std::sin(3.0)), 1e-7);
}

TEST(Electrical, AnOpenCapacitorKeepsItsChargeWhileItsPlatesMove) {
  const auto r = run_text(R"(
components:
  plate:  {type: mechanical.Mass, m: 1e9 kg, s0: 1 mm, v0: 2 mm/s}  # heavy, so that the field does not move it
  guide:  {type: mechanical.Force, flange: plate, f: 0 N}
  C:      {type: electrical.Capacitor, p: a, n: gnd, C: 1 uF*(1 mm/plate.s), v0: 10 V}
  nobody: {type: electrical.Resistor, p: a, n: b, R: 1 ohm}
)",
                          1);
  EXPECT_NEAR(value_at(r, "C.v", 1), 10 * 3, 1e-6);
}

TEST(Electrical, ASaturatedCoilRisesAsItsFluxDemands) {
  // 1 V on φ(i) = L(i) i: the flux grows by 1 Wb/s, whatever the current
  const auto r = run_text(R"(
components:
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 1 V}
  L: {type: electrical.Inductor, p: a, n: gnd, L: 1 H/(1 + (L.i/(2 A))^2)^0.25}
)",
                          0.9);
  const double i = value_at(r, "L.i", 0.9);
  EXPECT_NEAR(i / std::pow(1 + i * i / 4, 0.25), 0.9, 1e-7);
  EXPECT_GT(i, 0.9);
}

TEST(Electrical, SourcesShowTheCurrentFromTheirFirstPinToTheirSecond) {
  const auto r = run_text(R"(
components:
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 6 V}
  I: {type: electrical.CurrentSource, p: gnd, n: a, i: 0.5 A}
  R: {type: electrical.Resistor, p: a, n: gnd, R: 3 ohm}
)",
                          0.1);
  EXPECT_NEAR(value_at(r, "R.i", 0.1), 2, 1e-12);
  EXPECT_NEAR(value_at(r, "U.i", 0.1), -1.5, 1e-12);
  EXPECT_NEAR(value_at(r, "I.v", 0.1), -6, 1e-12);
}

TEST(Electrical, AGroundComponentGroundsItsNode) {
  const auto r = run_text(R"(
components:
  I: {type: electrical.CurrentSource, p: x, n: a, i: 2 A}
  R: {type: electrical.Resistor, p: a, n: x, R: 3 ohm}
  G: {type: electrical.Ground, p: x}
)",
                          0.1);
  EXPECT_NEAR(value_at(r, "a.v", 0.1), 6, 1e-12);
  EXPECT_NEAR(value_at(r, "G.i", 0.1), 0, 1e-12);
}

}  // namespace
}  // namespace coenergy::tests
