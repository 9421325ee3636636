// Parameters stay symbols: every entry of every example can be set and differentiated without another compilation, or is
// refused by name with the reason.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <random>
#include <set>

#include "coenergy/analyze/direction.hpp"
#include "coenergy/analyze/linearize.hpp"
#include "coenergy/base/names.hpp"
#include "coenergy/solve/initialize.hpp"
#include "tests/every_example.hpp"
#include "tests/inline_model.hpp"

namespace coenergy::tests {
namespace {

INSTANTIATE_TEST_SUITE_P(Parameters, EveryExample, testing::ValuesIn(example_files()), name_of);

/// Whether both have the same equations and starts; the first with its parameters as they are set.
testing::AssertionResult is_same(equations::Evaluator& a, equations::Evaluator& b) {
  const equations::System &s = a.system(), &other = b.system();
  if (s.n() != other.n() || s.nd() != other.nd()) return testing::AssertionFailure() << "other equations";
  const auto differs = [](double x, double y) { return std::abs(x - y) > 1e-9 * (1e-3 + std::abs(x) + std::abs(y)); };
  const equations::Point start = a.start(), expected = b.start();
  for (const auto part : {&equations::Point::x, &equations::Point::y})
    for (std::size_t i = 0; i < (start.*part).size(); ++i)
      if (differs((start.*part)[i], (expected.*part)[i])) return testing::AssertionFailure() << "start " << i;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> spread(-1, 1);
  std::vector<double> r(s.n()), q(s.n());
  for (int trial = 0; trial < 4; ++trial) {
    equations::Point p = expected;
    p.t = trial == 0 ? 0 : spread(random) * std::pow(10.0, -trial);
    for (auto* part : {&p.v, &p.a, &p.lambda, &p.x, &p.xd, &p.y})
      for (double& value : *part) value += spread(random);
    for (double& d : p.d) d = trial < 2 ? d : std::round(2 * spread(random));
    a.residual(p, equations::Level::position, r);
    b.residual(p, equations::Level::position, q);
    for (int i = 0; i < s.n(); ++i)
      if (differs(r[i], q[i]) && !(std::isnan(r[i]) && std::isnan(q[i])))
        return testing::AssertionFailure() << s.row_name(i) << ": " << r[i] << " is not " << q[i];
  }
  return testing::AssertionSuccess();
}

/// The parameters a user may set by name, at most `most` of the entries, spread over the model.
std::vector<int> settable(const equations::System& system, std::size_t most) {
  using Kind = equations::ParameterInfo::Kind;
  std::vector<int> of_model, entries;
  for (int k = 0; k < system.parameters(); ++k) {
    const equations::ParameterInfo& info = system.parameter_info(k);
    if (info.kind == Kind::model) of_model.push_back(k);
    if ((info.kind == Kind::entry || info.kind == Kind::start) && info.name.back() != ']') entries.push_back(k);
  }
  const std::size_t stride = std::max<std::size_t>(1, entries.size() / most);
  for (std::size_t i = 0; i < entries.size(); i += stride) of_model.push_back(entries[i]);
  return of_model;
}

/// The model with a parameter at a multiple of its value.
model::Model scale(model::Model model, const equations::System& system, int k, double factor) {
  const std::string& name = system.parameter_name(k);
  if (system.parameter_info(k).kind == equations::ParameterInfo::Kind::model) {
    for (auto& [key, value] : model.parameters)
      if (key == name) value.text = "(" + value.text + ")*" + std::to_string(factor);
  } else {
    model.set(name, format_number(system.parameter(k) * factor) + " " + system.parameter_unit(k));
  }
  return model;
}

TEST_P(EveryExample, SetsEveryParameterAsIfItWereCompiledAnew) {
  const model::Model model = read_flat(GetParam());
  const equations::System system = compile_model(model);
  constexpr double factor = 1.0625;
  int set = 0;
  for (int k : settable(system, 40)) {
    const std::string& name = system.parameter_name(k);
    equations::Evaluator evaluator(system);
    try {
      evaluator.set_parameter(name, factor * system.parameter(k));
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find("parameter " + name + " is built into the equations"), std::string::npos)
          << e.what();
      continue;
    }
    ++set;
    std::optional<equations::Evaluator> moved;
    try {
      moved.emplace(compile_model(scale(model, system, k, factor)));
    } catch (const Error&) {
      continue;  // out of its bounds, or a loop that does not close
    }
    EXPECT_TRUE(is_same(evaluator, *moved)) << name;
  }
  EXPECT_GT(set, 0);
}

/// All numbers of a model: its parameters, and the entries of components, of lists one by one.
std::vector<std::string> numbers_of(const model::Model& model, const model::Registry& registry) {
  using Kind = model::ParameterInfo::Kind;
  std::vector<std::string> names;
  for (const auto& [name, value] : model.parameters) names.push_back(name);
  for (const model::Component& c : model.components)
    for (const model::ParameterInfo& info : registry.find(c.type)->description.parameters)
      for (const auto& [entry, value] : c.values) {
        if (entry != info.name || info.kind == Kind::choice) continue;
        const std::string name = c.name + "." + entry;
        if (info.kind == Kind::scalar) names.push_back(name);
        std::size_t items = 0;
        for (const model::Value& item : value.list) items += std::max<std::size_t>(1, item.list.size());
        for (std::size_t k = 0; info.kind != Kind::scalar && k < items; ++k)
          names.push_back(name + "[" + std::to_string(k) + "]");
      }
  return names;
}

/// The slopes of a direction against differences of what follows it: parameters and start values.
void expect_slopes(const analyze::Direction& direction, const equations::System& system, int k) {
  equations::Evaluator above(system), below(system);
  const double h = 1e-6 * std::max(1e-3, std::abs(system.parameter(k)));
  above.set_parameter(k, system.parameter(k) + h), below.set_parameter(k, system.parameter(k) - h);
  // round-off of a difference of this step is 1e-10 of the values
  const auto expect = [&](double slope, double up, double down, const std::string& what) {
    const double expected = (up - down) / (2 * h);
    EXPECT_NEAR(slope, expected, 1e-6 * (1 + std::abs(expected))) << direction.name << " on " << what;
  };
  for (const auto& [i, slope] : direction.parameters)
    expect(slope, above.parameter(i), below.parameter(i), system.parameter_name(i));
  const equations::Point up = above.start(), down = below.start();
  for (std::size_t i = 0; i < direction.q.size(); ++i) expect(direction.q[i], up.q[i], down.q[i], "start of q");
  for (std::size_t i = 0; i < direction.v.size(); ++i) expect(direction.v[i], up.v[i], down.v[i], "start of v");
  for (std::size_t i = 0; i < direction.x.size(); ++i) expect(direction.x[i], up.x[i], down.x[i], "start of x");
}

TEST_P(EveryExample, DifferentiatesToEveryNumberWithoutCompilingOrSaysWhyNot) {
  const model::Model model = read_flat(GetParam());
  const model::Registry registry = domains::make_standard_registry();
  const std::vector<std::string> names = numbers_of(model, registry);
  // zeros and ones of lists are left out of equations; named as inputs they stay
  compile::CompileOptions options;
  for (const equations::System plain = compile_model(model); const std::string& name : names)
    if (name.back() == ']' && plain.find_parameter(name) < 0) options.inputs.push_back(name);
  const equations::System system = compile::compile(model, registry, options).system;
  int differentiated = 0;
  std::string refused;
  for (const std::string& name : names) {
    try {
      expect_slopes(analyze::find_direction(model, registry, system, name), system, system.find_parameter(name));
      ++differentiated;
    } catch (const Error& e) {
      const std::string text = e.what(), built_in = "parameter " + name + ": it is built into the equations";
      refused += " " + name;
      if (text == "parameter " + name + ": it is no number, so that nothing can be differentiated to it") continue;
      // the reason stands in brackets, or it is a loop that closes for this value only
      EXPECT_TRUE(text.starts_with(built_in + " (") || text.find("closes for this value only") != text.npos) << text;
    }
  }
  EXPECT_GT(differentiated, 0);
  RecordProperty("differentiated", differentiated);
  RecordProperty("refused", refused);
}

const std::string follower =
    "parameters: {U0: 6 V, part: 0.5, half: part*U0, n: 2}\n"
    "components:\n"
    "  U1: {type: electrical.VoltageSource, p: a, n: gnd, v: \"U0*(time/(1 s))^n\"}\n"
    "  R1: {type: electrical.Resistor, p: a, n: b, R: 2*part*1 ohm}\n"
    "  C1: {type: electrical.Capacitor, p: b, n: gnd, C: 0.25 F, v0: half}\n";

TEST(Parameters, EntriesAndStartValuesFollowParametersOfTheModel) {
  equations::Evaluator evaluator(compile_model(io::parse_model(follower, "m.yaml")));
  const auto value = [&](const char* name) { return evaluator.parameter(evaluator.system().find_parameter(name)); };
  EXPECT_EQ(value("half"), 3);
  EXPECT_EQ(evaluator.start().x[0], 3);
  evaluator.set_parameter("part", 0.75);
  EXPECT_EQ(value("half"), 4.5);
  EXPECT_EQ(value("R1.R"), 1.5);
  EXPECT_EQ(evaluator.start().x[0], 4.5);
  // what follows may be set itself; then it stays until what it follows is set again
  evaluator.set_parameter("R1.R", 7);
  EXPECT_EQ(value("part"), 0.75);
  evaluator.set_parameter("U0", 10);
  EXPECT_EQ(value("R1.R"), 7);
  EXPECT_EQ(value("half"), 7.5);
}

TEST(Parameters, TheSpinOfABodyStaysASymbolAndWhatItIsCarriedByIsRefused) {
  const std::string text =
      "parameters: {spin: 3 rad/s, w: 2 rad/s}\n"
      "components:\n"
      "  turn: {type: multibody.Revolute, parent: ground, child: arm, axis: z, qd0: w}\n"
      "  arm: {type: multibody.Body, mass: 2 kg, inertia: [1, 1, 1]}\n"
      "  ball: {type: multibody.Spherical, parent: arm, child: bob, parent_at: [1 m, 0, 0]}\n"
      "  bob: {type: multibody.Body, mass: 1 kg, inertia: [1, 2, 3], angular_velocity: [spin, 0, 0]}\n"
      "  loose: {type: multibody.Body, mass: 1 kg, inertia: [1, 2, 3], angular_velocity: [0, 0, spin]}\n";
  const model::Registry registry = domains::make_standard_registry();
  for (const std::string formulation : {"", "formulation: absolute\n"}) {
    const model::Model model = io::parse_model(text + formulation, "m.yaml");
    equations::Evaluator evaluator(compile_model(model));
    evaluator.set_parameter("spin", 5);
    const solve::Start start = solve::initialize(evaluator, {});
    ASSERT_TRUE(start.good) << start.text;
    const auto signal = [&](const std::string& name) {
      std::vector<double> values(evaluator.system().signals().size());
      evaluator.signals(start.point, values);
      return values[evaluator.system().get_signal(name, "")];
    };
    EXPECT_NEAR(signal("bob.wx"), 5, 1e-9) << formulation;
    EXPECT_NEAR(signal("loose.wz"), 5, 1e-9) << formulation;
    try {
      analyze::find_direction(model, registry, evaluator.system(), "w");
      FAIL();
    } catch (const Error& e) {
      EXPECT_STREQ(e.what(),
                   "parameter w: it is built into the equations by the start of bob; compare runs by the verb "
                   "sweep instead");
    }
  }
}

TEST(Parameters, AListIsDifferentiatedNumberByNumber) {
  const model::Model model = io::parse_model(
      "components:\n  turn: {type: multibody.Revolute, parent: ground, child: arm, axis: z, parent_at: [1 m, 2 m, 0]}\n"
      "  arm: {type: multibody.Body, mass: 2 kg, inertia: [1, 1, 1]}\n",
      "m.yaml");
  try {
    analyze::find_direction(model, domains::make_standard_registry(), compile_model(model), "turn.parent_at");
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(),
                 "parameter turn.parent_at: it is a list; name one of its numbers, such as "
                 "turn.parent_at[0]");
  }
}

TEST(Parameters, OneThatBecameANumberIsRefusedByName) {
  equations::Evaluator evaluator(compile_model(io::parse_model(follower, "m.yaml")));
  try {
    evaluator.set_parameter("n", 3);
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "parameter n is built into the equations by U1.v; compile the model with another value");
  }
  try {
    evaluator.set_parameter("hal", 3);
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "there is no parameter \"hal\"; did you mean half?");
  }
}

TEST(Parameters, RunsWithAnotherValueAreThoseOfTheModelWithIt) {
  const std::string text =
      "parameters: {tau: 30 ms, R: 4 ohm}\n"
      "components:\n"
      "  U1: {type: electrical.VoltageSource, p: a, n: gnd, v: 9 V}\n"
      "  R1: {type: electrical.Resistor, p: a, n: b, R: R}\n"
      "  C1: {type: electrical.Capacitor, p: b, n: gnd, C: tau/R}\n";
  equations::Evaluator evaluator(compile_model(io::parse_model(text, "m.yaml")));
  solve::Options options;
  options.t_end = 0.1;
  options.method = "radau";
  options.rtol = options.atol = 1e-10;
  for (const double tau : {0.02, 0.03, 0.05}) {
    evaluator.set_parameter("tau", tau);
    const solve::Result result = solve::simulate(evaluator, options);
    ASSERT_EQ(result.status, solve::Status::done);
    EXPECT_NEAR(result.signal("C1.v").back(), 9 * (1 - std::exp(-0.1 / tau)), 1e-8) << tau;
  }
}

TEST(Parameters, OneOfTheModelIsAnInputWithAllThatFollowsIt) {
  // di/dt = (k U0 - R i)/L: B = k/L by U0, whose entry is k*U0
  const std::string text =
      "parameters: {U0: 5 V, k: 3}\n"
      "components:\n"
      "  U1: {type: electrical.VoltageSource, p: a, n: gnd, v: k*U0}\n"
      "  R1: {type: electrical.Resistor, p: a, n: b, R: 2 ohm}\n"
      "  L1: {type: electrical.Inductor, p: b, n: gnd, L: 50 mH}\n";
  equations::Evaluator evaluator(compile_model(io::parse_model(text, "m.yaml")));
  const solve::Start start = solve::initialize(evaluator, {});
  const analyze::StateSpace s = analyze::linearize(evaluator, start.point, {"U0"}, {"L1.i", "a.v"}).model;
  EXPECT_NEAR(s.b(0, 0), 3 / 0.05, 1e-9);
  EXPECT_NEAR(s.d(1, 0), 3, 1e-12);
  EXPECT_EQ(s.input_units[0], "V");
}

}  // namespace
}  // namespace coenergy::tests
