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

TEST(Electrical, AStepWithoutARiseDoesNotOvershoot) {
  solve::Options options{.t_end = 4e-3, .method = "radau"};
  const solve::Result r = run_model(io::parse_model(R"(
components:
  U: {type: electrical.PulseVoltage, p: a, n: gnd, low: -1 V, high: 5 V, delay: 1 ms, width: 1 ms}
  R: {type: electrical.Resistor, p: a, n: b, R: 2 kohm}
  C: {type: electrical.Capacitor, p: b, n: gnd, C: 3 uF}
)",
                                                    "m.yaml"),
                                    options);
  const auto v = r.signal("U.v");
  for (std::size_t k = 0; k < v.size(); ++k)
    EXPECT_LT(std::min(std::abs(v[k] + 1), std::abs(v[k] - 5)), 1e-9) << v[k] << " at " << r.times[k];
}

TEST(Electrical, APulseThatIsLongerThanItsPeriodIsCutOffByTheNext) {
  // rise 1 s, width 1 s and fall 4 s in periods of 4 s from 1 s on: half way down it begins anew
  const auto r = run_text(R"(
components:
  U: {type: electrical.PulseVoltage, p: a, n: gnd, high: 8 V, delay: 1 s, rise: 1 s, width: 1 s, fall: 4 s, period: 4 s}
  R: {type: electrical.Resistor, p: a, n: gnd, R: 1 ohm}
)",
                          12, 0.25);
  const std::vector<double> v = r.signal("a.v");
  for (std::size_t k = 0; k < v.size(); ++k) {
    const double t = r.times[k] - 1, phase = t - 4 * std::floor(t / 4);
    if (std::abs(phase) < 1e-9 || std::abs(phase - 4) < 1e-9) continue;  // it jumps here, and both values are there
    EXPECT_NEAR(v[k], t < 0 ? 0 : phase < 1 ? 8 * phase : phase < 2 ? 8 : 8 - 2 * (phase - 2), 1e-9) << r.times[k];
  }
}

TEST(Electrical, ANodeThatIsTakenAsGroundStillHasAVoltage) {
  const auto r = run_text(R"(
components:
  U: {type: electrical.VoltageSource, p: a, n: b, v: 2 V}
  R: {type: electrical.Resistor, p: a, n: b, R: 3 ohm}
)",
                          0.1);
  EXPECT_EQ(value_at(r, "a.v", 0.1), 0);
  EXPECT_NEAR(value_at(r, "b.v", 0.1), -2, 1e-12);
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

TEST(Electrical, ControlledSourcesOfAllFourKinds) {
  // 2 V over 1 ohm; E doubles the voltage, G makes 3 S of it, H 4 ohm of the current, F five times the current
  const auto r = run_text(R"(
components:
  U:  {type: electrical.VoltageSource, p: a, n: gnd, v: 2 V}
  R:  {type: electrical.Resistor, p: a, n: gnd, R: 1 ohm}
  E:  {type: electrical.VoltageSource, p: e, n: gnd, v: 2*R.v}
  RE: {type: electrical.Resistor, p: e, n: gnd, R: 1 ohm}
  G:  {type: electrical.CurrentSource, p: gnd, n: g, i: 3 S*R.v}
  RG: {type: electrical.Resistor, p: g, n: gnd, R: 1 ohm}
  H:  {type: electrical.VoltageSource, p: h, n: gnd, v: 4 ohm*R.i}
  RH: {type: electrical.Resistor, p: h, n: gnd, R: 1 ohm}
  F:  {type: electrical.CurrentSource, p: gnd, n: f, i: -5*U.i}
  RF: {type: electrical.Resistor, p: f, n: gnd, R: 1 ohm}
)",
                          0.1);
  const std::pair<const char*, double> expected[] = {{"RE.v", 4}, {"RG.v", 6}, {"RH.v", 8}, {"RF.v", 10}};
  for (const auto& [signal, value] : expected) EXPECT_NEAR(value_at(r, signal, 0.1), value, 1e-12) << signal;
}

TEST(Electrical, AnIdealThreePhaseStarWorksThoughItsInductanceMatrixIsSingular) {
  // M = -L/2: the common current meets no inductance, but the star lets none flow. Each phase then has L - M = 3 H.
  const auto r = run_text(R"(
components:
  Ua: {type: electrical.VoltageSource, p: a, n: gnd, v: 3 V}
  Ub: {type: electrical.VoltageSource, p: b, n: gnd, v: -1.5 V}
  Uc: {type: electrical.VoltageSource, p: c, n: gnd, v: -1.5 V}
  La: {type: electrical.Inductor, p: a, n: star, L: 2 H}
  Lb: {type: electrical.Inductor, p: b, n: star, L: 2 H}
  Lc: {type: electrical.Inductor, p: c, n: star, L: 2 H}
  ab: {type: electrical.Coupling, a: La, b: Lb, M: -1 H}
  bc: {type: electrical.Coupling, a: Lb, b: Lc, M: -1 H}
  ca: {type: electrical.Coupling, a: Lc, b: La, M: -1 H}
)",
                          2);
  EXPECT_NEAR(value_at(r, "La.i", 2), 3.0 / 3 * 2, 1e-9);
  EXPECT_NEAR(value_at(r, "Lb.i", 2), -1.5 / 3 * 2, 1e-9);
}

/// The same, so accurately that an error of the account would show.
solve::Result run_account(const std::string& text, double t_end) {
  return run_model(io::parse_model("energy: true\n" + text, "m.yaml"),
                   {.t_end = t_end, .method = "radau", .output_step = t_end / 100, .rtol = 1e-12, .atol = 1e-13});
}

/// Largest deviation of stored − supplied + dissipated from its start, relative to what went through.
double energy_error(const solve::Result& r) {
  const auto stored = r.signal("energy.stored"), supplied = r.signal("energy.supplied"),
             lost = r.signal("energy.dissipated");
  double error = 0, size = 1e-300;
  for (std::size_t k = 0; k < stored.size(); ++k) {
    error = std::max(error, std::abs((stored[k] - stored[0]) - (supplied[k] - supplied[0]) + lost[k] - lost[0]));
    size = std::max({size, std::abs(stored[k]), std::abs(supplied[k]), std::abs(lost[k])});
  }
  return error / size;
}

TEST(Electrical, AMagnetBrakesAndDrivesByWhatItsFluxDemands) {
  // a coil on a magnet: the back-emf 2 V.s/rad*w and the torque 2 N.m/A*i are one law, and the energy balances
  const auto r = run_account(R"(
components:
  rotor:  {type: mechanical.Inertia, J: 0.5 kg.m2}
  load:   {type: mechanical.Torque, flange: rotor, tau: 0 N.m}
  U:      {type: electrical.VoltageSource, p: a, n: gnd, v: 6 V}
  R:      {type: electrical.Resistor, p: a, n: b, R: 1 ohm}
  L:      {type: electrical.Inductor, p: b, n: gnd, L: 10 mH}
  magnet: {type: electrical.PermanentMagnet, winding: L, flux: 2 Wb*rotor.phi/(1 rad)}
)",
                             5);
  EXPECT_NEAR(value_at(r, "rotor.w", 5), 3, 1e-6);  // no load: U/k, after some 40 time constants R J/k² = 0.125 s
  EXPECT_NEAR(value_at(r, "L.i", 5), 0, 1e-6);
  EXPECT_LT(energy_error(r), 1e-9);
}

TEST(Electrical, AReluctanceTorqueFollowsFromTheInductance) {
  // constant current through L(phi) = 2 + cos(2 phi): torque ½ i² dL/dphi = -9 sin(2 phi) N.m with 3 A
  const auto r = run_account(R"(
components:
  rotor: {type: mechanical.Inertia, J: 1 kg.m2, phi0: 0.7 rad}
  load:  {type: mechanical.Torque, flange: rotor, tau: 0 N.m}
  I:     {type: electrical.CurrentSource, p: gnd, n: a, i: 3 A}
  L:     {type: electrical.Inductor, p: a, n: gnd, L: 2 H + 1 H*cos(2*rotor.phi)}
)",
                             1);
  // ½ w² = 4.5 (cos 2 phi - cos 1.4)
  const double phi = value_at(r, "rotor.phi", 1), w = value_at(r, "rotor.w", 1);
  EXPECT_NEAR(w * w / 2, 4.5 * (std::cos(2 * phi) - std::cos(1.4)), 1e-7);
  EXPECT_LT(energy_error(r), 1e-9);
}

TEST(Electrical, ACapacitorPullsItsPlateByHalfTheSlopeTimesTheVoltageSquared) {
  const auto r = run_account(R"(
components:
  plate: {type: mechanical.Mass, m: 2 kg, s0: 1 m}
  load:  {type: mechanical.Force, flange: plate, f: 0 N}
  U:     {type: electrical.VoltageSource, p: a, n: gnd, v: 4 V}
  C:     {type: electrical.Capacitor, p: a, n: gnd, C: 1 F*(plate.s/(1 m)), v0: 4 V}
)",
                             1);
  EXPECT_NEAR(value_at(r, "plate.s", 1), 1 + (0.5 * 16 / 2) / 2, 1e-8);
  EXPECT_LT(energy_error(r), 1e-9);
}

TEST(Electrical, TheGroundHasThreeNames) {
  const auto r = run_text(R"(
components:
  U:  {type: electrical.VoltageSource, p: a, n: gnd, v: 6 V}
  R1: {type: electrical.Resistor, p: a, n: ground, R: 2 ohm}
  R2: {type: electrical.Resistor, p: a, n: "0", R: 3 ohm}
)",
                          0.1);
  EXPECT_NEAR(value_at(r, "U.i", 0.1), -5, 1e-12);
}

TEST(Electrical, AnOperatingPointLeavesAnIntegratorWhereItStarts) {
  const auto r = run_model(io::parse_model(R"(
components:
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 6 V}
  R: {type: electrical.Resistor, p: a, n: b, R: 2 ohm}
  C: {type: electrical.Capacitor, p: b, n: gnd, C: 1 F}
  I: {type: blocks.Integrator, u: C.v/(1 V), y0: 0.5}
)",
                                           "m.yaml"),
                           {.t_end = 1, .method = "radau", .output_step = 0.5, .start = "steady"});
  EXPECT_NEAR(value_at(r, "I.y", 0), 0.5, 1e-12);
  EXPECT_NEAR(value_at(r, "I.y", 1), 6.5, 1e-9);
}

}  // namespace
}  // namespace coenergy::tests
