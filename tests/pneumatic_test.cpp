// Air in volumes, orifices and cylinders against closed forms and published formulas.
#include <cmath>

#include "tests/inline_model.hpp"

namespace coenergy::tests {
namespace {

constexpr double RT = 287.05 * 293.15, air = 101325;
/// ψ at the critical ratio: √κ (2/(κ + 1))^{(κ + 1)/(2 (κ − 1))}.
const double choked = std::sqrt(1.4) * std::pow(2 / 2.4, 3);

solve::Result run_with_account(const std::string& text, double t_end, double output_step) {
  model::Model model = io::parse_model(text, "m.yaml");
  model.energy = true;
  solve::Options options;
  options.t_end = t_end, options.output_step = output_step, options.method = "radau";
  options.rtol = 1e-11, options.atol = 1e-13;
  const solve::Result r = run_model(model, options);
  const auto stored = r.signal("energy.stored"), supplied = r.signal("energy.supplied"),
             lost = r.signal("energy.dissipated");
  double gap = 0, size = 0;
  for (std::size_t k = 0; k < stored.size(); ++k) {
    gap = std::max(gap, std::abs(stored[k] - stored[0] - supplied[k] + lost[k]));
    size = std::max({size, std::abs(supplied[k]), std::abs(lost[k]), std::abs(stored[k])});
  }
  EXPECT_LE(gap, 1e-9 * size) << gap / size;
  return r;
}

TEST(Pneumatic, AChokedNozzleHasFliegnersFlow) {
  // Fliegner: 0.04042 √K s/m · A p/√T, for κ = 1.4 and R = 287 J/(kg K)
  const auto r = run_with_account(R"yaml(
components:
  P: {type: pneumatic.Reservoir, a: a, p: 7 bar}
  o: {type: pneumatic.Orifice, a: a, b: b, area: 5 mm2, Cd: 1}
  T: {type: pneumatic.Reservoir, a: b}
)yaml",
                                  0.1, 0.1);
  const double fliegner = 0.04042 * 5e-6 * 7e5 / std::sqrt(293.15);
  EXPECT_NEAR(value_at(r, "o.m_flow", 0), fliegner, 3e-4 * fliegner);  // as many digits as the formula has
}

TEST(Pneumatic, AVolumeFillsEvenlyAsLongAsItsNozzleChokes) {
  const auto r = run_with_account(R"yaml(
components:
  P: {type: pneumatic.Reservoir, a: s, p: 7 bar}
  o: {type: pneumatic.Orifice, a: s, b: a, area: 1 mm2}
  v: {type: pneumatic.Volume, a: a, V: 1 l, p0: 1 bar}
)yaml",
                                  20, 0.25);
  const double rate = 0.8e-6 * 7e5 * std::sqrt(RT) * choked / 1e-3;
  // up to 0.528 of the supply, 3.7 bar
  const double until = (0.528 * 7e5 - 1e5) / rate;
  EXPECT_GT(until, 2);
  for (const double t : {0.5, 1.0, 2.0}) EXPECT_NEAR(value_at(r, "v.p", t), 1e5 + rate * t, 1e-4) << t;
  EXPECT_NEAR(value_at(r, "v.p", 20), 7e5, 1);
}

TEST(Pneumatic, AVolumeEmptiesExponentiallyAsLongAsItsNozzleChokes) {
  const auto r = run_with_account(R"yaml(
components:
  v: {type: pneumatic.Volume, a: a, V: 1 l, p0: 9 bar}
  o: {type: pneumatic.Orifice, a: a, b: b, area: 1 mm2}
  T: {type: pneumatic.Reservoir, a: b}
)yaml",
                                  4, 0.5);
  const double k = 0.8e-6 * std::sqrt(RT) * choked / 1e-3;
  for (const double t : {0.5, 2.0, 4.0}) {
    ASSERT_EQ(value_at(r, "o.choked", t), 1) << t;
    EXPECT_NEAR(value_at(r, "v.p", t), 9e5 * std::exp(-k * t), 1e-4) << t;
  }
}

TEST(Pneumatic, TwoVolumesShareTheirAir) {
  const auto r = run_with_account(R"yaml(
components:
  v: {type: pneumatic.Volume, a: a, V: 1 l, p0: 9 bar}
  o: {type: pneumatic.Orifice, a: a, b: b, area: 5 mm2}
  w: {type: pneumatic.Volume, a: b, V: 3 l, p0: 1 bar}
)yaml",
                                  20, 5);
  EXPECT_NEAR(value_at(r, "v.p", 20), 3e5, 1e-3);
  EXPECT_NEAR(value_at(r, "w.p", 20), 3e5, 1e-3);
  // the exergy that is lost: Σ V p ln(p/p₀) before less after
  const double lost =
      1e-3 * 9e5 * std::log(9e5 / air) + 3e-3 * 1e5 * std::log(1e5 / air) - 4e-3 * 3e5 * std::log(3e5 / air);
  EXPECT_NEAR(value_at(r, "energy.dissipated", 20), lost, 1e-8 * lost);
}

TEST(Pneumatic, AClosedCylinderIsAnAirSpring) {
  // isothermal: ω² = A² p (1/V_a + 1/V_b)/m about the middle
  const auto r = run_with_account(R"yaml(
components:
  c: {type: pneumatic.Cylinder, a: a, b: b, rod: s, A_a: 10 cm2, A_b: 10 cm2, stroke: 0.2 m, offset: 0.1 m, p_a0: 5 bar, p_b0: 5 bar}
  m: {type: mechanical.Mass, flange: s, m: 2 kg, v0: 1 mm/s}
)yaml",
                                  0.5, 0.05);
  const double w = std::sqrt(1e-6 * 5e5 * 2 / (1e-3 * 0.1 + 1e-5) / 2);
  // the next term of the spring is of the order (x/0.11 m)², x below 15 µm
  for (const double t : {0.05, 0.25, 0.5}) EXPECT_NEAR(value_at(r, "m.s", t), 1e-3 / w * std::sin(w * t), 1e-11) << t;
}

TEST(Pneumatic, AValveDrivesACylinderToItsEnd) {
  const auto r = run_with_account(R"yaml(
components:
  P: {type: pneumatic.Reservoir, a: p, p: 7 bar}
  T: {type: pneumatic.Reservoir, a: t1}
  v: {type: pneumatic.DirectionalValve, p: p, t: t1, a: a, b: b, area: 10 mm2, u: 1}
  c: {type: pneumatic.Cylinder, a: a, b: b, rod: s, A_a: 5 cm2, A_b: 4 cm2, stroke: 0.1 m, d: 50 N.s/m}
  m: {type: mechanical.Mass, flange: s, m: 1 kg}
)yaml",
                                  5, 0.5);
  EXPECT_NEAR(value_at(r, "c.p_a", 5), 7e5, 1);
  EXPECT_NEAR(value_at(r, "c.p_b", 5), air, 1);
  // the stop holds (7 bar − 1.01325 bar) A_a: k δ
  EXPECT_NEAR(value_at(r, "c.x", 5), 0.1 + (7e5 - air) * 5e-4 / 1e6, 1e-8);
}

TEST(Pneumatic, WhatCannotBeIsTold) {
  EXPECT_NE(error_of("components: {v: {type: pneumatic.Volume, a: gnd, V: 1 l}}")
                .find("pneumatic nodes have no gnd; connect a pneumatic.Reservoir"),
            std::string::npos);
  EXPECT_NE(error_of("components: {v: {type: pneumatic.Volume, a: n, V: 1 l}, t: {type: hydraulic.Tank, a: n}}")
                .find("cannot connect"),
            std::string::npos);
  const auto system = compile_model(io::parse_model(
      "components: {v: {type: pneumatic.Volume, a: n, V: 1 l}, q: {type: pneumatic.FlowSource, a: n, m_flow: -1 g/s}}",
      "m.yaml"));
  const solve::Result r = solve::simulate(system, {.t_end = 2, .method = "radau"});
  EXPECT_EQ(r.status, solve::Status::failed);
  EXPECT_NE(r.text.find("v: the volume is empty"), std::string::npos) << r.text;
}

}  // namespace
}  // namespace coenergy::tests
