// Every output of a kind, in a small machine of its own, has the described sign and meaning: an independent value. The
// component is called x; the last test tells which outputs of the registry have none here.
#include <cmath>
#include <numbers>
#include <set>

#include "tests/inline_model.hpp"
#include "tests/output_machines_drives.hpp"
#include "tests/output_machines_electrical.hpp"
#include "tests/output_machines_multibody.hpp"

namespace coenergy::tests {
namespace {

std::vector<Machine> block_machines() {
  const std::string file = COENERGY_SOURCE_DIR "/tests/force.csv";
  return {
      {"blocks.FileSource", "data: " + file + ":force", "", 0.05, {{"y", 2000}, {"row", 1}}},
      {"blocks.InverseTable", "u: 3.5, x: [1, 2], values: [3, 4]", "", 0, {{"y", 1.5}}},
      {"blocks.Custom", "rates: [2], x0: [1], outputs: [3*x.x1]", "", 0.5, {{"y", 6}}},
      {"blocks.Mux", "u: [3, time/(1 s)]", "", 0.5, {{"y1", 3}, {"y2", 0.5}}},
      {"blocks.Mux", "u: 3", "", 0.5, {{"y", 3}}},
      {"blocks.Demux", "u: [3, time/(1 s)], pick: 2", "", 0.5, {{"y", 0.5}}},
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
      {"blocks.TransportDelay",
       "u: time/(1 s), delay: 0.2 s, before: 3",
       "",
       0.5,
       {{"y", 0.3}, {"arrived", 1}, {"arrived_input", 0.5}}},
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
  for (const std::vector<Machine>& some :
       {mechanical_machines(), hydraulic_machines(), pneumatic_machines(), multibody_machines(), source_machines(),
        element_machines(), block_machines(), synchronous_machines(), induction_machines(), winding_machines(),
        moving_machines(), bridge_machines(), transform_machines(), sampled_drive_machines()})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

INSTANTIATE_TEST_SUITE_P(Kinds, OutputTest, testing::ValuesIn(all_machines()), [](const auto& info) {
  std::string name = info.param.type + "_" + std::to_string(info.index);
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
});

TEST(Outputs, OfAllDomainsAllAreThere) {
  std::set<std::string> shown;
  for (const Machine& m : all_machines())
    for (const auto& [output, value] : m.values) shown.insert(m.type + "." + output);
  // these have tests of their own: random numbers and their seeds, wheels on rails, semiconductors, windings by co-energy,
  // FMUs, which bring their outputs (fmu_import_test)
  const std::set<std::string> elsewhere = {"blocks.Noise",
                                           "fmu.Import",
                                           "multibody.WheelRail",
                                           "electrical.BipolarTransistor",
                                           "electrical.ChargedMosfet",
                                           "electrical.Diode",
                                           "electrical.Jfet",
                                           "electrical.JunctionCapacitor",
                                           "electrical.Mosfet",
                                           "electrical.Zener",
                                           "electrical.EmpiricalMosfet",
                                           "electrical.GeometricMosfet",
                                           "electrical.CoenergyWindings"};
  const model::Registry registry = domains::make_standard_registry();
  for (const std::string& type : registry.names()) {
    if (elsewhere.count(type) != 0) continue;
    const model::Description& d = registry.find(type)->description;
    for (const auto& v : d.variables) EXPECT_EQ(shown.count(type + "." + v.name), 1u) << type << "." << v.name;
    for (const auto& o : d.outputs)
      if (o.name.back() != '#') {
        EXPECT_EQ(shown.count(type + "." + o.name), 1u) << type << "." << o.name;
      }
  }
}

}  // namespace
}  // namespace coenergy::tests
