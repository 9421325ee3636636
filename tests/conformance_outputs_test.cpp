// Every output of a kind, in a small machine of its own, has the described sign and meaning: an independent value. The
// component is called x; the last test tells which outputs of the registry have none here.
#include <cmath>
#include <numbers>
#include <set>

#include "tests/inline_model.hpp"

namespace coenergy::tests {
namespace {

constexpr double pi = std::numbers::pi, air = 101325;

struct Machine {
  std::string type, entries;  ///< of x
  std::string others;         ///< further components
  double time;
  std::vector<std::pair<std::string, double>> values;  ///< outputs of x at that time
  double tolerance = 1e-7;  ///< of the value's size: the run's tolerance of 1e-9 and its steps
};

/// A thing moved by s = 0.2 m + 3 m/s t against the ground.
const std::string moved = "d: {type: mechanical.TranslationalMotion, flange: n, s: 0.2 m + 3 m/s*time}";
const std::string turned = "d: {type: mechanical.RotationalMotion, flange: n, phi: 0.2 rad + 3 rad/s*time}";

std::vector<Machine> mechanical_machines() {
  std::vector<Machine> all{
      {"mechanical.Inertia",
       "J: 2 kg.m2, phi0: 0.5 rad, w0: 1 rad/s",
       "f: {type: mechanical.Torque, flange: x, tau: 3 N.m}",
       2,
       {{"phi", 5.5}, {"w", 4}, {"a", 1.5}}},
      {"mechanical.Mass",
       "m: 2 kg, s0: 0.5 m, v0: 1 m/s",
       "f: {type: mechanical.Force, flange: x, f: 3 N}",
       2,
       {{"s", 5.5}, {"v", 4}, {"a", 1.5}}},
      {"mechanical.Clearance", "a: n, b: ground, k: 10 N.m/rad, play: 0.4 rad", turned, 0.1, {{"phi", 0.5}}},
      {"mechanical.IdealGear",
       "a: n, b: J, ratio: 2",
       "J: {type: mechanical.Inertia, J: 5 kg.m2}, f: {type: mechanical.Torque, flange: n, tau: 3 N.m}",
       0.1,
       {{"tau", 3}}},
      {"mechanical.RackPinion",
       "pinion: n, rack: m, r: 0.5 m/rad",
       "m: {type: mechanical.Mass, m: 2 kg}, f: {type: mechanical.Torque, flange: n, tau: 3 N.m}",
       0.1,
       {{"f", -6}}},
  };
  for (const bool turns : {false, true}) {
    const std::string kind = turns ? "mechanical.Rotational" : "mechanical.Translational", f = turns ? "tau" : "f";
    const std::string s = turns ? "phi" : "s", rad = turns ? "rad" : "m", N = turns ? "N.m" : "N";
    const std::string move = turns ? turned : moved;
    all.push_back({kind + "Spring", "a: ground, b: n, k: 4, rest: 0.1", move, 0.5, {{f, 6.4}, {"delta", 1.6}}});
    all.push_back({kind + "Damper", "a: ground, b: n, d: 2", move, 0.5, {{f, 6}}});
    all.push_back(
        {kind + "SpringDamper", "a: ground, b: n, k: 4, d: 2, rest: 0.1", move, 0.5, {{f, 12.4}, {"delta", 1.6}}});
    all.push_back({kind + "Friction", "a: ground, b: n, coulomb: 2, d: 0.5", move, 0.5, {{f, 3.5}}});
    all.push_back({kind + "Stop", "a: ground, b: n, upper: 1.5, stop_stiffness: 10", move, 0.5, {{"delta", 1.7}}});
    const std::string part = turns ? "mechanical.Inertia, shaft: n, J: 2" : "mechanical.Mass, flange: n, m: 2";
    all.push_back({turns ? "mechanical.Torque" : "mechanical.Force",
                   "flange: n, " + f + ": 3 " + N,
                   "m: {type: " + part + "}",
                   0.5,
                   {{f, 3}}});
    all.push_back({kind + "Motion",
                   "flange: n, " + s + ": 1.5 " + rad + "/s^2*time^2",
                   "m: {type: " + part + "}",
                   0.5,
                   {{f, 6}, {"lambda", -6}}});
    all.push_back({kind + "Fixed",
                   "flange: n, " + s + ": 0.6",
                   "s: {type: " + kind + "Spring, a: ground, b: n, k: 4, rest: 0.1}",
                   0.5,
                   {{f, 2}, {"lambda", -2}}});
  }
  return all;
}

std::vector<Machine> hydraulic_machines() {
  const std::string feed =
      "P: {type: hydraulic.PressureSource, a: a, p: 30 bar}, T: {type: hydraulic.Tank, a: b, p: 5 bar}";
  const double K = 0.7 * 2e-6 * std::sqrt(2 / 870.0), flow = K * 25e5 / std::pow(25e5 * 25e5 + 1e6, 0.25);
  const double Z = std::sqrt(1.4e9 * 870) / 1e-4, seat = pi / 4 * 1e-4;
  const double cone = pi * 0.01 * 1e-3 * 0.5 * (1 - 1e-3 * std::sin(pi / 3) / 0.02);
  const double precharge = 40e5 + air, oil = 0.5e-3 * (1 - std::pow(precharge / (60e5 + air), 1 / 1.3));
  return {
      {"hydraulic.Volume",
       "a: a, V: 1 l, beta: 1 GPa, p0: 2 bar",
       "q: {type: hydraulic.FlowSource, a: a, q: 0.02 l/s}",
       0.5,
       {{"p", 2e5 + 1e7}, {"q", 2e-5}, {"void", 0}}},
      {"hydraulic.Volume",
       "a: a, V: 1 l, beta: 1 GPa",
       "q: {type: hydraulic.FlowSource, a: a, q: -0.2 l/s}",
       0.5,
       {{"void", 0.1 - air / 1e9}}},
      {"hydraulic.Accumulator",
       "a: a, V: 0.5 l, precharge: 40 bar, p0: 60 bar",
       "q: {type: hydraulic.FlowSource, a: a, q: 1 l/s}",
       0,
       {{"p", 60e5}, {"V_oil", oil}, {"q", 1e-3}}},
      {"hydraulic.Orifice", "a: a, b: b, area: 2 mm2", feed, 0, {{"q", flow}, {"dp", 25e5}}},
      {"hydraulic.CheckValve", "a: a, b: b, area: 2 mm2", feed, 0, {{"q", flow}, {"opening", 1}}},
      {"hydraulic.ReliefValve", "a: a, b: b, area: 2 mm2, p_set: 20 bar", feed, 0, {{"q", flow / 2}, {"opening", 0.5}}},
      {"hydraulic.ServoValve",
       "p: a, t: b, a: c, b: d, area: 2 mm2, u: 0.5",
       feed + ", C: {type: hydraulic.Tank, a: c, p: 5 bar}, D: {type: hydraulic.PressureSource, a: d, p: 30 bar}",
       0,
       {{"q_a", flow / 2}, {"q_b", -flow / 2}}},
      {"hydraulic.PressureSource",
       "a: a, p: 30 bar",
       "o: {type: hydraulic.Orifice, a: a, b: b, area: 2 mm2}, T: {type: hydraulic.Tank, a: b, p: 5 bar}",
       0,
       {{"q", flow}, {"p", 30e5}}},
      {"hydraulic.Tank",
       "a: b, p: 5 bar",
       "o: {type: hydraulic.Orifice, a: a, b: b, area: 2 mm2}, P: {type: hydraulic.PressureSource, a: a, p: 30 bar}",
       0,
       {{"q", flow}}},
      {"hydraulic.FlowSource",
       "a: a, q: 0.1 l/s",
       "t: {type: hydraulic.Tank, a: a, p: 5 bar}",
       0,
       {{"q", 1e-4}, {"p", 5e5}}},
      {"hydraulic.PumpMotor",
       "a: a, b: b, shaft: n, D: 2 cm3/rad, leakage: 1e-12, d: 0.5",
       feed + ", " + turned,
       0,
       {{"q", 6e-6 + 2.5e-6}, {"tau", -5 + 1.5}, {"dp", -25e5}}},
      {"hydraulic.FlowControlValve",
       "a: a, b: b, q_set: 0.01 l/s, area: 2 mm2",
       feed,
       0,
       {{"q", 1e-5}, {"dp", 25e5}, {"regulates", 1}}},
      {"hydraulic.FlowControlValve", "a: b, b: a, q_set: 0.01 l/s, area: 2 mm2", feed, 0, {{"q", -flow}}},
      {"hydraulic.IdealCheckValve",
       "a: a, b: b, R: 2.5e10",
       feed,
       0,
       {{"q", 1e-4}, {"dp", 25e5}, {"open", 1}, {"s", 0.1}}},
      {"hydraulic.IdealCheckValve", "a: b, b: a", feed, 0, {{"q", -25e5 * 1e-16}, {"open", 0}, {"s", -25}}},
      {"hydraulic.IdealReliefValve",
       "a: a, b: b, p_set: 20 bar, R: 5e9, leakage: 1e-12",
       feed,
       0,
       {{"q", 1e-4 + 2e-6}, {"dp", 25e5}, {"open", 1}, {"s", 0.1}}},
      {"hydraulic.Poppet",
       "a: a, b: b, poppet: n, seat: 10 mm, angle: 30 deg",
       feed + ", d: {type: mechanical.TranslationalMotion, flange: n, s: 1 mm + 2 mm/s*time}",
       0,
       {{"x", 1e-3},
        {"area", cone},
        {"f", seat * 25e5 - 1.4 * cone * std::cos(pi / 6) * 25e5},
        {"q", flow * cone / 2e-6 + seat * 2e-3}}},
      {"hydraulic.Spool",
       "p: a, t: b, a: c, b: e, x: a, y: b, spool: n, width: 10 mm, pilot_area: 50 mm2, overlap: 0.5 mm",
       feed + ", C: {type: hydraulic.Tank, a: c, p: 5 bar}, E: {type: hydraulic.PressureSource, a: e, p: 30 bar}, d: "
              "{type: "
              "mechanical.TranslationalMotion, flange: n, s: 1 mm + 2 mm/s*time}",
       0,
       {{"x", 1e-3},
        {"q_a", flow * 5e-6 / 2e-6},
        {"q_b", -flow * 5e-6 / 2e-6},
        {"f", 25e5 * 50e-6 - 2 * 1.4 * 5e-6 * std::cos(69 * pi / 180) * 25e5}}},
      {"hydraulic.IdealCylinder",
       "a: a, b: b, rod: n, A_a: 10 cm2, A_b: 6 cm2",
       feed + ", " + moved,
       0,
       {{"v", 3}, {"f", 3000 - 300}, {"q_a", 3e-3}, {"q_b", -1.8e-3}}},
      {"hydraulic.Inertance",
       "a: a, b: b, length: 1 m, area: 1 cm2",
       feed,
       0.1,
       {{"q", 25e5 * 0.1 / 8.7e6}, {"dp", 25e5}}},
      // the first wave is on its way to b
      {"hydraulic.Line",
       "a: a, b: b, length: 10 m, area: 1 cm2, p0: 5 bar",
       feed,
       0.005,
       {{"q_a", 25e5 / Z},
        {"q_b", 0},
        {"energy", 30e5 * 25e5 / Z * 0.005},
        {"delay", 10 / std::sqrt(1.4e9 / 870)},
        {"Z", Z},
        {"arrived_a", -1},
        {"arrived_b", -1}}},
      // held at 3 m/s: forces by the pressures, ṗ by the motion
      {"hydraulic.Cylinder",
       "a: a, b: b, rod: n, A_a: 10 cm2, A_b: 6 cm2, stroke: 2 m, d: 100 N.s/m, p_a0: 20 bar, p_b0: 30 bar",
       moved,
       0,
       {{"x", 0.2}, {"v", 3}, {"f", 2000 - 1800 - 300}, {"p_a", 20e5}, {"p_b", 30e5}, {"void_a", 0}, {"void_b", 0}}},
  };
}

std::vector<Machine> block_machines() {
  return {
      {"blocks.Constant", "value: 3", "", 0, {{"y", 3}}},
      {"blocks.Gain", "u: time/(1 s), k: 4", "", 0.5, {{"y", 2}}},
      {"blocks.Sum", "u: [1, time/(1 s), -4]", "", 0.5, {{"y", -2.5}}},
      {"blocks.Product", "u: [2, time/(1 s)], by: [4]", "", 0.5, {{"y", 0.25}}},
      {"blocks.Expression", "value: 2*time/(1 s)", "", 0.5, {{"y", 1}}},
      {"blocks.MatrixGain", "u: [1, 2], K: [[3, 4]]", "", 0, {{"y", 11}}},
      {"blocks.Step", "start: 0.2 s, height: 3, offset: 1", "", 0.5, {{"y", 4}, {"on", 1}}},
      {"blocks.Ramp", "duration: 2 s, height: 4, offset: 1", "", 0.5, {{"y", 2}}},
      {"blocks.Sine", "frequency: 1 Hz, amplitude: 3", "", 0.25, {{"y", 3}}},
      {"blocks.Chirp", "f0: 1 Hz, f1: 2 Hz, duration: 1 s", "", 0.5, {{"y", std::sin(2 * pi * 0.625)}, {"f", 1.5}}},
      {"blocks.Saturation", "u: 5, upper: 2", "", 0, {{"y", 2}}},
      {"blocks.DeadZone", "u: 5, upper: 2", "", 0, {{"y", 3}}},
      {"blocks.Integrator", "u: 3, y0: 1", "", 0.5, {{"y", 2.5}}},
      {"blocks.ResettableIntegrator",
       "u: 3, y0: 1, reset: \"time > 0.2 s ? 1 : 0\"",
       "",
       0.5,
       {{"y", 0.9}, {"z", 2.5}}},
      {"blocks.SampledIntegrator", "u: 3, sample: 0.2 s", "", 0.5, {{"y", 1.2}}},
      {"blocks.Derivative", "u: 3*time/(1 s)", "", 0.5, {{"y", 3}}},
      {"blocks.TransferFunction", "u: 3, den: [1, 0]", "", 0.5, {{"y", 1.5}}},
      {"blocks.ZeroPole", "u: 3, poles: [0]", "", 0.5, {{"y", 1.5}}},
      {"blocks.Filter", "u: 3, order: 1, corners: [1 Hz]", "", 0.5, {{"y", 3 * (1 - std::exp(-pi))}}},
      {"blocks.StateSpace", "u: [3], A: [-1], B: [1], C: [2], x0: [3]", "", 0.5, {{"y", 6}}},
      {"blocks.Pid", "reference: 3, measure: 1, kp: 2, ki: 4", "", 0.5, {{"y", 4 + 4}, {"x", -1}}},
      {"blocks.SampledPid",
       "reference: 3, measure: 1, kp: 2, ki: 4, sample: 0.25 s",
       "",
       0.6,
       {{"y", 4 + 4}, {"x", -1}}},
      {"blocks.ZeroOrderHold", "u: time/(1 s), sample: 0.2 s", "", 0.5, {{"y", 0.4}}},
      {"blocks.UnitDelay", "u: time/(1 s), sample: 0.2 s", "", 0.5, {{"y", 0.2}, {"stored", 0.4}}},
      {"blocks.RateLimiter", "u: 3*time/(1 s), rising: 2", "", 0.5, {{"y", 1}, {"limited", 1}}},
      {"blocks.Backlash", "u: 3*time/(1 s), width: 1", "", 0.5, {{"y", 1}, {"contact", 1}}},
      {"blocks.Quantiser", "u: 3*time/(1 s), step: 0.4", "", 0.5, {{"y", 1.6}}},
      {"blocks.Encoder",
       "angle: 0.61*2*pi, lines: 5",
       "",
       0.5,
       {{"count", 12}, {"y", 0.6 * 2 * pi}, {"a", 1}, {"b", 0}, {"index", 0}}},
      {"blocks.Switch", "control: time/(1 s), on: 7, threshold: 0.3", "", 0.5, {{"y", 7}, {"closed", 1}}},
      {"blocks.Selector", "index: 2, u: [5, 6, 7]", "", 0, {{"y", 6}}},
      {"blocks.Logic", "u: [1, 1]", "", 0, {{"y", 1}}},
      {"blocks.Comparator", "a: time/(1 s), b: 0.3", "", 0.5, {{"y", 1}}},
      {"blocks.Relay", "u: time/(1 s), on: 0.4, off: 0, high: 9", "", 0.5, {{"y", 9}, {"closed", 1}}},
      {"blocks.Latch", "set: time/(0.4 s), reset: 0", "", 0.5, {{"y", 1}, {"not", 0}}},
      {"blocks.SampleOnTrigger", "u: time/(1 s), trigger: \"time > 0.2 s ? 1 : 0\"", "", 0.5, {{"y", 0.2}}},
      {"blocks.Counter", "trigger: \"time > 0.2 s ? 1 : 0\", y0: 4", "", 0.5, {{"y", 5}}},
      {"blocks.Table", "u: [1.5], x1: [1, 2], values: [3, 4]", "", 0, {{"y", 3.5}}},
      {"blocks.StateMachine",
       "from: [1], to: [2], guards: [\"time > 0.2 s ? 1 : 0\"], values: [5, 7]",
       "",
       0.5,
       {{"y", 7}, {"state", 2}, {"entered", 0.2}}},
      {"blocks.TransportDelay", "u: time/(1 s), delay: 0.2 s, before: 3", "", 0.5, {{"y", 0.3}, {"arrived", 1}}},
      {"blocks.TrapezoidMotion",
       "to: 4, v_max: 2, a_max: 4",
       "",
       1,
       {{"y", 1.5}, {"v", 2}, {"a", 0}, {"duration", 2.5}}},
      // half of the first acceleration: jerk 8 for 0.25 s
      {"blocks.SCurveMotion",
       "to: 4, v_max: 2, a_max: 4, j_max: 8",
       "",
       0.25,
       {{"y", 8 * std::pow(0.25, 3) / 6}, {"v", 0.25}, {"a", 2}, {"duration", 2 + 0.5 + 0.5}}},
      {"blocks.SplineMotion", "times: [0, 1], values: [0, 2]", "", 0.5, {{"y", 1}, {"v", 3}, {"a", 0}}},
  };
}

class OutputTest : public testing::TestWithParam<Machine> {};

TEST_P(OutputTest, HasItsSignAndMeaning) {
  const Machine& m = GetParam();
  const auto r = run_text(
      "components: {x: {type: " + m.type + ", " + m.entries + "}" + (m.others.empty() ? "" : ", " + m.others) + "}",
      std::max(m.time, 0.01), m.time > 0 ? m.time : 0.01);
  for (const auto& [output, value] : m.values)
    EXPECT_NEAR(value_at(r, "x." + output, m.time), value, m.tolerance * std::max(1e-6, std::abs(value)) + 1e-12)
        << m.type << "." << output;
}

std::vector<Machine> all_machines() {
  std::vector<Machine> all;
  for (const std::vector<Machine>& some : {mechanical_machines(), hydraulic_machines(), block_machines()})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

INSTANTIATE_TEST_SUITE_P(Kinds, OutputTest, testing::ValuesIn(all_machines()), [](const auto& info) {
  std::string name = info.param.type + "_" + std::to_string(info.index);
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
});

TEST(Outputs, OfTheseDomainsAllAreThere) {
  std::set<std::string> shown;
  for (const Machine& m : all_machines())
    for (const auto& [output, value] : m.values) shown.insert(m.type + "." + output);
  // random numbers and their seeds have a test of their own
  const std::set<std::string> domains = {"mechanical", "hydraulic", "blocks"}, elsewhere = {"blocks.Noise"};
  const model::Registry registry = domains::make_standard_registry();
  for (const std::string& type : registry.names()) {
    if (domains.count(type.substr(0, type.find('.'))) == 0 || elsewhere.count(type) != 0) continue;
    const model::Description& d = registry.find(type)->description;
    for (const auto& v : d.variables) EXPECT_EQ(shown.count(type + "." + v.name), 1u) << type << "." << v.name;
    for (const auto& o : d.outputs)
      if (o.name.back() != '#') EXPECT_EQ(shown.count(type + "." + o.name), 1u) << type << "." << o.name;
  }
}

}  // namespace
}  // namespace coenergy::tests
