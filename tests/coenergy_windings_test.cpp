// Converters stated by their co-energy: voltages and forces follow, right to round-off however far iron saturates.
#include <cmath>

#include "coenergy/solve/initialize.hpp"
#include "tests/inline_model.hpp"

namespace coenergy::tests {
namespace {

/// A magnet whose flux λ = Λ tanh(c i/((s + g) Λ)) pulls a mass against a stiff spring that begins at s0.
std::string saturating_magnet(const std::string& voltage) {
  return "parameters: {u: " + voltage + R"model(}
energy: true
components:
  x: {type: mechanical.Mass, m: 2 kg, s0: 4 mm}
  k: {type: mechanical.TranslationalSpringDamper, a: ground, b: x, k: 3e5 N/m, d: 400 N.s/m, rest: 4 mm}
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: u}
  R: {type: electrical.Resistor, p: a, n: b, R: 0.8 ohm}
  L: {type: electrical.NonlinearInductor, p: b, n: gnd, flux: "0.04 Wb*tanh(L.i*2e-3 H.m/(x.s + 3 mm)/(0.04 Wb))"}
)model";
}

TEST(SaturatedMagnet, PullsByItsCoenergyFromSmallCurrentsToDeepSaturation) {
  // at rest k (s − s0) = ∂W'/∂s with W' = Λ²/g ln cosh(g i/Λ), g = c/(s + h): solved here by Newton's method
  const double flux = 0.04, c = 2e-3, h = 3e-3, k = 3e5, s0 = 4e-3;
  for (const double u : {0.02, 0.3, 1.2, 8.0, 40.0}) {  // from 8 V on no inductance is left: the current jumps
    const double i = u / 0.8;
    const auto force = [&](double s) {
      const double g = c / (s + h), z = g * i / flux, log_cosh = z + std::log1p(std::expm1(-2 * z) / 2);
      // dg/ds = −g/(s + h); ∂W'/∂g = Λ i tanh(z)/g − Λ² ln cosh(z)/g²
      return -g / (s + h) * (flux * i * std::tanh(z) / g - flux * flux * log_cosh / (g * g));
    };
    double s = s0;
    for (int n = 0; n < 60; ++n) s = s0 + force(s) / k;  // a contraction: the spring is stiff
    const solve::Result result = run_text(saturating_magnet(std::to_string(u) + " V"), 8, 4);
    // 1e-9 per step asked for, and settled: e^{−t/0.36 s} of a motion of at most 30 µm after 8 s
    EXPECT_NEAR(result.signal("x.s").back(), s, 1e-12) << u << " V";
  }
}

TEST(SaturatedMagnet, KeepsItsAccount) {
  for (const char* u : {"1.5 V", "40 V"}) {
    const solve::Result result = run_text(saturating_magnet(u), 0.4, 0.1);
    const double supplied = result.signal("energy.supplied").back();
    const double balance = supplied - result.signal("energy.dissipated").back() -
                           (result.signal("energy.stored").back() - result.signal("energy.stored").front());
    EXPECT_NEAR(balance, 0, 1e-8 * supplied) << u;
  }
}

TEST(GrowthWithoutLimit, IsNotLeaptOver) {
  // y' = y² from 1 has no solution beyond 1 s
  const model::Model model =
      io::parse_model("components: {y: {type: blocks.Integrator, u: y.y^2, y0: 1, k: 1 1/s}}", "m.yaml");
  for (const char* method : {"radau", "esdirk", "dopri"}) {
    solve::Options options;
    options.t_end = 2, options.method = method;
    const solve::Result result = solve::simulate(compile_model(model), options);
    EXPECT_EQ(result.status, solve::Status::failed) << method;
    EXPECT_NEAR(result.end.t, 1, 1e-4) << method;  // what errors of 1e-6 shift the pole by
  }
}

TEST(CoenergyWindings, AreTheCircuitOfCoilsCouplingAndMagnet) {
  const std::string machine = R"model(
components:
  rotor: {type: mechanical.Inertia, J: 0.2 kg.m2, phi0: 0.3 rad, w0: 2 rad/s}
  load:  {type: mechanical.Torque, flange: rotor, tau: -0.1 N.m}
  Ua: {type: electrical.VoltageSource, p: a, n: gnd, v: "5 V*cos(3 1/s*time)"}
  Ub: {type: electrical.VoltageSource, p: b, n: gnd, v: 2 V}
)model";
  const std::string coils = R"model(
  Ra: {type: electrical.Resistor, p: a, n: a1, R: 0.5 ohm}
  La: {type: electrical.Inductor, p: a1, n: gnd, L: 0.9 H + 0.2 H*cos(2*rotor.phi)}
  Rb: {type: electrical.Resistor, p: b, n: b1, R: 0.7 ohm}
  Lb: {type: electrical.Inductor, p: b1, n: gnd, L: 0.8 H}
  M:  {type: electrical.Coupling, a: La, b: Lb, M: 0.3 H*sin(rotor.phi)}
  P:  {type: electrical.PermanentMagnet, winding: Lb, flux: 0.4 Wb*cos(rotor.phi), energy: 0.1 J*cos(4*rotor.phi)}
)model";
  const std::string by_matrix = R"model(
  c: {type: electrical.CoenergyWindings, p1: a, n1: gnd, p2: b, n2: gnd, R: [0.5 ohm, 0.7 ohm],
      L: [[0.9 H + 0.2 H*cos(2*rotor.phi), 0.3 H*sin(rotor.phi)], [0.3 H*sin(rotor.phi), 0.8 H]],
      flux: [0 Wb, 0.4 Wb*cos(rotor.phi)], energy: 0.1 J*cos(4*rotor.phi)}
)model";
  const std::string by_coenergy = R"model(
  c: {type: electrical.CoenergyWindings, p1: a, n1: gnd, p2: b, n2: gnd, R: [0.5 ohm, 0.7 ohm],
      coenergy: "(0.9 H + 0.2 H*cos(2*rotor.phi))*c.i1^2/2 + 0.4 H*c.i2^2 + 0.3 H*sin(rotor.phi)*c.i1*c.i2
                 + 0.4 Wb*cos(rotor.phi)*c.i2", energy: 0.1 J*cos(4*rotor.phi)}
)model";
  const solve::Result expected = run_text(machine + coils, 2);
  for (const std::string& c : {by_matrix, by_coenergy}) {
    const solve::Result result = run_text(machine + c, 2);
    for (const double t : {0.5, 1.0, 2.0}) {
      // two runs of 1e-9 per step
      EXPECT_NEAR(value_at(result, "rotor.phi", t), value_at(expected, "rotor.phi", t), 1e-7);
      EXPECT_NEAR(value_at(result, "c.i1", t), value_at(expected, "La.i", t), 1e-7);
      EXPECT_NEAR(value_at(result, "c.i2", t), value_at(expected, "Lb.i", t), 1e-7);
    }
  }
}

TEST(CoenergyWindings, InAStarMayLackInductanceOfTheZeroSequence) {
  // L + 2 M = 0: two currents are free, and each phase has L − M = 0.3 H against the others
  const solve::Result result = run_text(R"model(
components:
  Ua: {type: electrical.VoltageSource, p: a, n: gnd, v: 6 V}
  c: {type: electrical.CoenergyWindings, p1: a, n1: s, p2: gnd, n2: s, p3: gnd, n3: s, R: [1 ohm, 1 ohm, 1 ohm],
      L: [[0.2 H, -0.1 H, -0.1 H], [-0.1 H, 0.2 H, -0.1 H], [-0.1 H, -0.1 H, 0.2 H]]}
)model",
                                        1, 0.1);
  // 4 V of 6 V lie on phase a: i = 4 A (1 − e^{−t/0.3 s})
  EXPECT_NEAR(value_at(result, "c.i1", 1), 4 * (1 - std::exp(-1 / 0.3)), 1e-7);
  EXPECT_NEAR(value_at(result, "c.i2", 1), -2 * (1 - std::exp(-1 / 0.3)), 1e-7);
}

TEST(CoenergyWindings, ActOnAShaftWithoutInertia) {
  // torque 3 A² dL/dφ/2 on a damper: φ̇ = τ/d with dL/dφ = 0.4 H
  const solve::Result result = run_text(R"model(
components:
  d: {type: mechanical.RotationalSpringDamper, a: ground, b: shaft, k: 0 N.m/rad, d: 0.5 N.m.s/rad}
  I: {type: electrical.CurrentSource, p: gnd, n: a, i: 3 A}
  R: {type: electrical.Resistor, p: a, n: gnd, R: 1e3 ohm}
  L: {type: electrical.Inductor, p: a, n: gnd, L: 2 H + 0.4 H/(1 rad)*shaft.phi, i0: 3 A}
)model",
                                        0.2, 0.1);
  // the current of the coil falls a little while its inductance grows: i L(φ) changes by the voltage of R only, so the
  // run is compared with the torque that its own current has
  const double i = value_at(result, "L.i", 0.2), before = value_at(result, "L.i", 0.1);
  const double speed = (value_at(result, "shaft.phi", 0.2) - value_at(result, "shaft.phi", 0.1)) / 0.1;
  EXPECT_NEAR(speed, 0.4 * (i * i + before * before) / 4 / 0.5, 1e-3 * speed);
  EXPECT_GT(speed, 3);
}

TEST(CoenergyWindings, TellWhatIsWrongWithTheirInductances) {
  const auto wrong = [](const std::string& entries) {
    return error_of(
        "components:\n  c: {type: electrical.CoenergyWindings, p1: a, n1: gnd, p2: b, n2: gnd, " + entries +
        "}\n  R: {type: electrical.Resistor, p: a, n: gnd, R: 1 ohm}\n  S: {type: electrical.Resistor, p: b, n: "
        "gnd, R: 1 ohm}\n");
  };
  EXPECT_NE(wrong("L: [[1 H, 0.2 H], [0.3 H, 1 H]]")
                .find("m.yaml:2:3: c: L is not symmetric: the mutual inductance of "
                      "windings 1 and 2 is both 0.2 H and 0.3 H"),
            std::string::npos);
  EXPECT_NE(
      wrong("L: [[1 H, 3 H], [3 H, 2 H]]").find("L has the negative eigenvalue -1.54138 H, most of it in winding 1"),
      std::string::npos)
      << wrong("L: [[1 H, 3 H], [3 H, 2 H]]");
  EXPECT_NE(wrong("L: [[1 H, 0.2 H]]").find("L has 2 entries; 2 windings need 4"), std::string::npos);
  EXPECT_NE(wrong("").find("give either the co-energy or the inductances L"), std::string::npos);
}

}  // namespace
}  // namespace coenergy::tests
