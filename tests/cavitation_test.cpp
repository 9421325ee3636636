// Oil that is drawn to vacuum, and accumulators that run empty, against closed forms.
#include <cmath>

#include "tests/inline_model.hpp"

namespace coenergy::tests {
namespace {

constexpr double air = 101325;

solve::Result run_to_the_end(const std::string& text, double t_end, const std::string& method = "radau") {
  return solve::simulate(compile_model(io::parse_model(text, "m.yaml")),
                         {.t_end = t_end, .method = method, .output_step = t_end / 100, .rtol = 1e-8, .atol = 1e-10});
}

TEST(Cavitation, AVolumeFillsWithVapourAndCollapsesAgain) {
  // 1 l at 3 bar: after V (p0 + air)/β it is at vacuum, then the void is what is drawn
  for (const char* method : {"radau", "esdirk", "dopri"}) {
    const auto r = run_to_the_end(R"yaml(
components:
  v: {type: hydraulic.Volume, a: n, V: 1 l, beta: 1.2 GPa, p0: 3 bar}
  q: {type: hydraulic.FlowSource, a: n, q: "time < 0.5 s ? -0.2 l/s : 0.2 l/s"}
)yaml",
                                  1.2, method);
    ASSERT_EQ(r.status, solve::Status::done) << r.text;
    const double to_vacuum = 1e-3 * (3e5 + air) / 1.2e9;
    const auto empty = [&](double drawn) { return (drawn - to_vacuum) / 1e-3; };
    EXPECT_NEAR(value_at(r, "n.p", 0.3), -air, 1e-6) << method;
    EXPECT_NEAR(value_at(r, "v.void", 0.3), empty(0.2e-3 * 0.3), 1e-8) << method;
    EXPECT_NEAR(value_at(r, "v.void", 0.48), empty(0.2e-3 * 0.48), 1e-8) << method;
    EXPECT_NEAR(value_at(r, "v.void", 0.9), empty(0.2e-3 * 0.1), 1e-8) << method;
    EXPECT_EQ(value_at(r, "v.void", 1.08), 0) << method;
    // what was drawn has come back at 1 s; the event is located to round-off of the tension of 1e8 Pa
    EXPECT_NEAR(value_at(r, "v.p", 1.2), 3e5 + 1.2e9 * 0.2 * 0.2, 1e-6 * 4.8e7) << method;
  }
}

TEST(Cavitation, AVolumeThatHoldsNoOilAnyMoreEndsTheRun) {
  const auto r = run_to_the_end(R"yaml(
components:
  v: {type: hydraulic.Volume, a: n, V: 0.3 l}
  q: {type: hydraulic.FlowSource, a: n, q: -0.1 l/s}
)yaml",
                                5);
  EXPECT_EQ(r.status, solve::Status::failed);
  EXPECT_NE(r.text.find("v: the volume is empty: more oil is drawn from it than it holds"), std::string::npos)
      << r.text;
  EXPECT_NE(r.text.find("at t = 3.0"), std::string::npos) << r.text;
}

TEST(Cavitation, APulledPistonLeavesVapourBehindIt) {
  // locked chambers: b is a spring p_b = p0 + β ln(V_b(0)/V_b), a keeps its oil V_c, the volume at which it reached vacuum
  const auto r = run_to_the_end(R"yaml(
components:
  c: {type: hydraulic.Cylinder, a: A, b: B, rod: r, A_a: 8 cm2, A_b: 8 cm2, stroke: 0.6 m, offset: 0.2 m, beta: 1 GPa,
      p_a0: 2 bar, p_b0: 2 bar, d: 4 kN.s/m}
  m: {type: mechanical.Mass, flange: r, m: 5 kg}
  f: {type: mechanical.Force, flange: r, f: 40 kN}
)yaml",
                                0.5);
  ASSERT_EQ(r.status, solve::Status::done) << r.text;
  const double A = 8e-4, beta = 1e9, p_b = 40e3 / A - air, V_b0 = 1e-5 + A * 0.4, V_a0 = 1e-5 + A * 0.2;
  const double V_b = V_b0 * std::exp(-(p_b - 2e5) / beta), x = 0.2 + (V_b0 - V_b) / A;
  EXPECT_NEAR(value_at(r, "c.p_a", 0.5), -air, 1e-6);
  EXPECT_NEAR(value_at(r, "c.p_b", 0.5), p_b, 1e-6 * p_b);
  EXPECT_NEAR(value_at(r, "c.x", 0.5), x, 1e-8);
  const double V_c = V_a0 * std::exp((2e5 + air) / beta), V_a = V_a0 + A * (x - 0.2);
  EXPECT_NEAR(value_at(r, "c.void_a", 0.5), 1 - V_c / V_a, 1e-6);
}

TEST(Cavitation, AnAccumulatorRunsEmptyAndFillsAgain) {
  // it empties through a valve in a second or so; then a pump fills it, the neck first
  const auto r = run_to_the_end(R"yaml(
components:
  acc:   {type: hydraulic.Accumulator, a: n, V: 1.5 l, precharge: 30 bar, p0: 70 bar, n: 1.4, V_line: 20 cm3, beta: 1 GPa}
  valve: {type: hydraulic.Orifice, a: n, b: t, area: 20 mm2, opening: "time < 3 s ? 1 : 0"}
  tank:  {type: hydraulic.Tank, a: t, p: 2 bar}
  pump:  {type: hydraulic.FlowSource, a: n, q: "time < 4 s ? 0 : 0.1 l/s"}
)yaml",
                                6);
  ASSERT_EQ(r.status, solve::Status::done) << r.text;
  EXPECT_NEAR(value_at(r, "acc.V_oil", 0), 1.5e-3 * (1 - std::pow((30e5 + air) / (70e5 + air), 1 / 1.4)), 1e-12);
  EXPECT_EQ(value_at(r, "acc.V_oil", 3), 0);
  EXPECT_NEAR(value_at(r, "n.p", 3.6), 2e5, 1);
  const double oil = 0.1e-3 * 2 - 20e-6 / 1e9 * 28e5;
  EXPECT_NEAR(value_at(r, "acc.V_oil", 6), oil, 1e-10);
  EXPECT_NEAR(value_at(r, "acc.p", 6), (30e5 + air) * std::pow(1.5e-3 / (1.5e-3 - oil), 1.4) - air, 10);
}

TEST(Cavitation, MoreThanAnEmptyAccumulatorHoldsEndsTheRun) {
  const auto r = run_to_the_end(R"yaml(
components:
  acc: {type: hydraulic.Accumulator, a: n, V: 0.8 l, precharge: 40 bar, p0: 60 bar}
  q:   {type: hydraulic.FlowSource, a: n, q: -0.05 l/s}
)yaml",
                                20);
  EXPECT_EQ(r.status, solve::Status::failed);
  // 0.8 l (1 − (41.01/61.01)^(1/1.3)) = 0.2105 l, and the neck of 10 cm³
  EXPECT_NE(r.text.find("acc: it is empty"), std::string::npos) << r.text;
  EXPECT_NE(r.text.find("at t = 4.4"), std::string::npos) << r.text;
}

TEST(Cavitation, APumpThatSucksThroughAnOrificeNeedsAVolume) {
  const std::string model = R"yaml(
components:
  tank: {type: hydraulic.Tank, a: t}
  o:    {type: hydraulic.Orifice, a: t, b: n, area: 10 mm2}
  pump: {type: hydraulic.FlowSource, a: out, b: n, q: 0.2 l/s*time/(1 s)}
  to:   {type: hydraulic.Tank, a: out}
)yaml";
  const auto r = run_to_the_end(model, 5);
  EXPECT_EQ(r.status, solve::Status::failed);
  EXPECT_NE(r.text.find("node n: its pressure falls below vacuum"), std::string::npos) << r.text;
}

TEST(Cavitation, NoSourceGivesAPressureBelowVacuum) {
  EXPECT_NE(error_of("components: {s: {type: hydraulic.PressureSource, a: n, p: -2 bar}, "
                     "o: {type: hydraulic.Orifice, a: n, b: t, area: 1 mm2}, t: {type: hydraulic.Tank, a: t}}")
                .find("s.p = -2 bar must be >= -101325 Pa"),
            std::string::npos);
}

}  // namespace
}  // namespace coenergy::tests
