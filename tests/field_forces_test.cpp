// Energies of electric and magnetic fields and the forces they exert, against the co-energy written by hand
// (Sass 2004, chapter 4). An account that balances would not show a wrong energy: whatever is
// stored too little is supplied too little.
#include <cmath>

#include "coenergy/solve/initialize.hpp"
#include "tests/circuit_compile.hpp"

namespace coenergy::tests {
namespace {

struct Field {
  double torque = 0, stored = 0;
};

/// What a component does to a rotor of 1 kg.m2 that stands at 0.3 rad.
Field find_field(const std::string& components) {
  const equations::System system = compile(R"(
components:
  rotor: {type: mechanical.Inertia, J: 1 kg.m2, phi0: 0.3 rad}
  load:  {type: mechanical.Torque, flange: rotor, tau: 0 N.m}
  R:     {type: electrical.Resistor, p: a, n: gnd, R: 5 ohm}
)" + components)
                                       .system;
  equations::Evaluator evaluator(system);
  const equations::Point p = solve::initialize(evaluator, {}).point;
  return {p.a.at(0), evaluator.energy(p).stored};
}

// five points of Gauss integrate tanh(x) up to x = 0.4 to some 1e-11; everything else is exact to round-off
constexpr double accuracy = 1e-10;

TEST(FieldForces, ASaturatedCoilStoresItsEnergyAndPullsByItsCoenergy) {
  // φ = g(φ_r) 0.2 tanh(i/3): W* = 0.6 g ln cosh(i/3), W = i φ − W*, torque ∂W*/∂φ_r
  const Field f = find_field(
      "  L: {type: electrical.NonlinearInductor, p: a, n: gnd, flux: 0.2 Wb*(1 + 0.5*sin(rotor.phi))*tanh(L.i/(3 A)), "
      "i0: 1.2 A}\n");
  const double x = 1.2 / 3, g = 1 + 0.5 * std::sin(0.3);
  EXPECT_NEAR(f.torque, 0.6 * 0.5 * std::cos(0.3) * std::log(std::cosh(x)), accuracy);
  EXPECT_NEAR(f.stored, g * (0.2 * 1.2 * std::tanh(x) - 0.6 * std::log(std::cosh(x))), accuracy);
}

TEST(FieldForces, ANonlinearCapacitorStoresItsEnergyAndPullsByItsCoenergy) {
  const Field f = find_field(
      "  C: {type: electrical.NonlinearCapacitor, p: a, n: gnd, charge: 0.2 C*(1 + 0.5*sin(rotor.phi))*tanh(C.v/(3 "
      "V)), "
      "v0: -1.2 V}\n");
  const double x = 1.2 / 3, g = 1 + 0.5 * std::sin(0.3);
  EXPECT_NEAR(f.torque, 0.6 * 0.5 * std::cos(0.3) * std::log(std::cosh(x)), accuracy);
  EXPECT_NEAR(f.stored, g * (0.2 * 1.2 * std::tanh(x) - 0.6 * std::log(std::cosh(x))), accuracy);
}

TEST(FieldForces, ACoilWithAFluxOfItsOwnMagnetIsPulledByBoth) {
  // ½ i² ∂L/∂φ_r + i ∂φ_p/∂φ_r; the energy of the magnet is not counted
  const Field f = find_field(
      "  L: {type: electrical.Inductor, p: a, n: gnd, L: 2 H + 1 H*cos(rotor.phi), flux: 0.7 Wb*sin(2*rotor.phi), i0: "
      "1.2 A}\n");
  EXPECT_NEAR(f.torque, -0.72 * std::sin(0.3) + 1.2 * 1.4 * std::cos(0.6), accuracy);
  EXPECT_NEAR(f.stored, 0.72 * (2 + std::cos(0.3)), accuracy);
}

TEST(FieldForces, AMagnetCogsByItsOwnCoenergy) {
  const Field f = find_field(R"(
  L: {type: electrical.Inductor, p: a, n: gnd, L: 2 H, i0: 1.2 A}
  M: {type: electrical.PermanentMagnet, winding: L, flux: 0.7 Wb*sin(2*rotor.phi), energy: 0.4 J*cos(6*rotor.phi)}
)");
  EXPECT_NEAR(f.torque, 1.2 * 1.4 * std::cos(0.6) - 2.4 * std::sin(1.8), accuracy);
  EXPECT_NEAR(f.stored, 1.44 - 0.4 * std::cos(1.8), accuracy);
}

TEST(FieldForces, MutualFieldsPullByTheProductOfTheirSources) {
  const Field coils = find_field(R"(
  La: {type: electrical.Inductor, p: a, n: gnd, L: 2 H, i0: 1.2 A}
  Lb: {type: electrical.Inductor, p: a, n: gnd, L: 3 H, i0: -0.8 A}
  M:  {type: electrical.Coupling, a: La, b: Lb, M: 0.5 H*cos(rotor.phi)}
)");
  EXPECT_NEAR(coils.torque, 1.2 * 0.8 * 0.5 * std::sin(0.3), accuracy);
  EXPECT_NEAR(coils.stored, 1.44 + 0.96 - 1.2 * 0.8 * 0.5 * std::cos(0.3), accuracy);
  const Field plates = find_field(R"(
  Rb: {type: electrical.Resistor, p: b, n: gnd, R: 3 ohm}
  Ca: {type: electrical.Capacitor, p: a, n: gnd, C: 2 F, v0: 1.2 V}
  Cb: {type: electrical.Capacitor, p: b, n: gnd, C: 3 F, v0: -0.8 V}
  M:  {type: electrical.MutualCapacitance, a: Ca, b: Cb, C: -0.5 F*cos(rotor.phi)}
)");
  EXPECT_NEAR(plates.torque, -1.2 * 0.8 * 0.5 * std::sin(0.3), accuracy);
  EXPECT_NEAR(plates.stored, 1.44 + 0.96 + 1.2 * 0.8 * 0.5 * std::cos(0.3), accuracy);
}

}  // namespace
}  // namespace coenergy::tests
