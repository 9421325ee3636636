// Operating points that Newton's method alone does not find, and nodes that are held or guessed.
#include <cmath>
#include <nlohmann/json.hpp>

#include "coenergy/solve/initialize.hpp"
#include "coenergy/solve/static_newton.hpp"
#include "tests/inline_model.hpp"
#include "tests/program.hpp"

namespace coenergy::tests {
namespace {

constexpr double beyond_all_time_constants = 1e9;  // s

/// Which of the ways succeed from the start of the model, each by itself.
struct Ways {
  bool newton, gmin, sources;
};
Ways try_ways(const std::string& text) {
  equations::Evaluator evaluator(compile_model(io::parse_model(text, "m.yaml")));
  solve::Statistics statistics;
  const auto attempt = [&](bool (solve::StaticNewton::*way)(equations::Point&, double)) {
    solve::StaticNewton newton(evaluator, statistics);
    equations::Point p = evaluator.system().start();
    return (newton.*way)(p, beyond_all_time_constants);
  };
  solve::StaticNewton newton(evaluator, statistics);
  equations::Point p = evaluator.system().start();
  return {newton.solve(p, beyond_all_time_constants, 0), attempt(&solve::StaticNewton::solve_by_leaks),
          attempt(&solve::StaticNewton::solve_by_sources)};
}

struct Found {
  std::string method;
  double v;
};
Found find_operating_point(const std::string& text, const std::string& signal = "X.v") {
  equations::Evaluator evaluator(compile_model(io::parse_model(text, "m.yaml")));
  solve::Options options;
  options.start = "steady";
  const solve::Start start = solve::initialize(evaluator, options);
  EXPECT_TRUE(start.good) << start.text;
  std::vector<double> values(evaluator.system().signals().size());
  evaluator.signals(start.point, values);
  if (start.method != "Newton's method") {
    EXPECT_EQ(start.notes, std::vector<std::string>{"the operating point was found by " + start.method});
  }
  return {start.method, values[static_cast<std::size_t>(evaluator.system().find_signal(signal))]};
}

// from v = 0 Newton's method for v³ − 2v + 2 = 0 goes to 1, and from there back to 0
const double root = -1.7692923542386314;

TEST(OperatingPoint, ALinearCircuitNeedsNewtonOnly) {
  const Found found = find_operating_point(R"(
components:
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 6 V}
  R: {type: electrical.Resistor, p: a, n: b, R: 1 ohm}
  X: {type: electrical.Resistor, p: b, n: gnd, R: 2 ohm}
)");
  EXPECT_EQ(found.method, "Newton's method");
  EXPECT_NEAR(found.v, 4, 1e-12);
}

const std::string cycle = R"yaml(
components:
  X: {type: electrical.NonlinearResistor, p: a, n: gnd, i: "1 mA*((X.v/(1 V))^3 - 2*X.v/(1 V) + 2)"}
)yaml";

TEST(OperatingPoint, GminSteppingFindsWhatNewtonCirclesAround) {
  // a leak of 1 S beside currents of mA makes the circuit easy, and its root moves steadily as the leak vanishes
  const Ways ways = try_ways(cycle);
  EXPECT_FALSE(ways.newton);
  EXPECT_TRUE(ways.gmin);
  const Found found = find_operating_point(cycle);
  EXPECT_EQ(found.method, "gmin stepping");
  EXPECT_NEAR(found.v, root, 1e-9);
}

TEST(OperatingPoint, SourceSteppingFindsWhatNeitherOfThemFinds) {
  // beside a hundred amperes a leak of 1 S is nothing; the source grows along a curve that always rises
  const std::string text = R"yaml(
components:
  X: {type: electrical.NonlinearResistor, p: a, n: gnd, i: "100 A*tanh(10*(X.v/(1 V) - 5)) + 0.1 A*(X.v/(1 V) - 5)"}
)yaml";
  const Ways ways = try_ways(text);
  EXPECT_FALSE(ways.newton);
  EXPECT_FALSE(ways.gmin);
  EXPECT_TRUE(ways.sources);
  const Found found = find_operating_point(text);
  EXPECT_EQ(found.method, "source stepping");
  EXPECT_NEAR(found.v, 5, 1e-9);
}

TEST(OperatingPoint, SettlingFindsWhatAllOfThemMiss) {
  // with amperes the leak does not help, and the root of the growing source vanishes half way
  const std::string text = R"yaml(
components:
  X: {type: electrical.NonlinearResistor, p: a, n: gnd, i: "1 A*((X.v/(1 V))^3 - 2*X.v/(1 V) + 2)"}
  C: {type: electrical.Capacitor, p: a, n: gnd, C: 1 mF}
)yaml";
  const Ways ways = try_ways(text);
  EXPECT_FALSE(ways.newton || ways.gmin || ways.sources);
  const Found found = find_operating_point(text);
  EXPECT_EQ(found.method, "settling");
  EXPECT_NEAR(found.v, root, 1e-9);
}

TEST(OperatingPoint, WhatNeverComesToRestIsRefusedByItsName) {
  // every second brings the coil another thousand amperes, and the capacitor another volt: gmin and source stepping,
  // which begin anew at each attempt, must not take the point they reach for a rest
  const auto refuse = [](const std::string& text) {
    const Folder folder;
    const Outcome outcome = run_program({"op", folder.write("circuit.yaml", text)});
    EXPECT_EQ(outcome.status, 1) << outcome.all();
    return outcome.message;
  };
  EXPECT_EQ(refuse(R"yaml(
components:
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 1 V}
  L: {type: electrical.Inductor, p: a, n: gnd, L: 1 mH}
)yaml"),
            "op: no operating point: L.i does not come to rest\n");
  EXPECT_EQ(refuse(R"yaml(
components:
  I: {type: electrical.CurrentSource, p: gnd, n: a, i: 1 A}
  C: {type: electrical.Capacitor, p: a, n: gnd, C: 1 F}
)yaml"),
            "op: no operating point: C.v does not come to rest\n");
}

TEST(OperatingPoint, FunctionsWithoutAValueAtZeroAreNoObstacle) {
  // of two nodes that a source holds at 4 V and 2 V: at 0 V, where the search begins, none of these has a slope
  const std::pair<const char*, double> cases[] = {{"log(x.v/(1 V))", std::log(4)},
                                                  {"sqrt(x.v/(1 V))", 2},
                                                  {"(1 V)/x.v", 0.25},
                                                  {"(1 V)/(x.v - y.v)", 0.5},
                                                  {"log(x.v/(1 V) - 3)", 0}};
  for (const auto& [function, expected] : cases) {
    const std::string text = R"yaml(
components:
  U:  {type: electrical.VoltageSource, p: x, n: gnd, v: 4 V}
  R1: {type: electrical.Resistor, p: x, n: y, R: 1 kohm}
  R2: {type: electrical.Resistor, p: y, n: gnd, R: 1 kohm}
  B:  {type: electrical.VoltageSource, p: a, n: gnd, v: "1 V*)yaml" +
                             std::string(function) + R"yaml("}
  R3: {type: electrical.Resistor, p: a, n: gnd, R: 1 kohm}
)yaml";
    EXPECT_NEAR(find_operating_point(text, "a.v").v, expected, 1e-9) << function;  // Newton's tolerance is 1e-10
  }
}

TEST(OperatingPoint, TheVerbTellsTheMethod) {
  const Folder folder;
  folder.write("cycle.yaml", cycle);
  const std::string model = (folder / "cycle.yaml").string();
  const Outcome outcome = run_program({"op", model});
  EXPECT_EQ(outcome.status, 0) << outcome.all();
  EXPECT_TRUE(outcome.output.starts_with("operating point by gmin stepping\n")) << outcome.output;
  const Outcome json = run_program({"op", model, "--json"});
  EXPECT_EQ(nlohmann::json::parse(json.output)["method"], "gmin stepping");
}

const std::string latch = R"yaml(
components:
  U:  {type: electrical.VoltageSource, p: s, n: gnd, v: 5 V}
  R1: {type: electrical.Resistor, p: s, n: a, R: 1 kohm}
  R2: {type: electrical.Resistor, p: s, n: b, R: 1 kohm}
  M1: {type: electrical.Mosfet, d: a, g: b, s: gnd, b: gnd, Kp: 10 mA/V2, Vto: 1 V}
  M2: {type: electrical.Mosfet, d: b, g: a, s: gnd, b: gnd, Kp: 10 mA/V2, Vto: 1 V}
  C1: {type: electrical.Capacitor, p: a, n: gnd, C: 1 nF}
)yaml";

TEST(OperatingPoint, ALagThatNobodyReadsIsAtRestToo) {
  // x = 3, y = 2 x; an integral of what is not zero has no place of its own and stays
  const std::string text = R"yaml(
components:
  x: {type: blocks.Integrator, u: (3 - x.y)/(1 s)}
  y: {type: blocks.TransferFunction, u: 3, num: [4], den: [5, 2]}
  z: {type: blocks.Integrator, u: 1/(1 s), y0: 0.7}
)yaml";
  EXPECT_NEAR(find_operating_point(text, "x.y").v, 3, 1e-9);
  EXPECT_NEAR(find_operating_point(text, "y.y").v, 6, 1e-9);
  EXPECT_EQ(find_operating_point(text, "z.y").v, 0.7);
}

TEST(OperatingPoint, AGuessChoosesTheSideOfALatchAndIsThenReleased) {
  for (const bool up : {true, false}) {
    equations::Evaluator evaluator(compile_model(io::parse_model(latch, "m.yaml")));
    solve::Options options;
    options.start = "steady";
    options.guess = {{"a", up ? 5.0 : 0.0}, {"b", up ? 0.0 : 5.0}};
    const solve::Start start = solve::initialize(evaluator, options);
    ASSERT_TRUE(start.good) << start.text;
    std::vector<double> values(evaluator.system().signals().size());
    evaluator.signals(start.point, values);
    const double a = values[static_cast<std::size_t>(evaluator.system().find_signal("a.v"))],
                 b = values[static_cast<std::size_t>(evaluator.system().find_signal("b.v"))];
    EXPECT_GT(up ? a : b, 4.9);
    EXPECT_LT(up ? b : a, 0.3);
    EXPECT_NE(a, up ? 5.0 : 0.0);  // what was guessed is not kept
  }
}

TEST(OperatingPoint, AHeldNodeKeepsItsVoltageUntilTheRunBegins) {
  // held at 1 V the capacitor starts there, and then charges to 4 V with R C = ⅔ ms
  const model::Model model = io::parse_model(R"(
components:
  U: {type: electrical.VoltageSource, p: s, n: gnd, v: 6 V}
  R: {type: electrical.Resistor, p: s, n: a, R: 1 kohm}
  Q: {type: electrical.Resistor, p: a, n: gnd, R: 2 kohm}
  C: {type: electrical.Capacitor, p: a, n: gnd, C: 1 uF}
simulate: {t_end: 1 ms, method: radau, output_step: 1 ms, rtol: 1e-10, atol: 1e-12, start: steady, hold: {a: 1 V}}
)",
                                             "m.yaml");
  const solve::Result r = run_model(model);
  EXPECT_NEAR(value_at(r, "a.v", 0), 1, 1e-9);
  EXPECT_NEAR(value_at(r, "a.v", 1e-3), 4 - 3 * std::exp(-1.5), 1e-8);
}

TEST(OperatingPoint, ExpressionsMayHaveAPoleWhereTheIterationStarts) {
  // at zero volts none of them has a value or a slope
  for (const auto& [law, value] :
       {std::pair("1 V*(a.v/b.v)", 3.0 / 2), std::pair("1 V*log(a.v/(1 V))", std::log(3.0)),
        std::pair("1 V*sqrt(abs(a.v/(1 V)))", std::sqrt(3.0)), std::pair("1 V/(a.v/(1 V) - b.v/(1 V))", 1.0)}) {
    const Found found = find_operating_point(
        "components:\n  U1: {type: electrical.VoltageSource, p: a, n: gnd, v: 3 V}\n"
        "  U2: {type: electrical.VoltageSource, p: b, n: gnd, v: 2 V}\n"
        "  X: {type: electrical.VoltageSource, p: c, n: gnd, v: " +
        std::string(law) + "}\n");
    EXPECT_NEAR(found.v, value, 1e-12) << law;
  }
}

TEST(OperatingPoint, ANodeThatIsLetGoStartsWithTheCurrentsOfItsVoltage) {
  // held at -4 V: 13 V over 1 kohm come in, -4 V over 2 kohm go out, and the capacitor takes both
  equations::Evaluator evaluator(compile_model(io::parse_model(R"(
components:
  U: {type: electrical.VoltageSource, p: s, n: gnd, v: 9 V}
  R: {type: electrical.Resistor, p: s, n: a, R: 1 kohm}
  C: {type: electrical.Capacitor, p: a, n: gnd, C: 1 uF}
  X: {type: electrical.Resistor, p: a, n: gnd, R: 2 kohm}
)",
                                                               "m.yaml")));
  solve::Options options;
  options.start = "steady";
  options.hold = {{"a", -4}};
  const solve::Start start = solve::initialize(evaluator, options);
  ASSERT_TRUE(start.good) << start.text;
  std::vector<double> values(evaluator.system().signals().size());
  evaluator.signals(start.point, values);
  const auto signal = [&](const char* name) {
    return values[static_cast<std::size_t>(evaluator.system().find_signal(name))];
  };
  EXPECT_NEAR(signal("C.v"), -4, 1e-11);  // by a grip of 1e10 S against 15 mA
  EXPECT_NEAR(signal("C.i"), 15e-3, 1e-12);
}

}  // namespace
}  // namespace coenergy::tests
