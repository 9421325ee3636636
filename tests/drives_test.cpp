// Bridges with pulse-width modulation, and examples/servo_drive.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/inline_model.hpp"

namespace coenergy::tests {
namespace {

TEST(Chopper, SwitchesWhereTheCarrierMeetsItsReference) {
  // 1 kHz, duty 0.3: the triangle begins at its lowest point, so u is on for ±0.15 ms about every whole millisecond
  const solve::Result r = run_text(R"m(
components:
  U: {type: electrical.VoltageSource, p: plus, n: gnd, v: 40 V}
  leg: {type: converters.Chopper, p: plus, n: gnd, a: a, duty: 0.3, frequency: 1 kHz}
  L: {type: electrical.Inductor, p: a, n: b, L: 5 mH}
  R: {type: electrical.Resistor, p: b, n: gnd, R: 4 ohm}
)m",
                                   0.02, 1e-5);
  double i = 0, t = 0;
  const auto hold = [&](double u, double until) {
    i = u / 4 + (i - u / 4) * std::exp(-(until - t) / (5e-3 / 4));
    t = until;
  };
  for (int n = 0; n < 20; ++n) {
    hold(40, n * 1e-3 + 0.15e-3);
    // 1e-9 per step, two edges each millisecond
    EXPECT_NEAR(value_at(r, "L.i", t), i, 1e-7) << t;
    hold(0, n * 1e-3 + 0.85e-3);
    EXPECT_NEAR(value_at(r, "L.i", t), i, 1e-7) << t;
    hold(40, (n + 1) * 1e-3);
  }
}

TEST(HBridge, GivesItsReferenceInTheMeanAndLosesNothing) {
  const auto model = [](const std::string& form) {
    return R"m(
energy: true
components:
  U: {type: electrical.VoltageSource, p: plus, n: gnd, v: 24 V}
  bridge: {type: converters.HBridge, p: plus, n: gnd, a: a, b: b, u: "0.6*sin(60 rad/s*time)", frequency: 5 kHz, form: )m" +
           form + R"m(}
  motor: {type: converters.DcMachine, p: a, n: b, shaft: rotor, k: 0.05 V.s/rad, R: 0.8 ohm, L: 1 mH}
  rotor: {type: mechanical.Inertia, J: 1e-4 kg.m2}
)m";
  };
  const solve::Result edges = run_text(model("switched"), 0.1, 1e-3), mean = run_text(model("averaged"), 0.1, 1e-3);
  for (const double t : {0.03, 0.06, 0.1})
    EXPECT_NEAR(value_at(edges, "rotor.w", t), value_at(mean, "rotor.w", t), 0.01 * 288);  // 1 % of U/k times 0.6
  for (const solve::Result* r : {&edges, &mean}) {
    const double supplied = r->signal("energy.supplied").back(), lost = r->signal("energy.dissipated").back();
    EXPECT_NEAR(supplied - lost - r->signal("energy.stored").back(), 0, 1e-7 * (std::abs(supplied) + lost));
  }
}

TEST(Inverter, ReachesTwoOverRootThreeBySpaceVectors) {
  // amplitude 1.1 of half the link on a star of resistors: sines without clipping in the averaged form
  const auto run = [](const std::string& modulation) {
    return run_text(R"m(
components:
  U: {type: electrical.VoltageSource, p: plus, n: gnd, v: 100 V}
  inverter: {type: converters.Inverter, p: plus, n: gnd, a: a, b: b, c: c, frequency: 5 kHz, form: averaged,
             u_a: "1.1*cos(314 rad/s*time)", u_b: "1.1*cos(314 rad/s*time - 2*pi/3)", u_c: "1.1*cos(314 rad/s*time + 2*pi/3)",
             modulation: )m" +
                        modulation + R"m(}
  Ra: {type: electrical.Resistor, p: a, n: s, R: 2 ohm}
  Rb: {type: electrical.Resistor, p: b, n: s, R: 2 ohm}
  Rc: {type: electrical.Resistor, p: c, n: s, R: 2 ohm}
)m",
                    0.02, 1e-3);
  };
  const solve::Result vectors = run("space_vector"), sines = run("sine");
  double worst = 0;
  for (std::size_t k = 0; k < vectors.times.size(); ++k) {
    const double exact = 1.1 * 50 * std::cos(314 * vectors.times[k]) / 2;
    EXPECT_NEAR(vectors.signal("Ra.i")[k], exact, 1e-9);
    worst = std::max(worst, std::abs(sines.signal("Ra.i")[k] - exact));
  }
  EXPECT_GT(worst, 1);  // clipped at 1
}

TEST(ServoDriveExample, AnswersAsItsControllersAreDesigned) {
  model::Model model =
      read_example("servo_drive", "servo_drive",
                   {{"inverter.form", "averaged"}, {"q.reference", "4 A"}, {"speed.reference", "0 rad/s"}});
  solve::Options options = io::read_simulation_options(model);
  options.t_end = 4e-3, options.output_step = 5e-4;
  options.rtol = options.atol = 1e-9;
  const solve::Result r = run_model(model, options);
  for (const double t : {5e-4, 1e-3, 4e-3}) {
    EXPECT_NEAR(value_at(r, "motor.i_q", t), 4 * (1 - std::exp(-1500 * t)), 1e-6);
    EXPECT_NEAR(value_at(r, "motor.i_d", t), 0, 1e-6);
  }
}

TEST(ServoDriveExample, IsTheSameInTheMeanWithAndWithoutEdges) {
  const auto run = [](const std::string& form) {
    model::Model model = read_example("servo_drive", "servo_drive", {{"inverter.form", form}});
    return run_model(model);
  };
  const solve::Result edges = run("switched"), mean = run("averaged");
  for (const double t : {0.05, 0.14, 0.3}) {
    EXPECT_NEAR(value_at(edges, "rotor.w", t), value_at(mean, "rotor.w", t), 0.01 * 120) << t;
    EXPECT_NEAR(value_at(edges, "load.w", t), value_at(mean, "load.w", t), 0.01 * 120) << t;
  }
  EXPECT_NEAR(value_at(mean, "rotor.w", 0.3), 120, 1.2);
  const double supplied = edges.signal("energy.supplied").back(), lost = edges.signal("energy.dissipated").back();
  const double rest = supplied - lost - edges.signal("energy.stored").back();
  EXPECT_NEAR(rest, 0, 1e-5 * supplied);  // 1e-6 per step asked for
}

}  // namespace
}  // namespace coenergy::tests
