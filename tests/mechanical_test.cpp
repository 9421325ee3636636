// One-dimensional mechanics and the DC machine against closed forms.
#include <cmath>

#include "tests/inline_model.hpp"

namespace coenergy::tests {
namespace {

TEST(Mechanical, AMassOnASpringAndDamperSwingsAsItShould) {
  const auto r = run_text(R"(
components:
  m: {type: mechanical.Mass, m: 2 kg, s0: 0.5 m, v0: 0.3 m/s}
  k: {type: mechanical.TranslationalSpring, a: ground, b: m, k: 50 N/m, rest: 0.1 m}
  d: {type: mechanical.TranslationalDamper, a: ground, b: m, d: 3 N.s/m}
)",
                          2);
  const double decay = 3.0 / 4, w = std::sqrt(25 - decay * decay), x0 = 0.4, v0 = 0.3;
  for (double t : {0.7, 2.0}) {
    const double x = std::exp(-decay * t) * (x0 * std::cos(w * t) + (v0 + decay * x0) / w * std::sin(w * t));
    EXPECT_NEAR(value_at(r, "m.s", t), 0.1 + x, 1e-7);
    EXPECT_NEAR(value_at(r, "k.f", t), 50 * x, 5e-6);
  }
}

TEST(Mechanical, AWinchHasTheEffectiveInertiaAndLoadOfItsParts) {
  // J_eff = J_rotor + J_drum/i² + m r²/i², load m g r/i
  const auto r = run_text(R"(
components:
  motor:  {type: mechanical.Torque, flange: rotor, tau: 3 N.m}
  rotor:  {type: mechanical.Inertia, J: 0.01 kg.m2}
  gear:   {type: mechanical.IdealGear, a: rotor, b: drum, ratio: 20}
  drum:   {type: mechanical.Inertia, J: 0.8 kg.m2}
  rope:   {type: mechanical.RackPinion, pinion: drum, rack: cage, r: 0.15 m/rad}
  cage:   {type: mechanical.Mass, m: 30 kg}
  weight: {type: mechanical.Force, flange: cage, f: -30 kg*9.81 m/s2}
)",
                          0.5);
  const double inertia = 0.01 + 0.8 / 400 + 30 * 0.15 * 0.15 / 400, a = (3 - 30 * 9.81 * 0.15 / 20) / inertia;
  EXPECT_NEAR(value_at(r, "rotor.a", 0.5), a, 1e-8 * a);
  EXPECT_NEAR(value_at(r, "rotor.w", 0.5), 0.5 * a, 1e-7 * a);
  EXPECT_NEAR(value_at(r, "cage.s", 0.5), 0.15 / 20 * a * 0.125, 1e-8 * a);
  // the gear takes what the rotor does not need
  EXPECT_NEAR(value_at(r, "gear.tau", 0.5), 3 - 0.01 * a, 1e-7);
}

TEST(Mechanical, OneSidedAndHardeningSpringsFollowTheirLaw) {
  const auto r = run_text(R"(
components:
  drive:   {type: mechanical.TranslationalMotion, flange: m, s: 0.2 m*sin(1 1/s*time)}
  m:       {type: mechanical.Mass, m: 1 kg, v0: 0.2 m/s}
  rope:    {type: mechanical.TranslationalSpring, a: ground, b: m, k: 10, side: tension}
  buffer:  {type: mechanical.TranslationalSpring, a: ground, b: m, k: 10, side: compression}
  contact: {type: mechanical.TranslationalSpring, a: ground, b: m, k: 1000, exponent: 1.5}
)",
                          5);
  const double up = 0.2 * std::sin(1.0), down = 0.2 * std::sin(4.0);
  // rows between steps are interpolated: the position is true to some 1e-7
  EXPECT_NEAR(value_at(r, "rope.f", 1), 10 * up, 2e-6);
  EXPECT_EQ(value_at(r, "rope.f", 4), 0);
  EXPECT_EQ(value_at(r, "buffer.f", 1), 0);
  EXPECT_NEAR(value_at(r, "buffer.f", 4), 10 * down, 2e-6);
  EXPECT_NEAR(value_at(r, "contact.f", 4), -1000 * std::pow(-down, 1.5), 1e-4);
  // the drive carries springs and inertia: m s̈ = −m s here
  const double springs = 10 * down - 1000 * std::pow(-down, 1.5);
  EXPECT_NEAR(value_at(r, "drive.f", 4), springs - down, 1e-4);
}

TEST(Mechanical, SlackAndImpactDampersActOnlyBeyondThePlay) {
  const auto r = run_text(R"(
components:
  drive: {type: mechanical.TranslationalMotion, flange: m, s: 0.2 m*sin(1 1/s*time)}
  m:     {type: mechanical.Mass, m: 1 kg, v0: 0.2 m/s}
  loose: {type: mechanical.TranslationalSpring, a: ground, b: m, k: 100, slack: 0.1 m, impact_damping: 7}
)",
                          5);
  // inside the play at 0.4 s, stretched by sin(1)/5 − 0.1 at 1 s, pressed at 4 s
  EXPECT_EQ(value_at(r, "loose.f", 0.4), 0);
  const double out = 0.2 * std::sin(1.0) - 0.1, in = 0.2 * std::sin(4.0);
  EXPECT_NEAR(value_at(r, "loose.f", 1), 100 * out + 7 * std::sqrt(out) * 0.2 * std::cos(1.0), 1e-5);
  EXPECT_NEAR(value_at(r, "loose.f", 4), 100 * in + 7 * std::sqrt(-in) * 0.2 * std::cos(4.0), 1e-5);
}

TEST(Mechanical, FrictionHoldsALoadBelowItsLevelAndSlipsAboveIt) {
  const auto r = run_text(R"(
components:
  a:      {type: mechanical.Mass, m: 1 kg}
  hold:   {type: mechanical.TranslationalFriction, a: ground, b: a, coulomb: 10 N, v_eps: 1 mm/s}
  push_a: {type: mechanical.Force, flange: a, f: 5 N}
  b:      {type: mechanical.Mass, m: 1 kg}
  slip:   {type: mechanical.TranslationalFriction, a: ground, b: b, coulomb: 10 N, d: 4 N.s/m}
  push_b: {type: mechanical.Force, flange: b, f: 18 N}
)",
                          5);
  // creep of the regularised law, and the speed at which the viscous part takes the rest
  EXPECT_NEAR(value_at(r, "a.v", 5), 1e-3 * std::atanh(0.5), 1e-9);
  EXPECT_NEAR(value_at(r, "b.v", 5), 2, 1e-7);
}

TEST(Mechanical, AFixedFlangeShowsItsReaction) {
  const auto r = run_text(R"(
components:
  wall:   {type: mechanical.RotationalFixed, flange: a, phi: 0.3 rad}
  spring: {type: mechanical.RotationalSpringDamper, a: a, b: ground, k: 20 N.m/rad, d: 1 N.m.s/rad}
)",
                          0.1);
  EXPECT_NEAR(value_at(r, "wall.tau", 0.1), 20 * 0.3, 1e-9);
  EXPECT_NEAR(value_at(r, "spring.delta", 0.1), -0.3, 1e-12);
}

TEST(Mechanical, AGearedMotorSpeaksForItsRotorAndReactsOnItsSupport) {
  const auto r = run_text(R"(
components:
  U:     {type: electrical.VoltageSource, p: a, n: gnd, v: 10 V}
  motor: {type: converters.DcMachine, p: a, n: gnd, shaft: load, support: frame, k: 0.1 V.s/rad, gear: 5, R: 2 ohm, J: 0.001 kg.m2}
  load:  {type: mechanical.Inertia, J: 0.3 kg.m2}
  frame: {type: mechanical.Inertia, J: 0.9 kg.m2}
)",
                          3);
  // both float: relative speed ω with 1/J = 1/0.3 + 1/0.9 beside the rotor's 25·0.001
  const double J = 1 / (1 / 0.3 + 1 / 0.9) + 0.025, kN = 0.5, T = J * 2 / (kN * kN);
  const double w = 10 / kN * (1 - std::exp(-3 / T));
  EXPECT_NEAR(value_at(r, "motor.w", 3), w, 1e-7 * w);
  EXPECT_NEAR(value_at(r, "motor.i", 3), (10 - kN * w) / 2, 1e-7);
  EXPECT_NEAR(0.3 * value_at(r, "load.w", 3) + 0.9 * value_at(r, "frame.w", 3), 0, 1e-8);
}

TEST(Mechanical, RefusesWhatCannotMoveOrHold) {
  EXPECT_EQ(error_of("components: {J: {type: mechanical.Inertia, J: 1}}"),
            "m.yaml:1:14: J: nothing is connected to its shaft; connect a torque, a spring or another part");
  EXPECT_EQ(error_of("components: {m: {type: mechanical.Mass, m: 1}}"),
            "m.yaml:1:14: m: nothing is connected to its flange; connect a force, a spring or another part");
  EXPECT_EQ(error_of("components: {g: {type: mechanical.IdealGear, a: x, b: ground, ratio: 0}}"),
            "m.yaml:1:14: g: ratio must not be 0");
  EXPECT_EQ(error_of("components: {g: {type: mechanical.IdealGear, a: ground, b: ground, ratio: 2}}"),
            "m.yaml:1:14: g: both shafts are connected to ground");
  EXPECT_EQ(error_of("components: {f: {type: mechanical.RotationalFixed, flange: ground}}"),
            "m.yaml:1:14: f: its flange is connected to ground, which is fixed already; remove one of them");
  EXPECT_EQ(error_of("components: {f: {type: mechanical.RotationalMotion, flange: ground, phi: time}}"),
            "m.yaml:1:14: f: its flange is connected to ground, which cannot move");
}

}  // namespace
}  // namespace coenergy::tests
