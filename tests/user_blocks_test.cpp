// Blocks by expressions, data files as sources, tables of many inputs and their inverses.
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "tests/inline_model.hpp"

namespace coenergy::tests {
namespace {

TEST(CustomBlocks, StatesFollowTheirRates) {
  // a pendulum's linear oscillation, with damping, from its start
  const auto r = run_text(R"yaml(
components:
  u: {type: blocks.Constant, value: 2}
  s: {type: blocks.Custom, rates: [s.x2, "u.y - 4*s.x1"], x0: [0.5, 1], outputs: [s.x1 + 3*s.x2, s.x1]}
)yaml",
                          2, 0.25);
  for (const double t : {0.0, 0.5, 2.0}) {
    const double x = 0.5 + 0.5 * std::sin(2 * t), v = std::cos(2 * t);
    EXPECT_NEAR(value_at(r, "s.y1", t), x + 3 * v, 1e-7) << t;
    EXPECT_NEAR(value_at(r, "s.y2", t), x, 1e-7) << t;
  }
}

TEST(CustomBlocks, MemoriesAreUpdatedAtOnceAtSamples) {
  // Fibonacci, from both old values: an update in turn would give powers of two
  const auto r = run_text(R"yaml(
components:
  s: {type: blocks.Custom, updates: [s.z2, s.z1 + s.z2], z0: [0, 1], outputs: [s.z1], sample: 0.1 s, offset: 0.05 s}
)yaml",
                          1, 0.1);
  const double numbers[] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34};
  for (int k = 0; k < 10; ++k) EXPECT_EQ(value_at(r, "s.y", 0.1 * k), numbers[k]) << k;
}

TEST(CustomBlocks, MemoriesAreUpdatedByATrigger) {
  // sums up the phase at every rise of a square wave: 0.1, 0.4, 0.7
  const auto r = run_text(R"yaml(
components:
  w: {type: blocks.Expression, value: "sin(2*pi*(time/(0.3 s) - 1/3))"}
  s: {type: blocks.Custom, updates: [s.z1 + time/(1 s), s.z2 + 1], outputs: [s.z1, s.z2], trigger: "w.y > 0 ? 1 : 0"}
)yaml",
                          0.8, 0.05);
  EXPECT_NEAR(value_at(r, "s.y1", 0.8), 0.1 + 0.4 + 0.7, 1e-9);
  EXPECT_EQ(value_at(r, "s.y2", 0.8), 3);
}

TEST(CustomBlocks, APartMakesAKindOfThem) {
  // y_k = y_{k−1} + a (u_k − y_{k−1}), twice with other numbers
  const auto r = run_text(R"yaml(
parts:
  Smooth:
    ports: {u: signal, y: s.y}
    parameters: {a: 0.5}
    components:
      s: {type: blocks.Custom, updates: ["s.z1 + a*(u - s.z1)"], outputs: [s.z1], sample: 0.1 s}
components:
  f: {type: Smooth, u: 8}
  g: {type: Smooth, u: f.y, a: 0.25}
)yaml",
                          0.35, 0.05);
  // f: 4, 6, 7, 7.5; g takes what f shows after its sample of the same instant
  double f = 0, g = 0;
  for (int k = 0; k < 4; ++k) {
    f += 0.5 * (8 - f);
    g += 0.25 * (f - g);
    EXPECT_NEAR(value_at(r, "f.s.y", 0.1 * k + 0.05), f, 1e-12) << k;
    EXPECT_NEAR(value_at(r, "g.s.y", 0.1 * k + 0.05), g, 1e-12) << k;
  }
}

TEST(CustomBlocks, MistakesAreTold) {
  const auto told = [](const std::string& entries) {
    return error_of("components: {s: {type: blocks.Custom, " + entries + "}}");
  };
  EXPECT_NE(told("rates: [1, 2], x0: [1], outputs: [s.x1]").find("x0 has 1 entries; it needs 2"), std::string::npos);
  EXPECT_NE(told("updates: [1], outputs: [s.z1]").find("give sample, or trigger"), std::string::npos);
  EXPECT_NE(told("rates: [1], outputs: [s.x1], sample: 1 s").find("sample has no effect"), std::string::npos);
  EXPECT_NE(told("rates: [1], outputs: [s.x2]").find("s: it has no signal \"x2\""), std::string::npos);
}

/// A file of three rows in other units, beside nothing.
std::string write_data() {
  const std::string file = (std::filesystem::temp_directory_path() / "coenergy_user_blocks.csv").string();
  std::ofstream(file) << "time,force,angle\nms,kN,deg\n100,1,0\n300,3,90\n600,-3,180\n";
  return file;
}

solve::Result run_file(const std::string& entries) {
  return run_text("components:\n  f: {type: blocks.FileSource, data: " + write_data() + ":" + entries +
                      "}\n  i: {type: blocks.Integrator, u: f.y/(1 s)}\n",
                  0.8, 0.05);
}

TEST(FileSources, AColumnIsReadInItsUnit) {
  const auto r = run_file("force");
  const std::pair<double, double> expected[] = {{0, 1000}, {0.1, 1000},  {0.2, 2000}, {0.3, 3000},
                                                {0.45, 0}, {0.6, -3000}, {0.8, -3000}};
  for (const auto& [t, y] : expected) EXPECT_NEAR(value_at(r, "f.y", t), y, 1e-8) << t;
  // corners are met: the integral is exact
  EXPECT_NEAR(value_at(r, "i.y", 0.8), 100 + 400 + 0 - 600, 1e-9);
  EXPECT_NEAR(value_at(run_file("angle, interpolation: previous"), "f.y", 0.55), std::numbers::pi / 2, 1e-12);
  EXPECT_NEAR(value_at(run_file("force, interpolation: previous"), "i.y", 0.8), 300 + 900 - 600, 1e-9);
}

TEST(FileSources, ASplinePassesTheRows) {
  const auto r = run_file("force, interpolation: cubic");
  for (const auto& [t, y] : {std::pair(0.05, 1000.0), {0.3, 3000.0}, {0.6, -3000.0}, {0.7, -3000.0}})
    EXPECT_NEAR(value_at(r, "f.y", t), y, 1e-8) << t;
  // natural, three points: f″(0.3) = 6 (s₂ − s₁)/(2 (h₁ + h₂)), f(0.2) = mean − h₁²/16 f″
  const double s1 = 2000 / 0.2, s2 = -6000 / 0.3, bend = 3 * (s2 - s1) / 0.5;
  EXPECT_NEAR(value_at(r, "f.y", 0.2), 2000 - 0.04 / 16 * bend, 1e-8);
}

TEST(FileSources, MistakesAreTold) {
  const auto told = [](const std::string& data) {
    return error_of("components: {f: {type: blocks.FileSource, data: \"" + data + "\"}}");
  };
  EXPECT_NE(told("data.csv").find("must be a file and one of its columns"), std::string::npos);
  EXPECT_NE(told("/nowhere/data.csv:a").find("cannot read /nowhere/data.csv"), std::string::npos);
  EXPECT_NE(told(write_data() + ":forse").find("did you mean force?"), std::string::npos);
  const auto system = compile_model(io::parse_model("components: {f: {type: blocks.FileSource, data: \"" +
                                                        write_data() + ":force\", outside: refuse, at: time + 0.2 s}}",
                                                    "m.yaml"));
  const solve::Result r = solve::simulate(system, {.t_end = 1, .method = "radau"});
  EXPECT_EQ(r.status, solve::Status::failed);
  EXPECT_NE(r.text.find("f: its data are from 0.1 s to 0.6 s only"), std::string::npos) << r.text;
}

TEST(Tables, OfManyInputsAreProductsOfTheirAxes) {
  // values of a product of straight lines are met everywhere, by both kinds
  const auto f = [](const std::array<double, 4>& x) {
    return (1 + x[0]) * (2 - x[1]) * (3 + 0.5 * x[2]) * (1 - 2 * x[3]);
  };
  const double grid[] = {0, 1, 3};
  std::string values;
  for (const double a : grid)
    for (const double b : grid)
      for (const double c : grid)
        for (const double d : grid) values += (values.empty() ? "" : ", ") + std::to_string(f({a, b, c, d}));
  for (const char* kind : {"linear", "cubic"}) {
    const auto r = run_text(
        "components:\n  t: {type: blocks.Table, u: [time/(1 s), 2 - time/(1 s), 0.3, 2.4], x1: [0, 1, 3], x2: "
        "[0, 1, 3], x3: [0, 1, 3], x4: [0, 1, 3], values: [" +
            values + "], interpolation: " + kind + "}\n",
        1.5, 0.5);
    for (const double t : {0.0, 0.5, 1.5}) EXPECT_NEAR(value_at(r, "t.y", t), f({t, 2 - t, 0.3, 2.4}), 1e-9) << kind;
  }
}

TEST(Tables, AnInverseUndoesItsTable) {
  for (const char* kind : {"linear", "cubic"})
    for (const char* values : {"[-2, 0, 0.5, 4]", "[4, 0.5, 0, -2]"}) {
      const std::string map = std::string("x1: [0, 1, 2, 3], values: ") + values + ", interpolation: " + kind;
      const std::string inverse = std::string("x: [0, 1, 2, 3], values: ") + values + ", interpolation: " + kind;
      const std::string text = "components:\n  i: {type: blocks.InverseTable, u: 6*sin(time/(1 s)), " + inverse +
                               "}\n  t: {type: blocks.Table, u: [i.y], " + map + "}\n";
      if (error_of(text) != "no error") continue;  // a spline that turns
      const auto r = run_text(text, 3, 0.25);
      for (const double t : {0.0, 0.5, 1.5, 3.0})
        EXPECT_NEAR(value_at(r, "t.y", t), 6 * std::sin(t), 1e-8) << kind << values;
    }
  const auto told = [](const std::string& entries) {
    return error_of("components: {i: {type: blocks.InverseTable, u: 1, " + entries + "}}");
  };
  EXPECT_EQ(told("x: [0, 1, 2, 3], values: [0, 1, 3, 4], interpolation: cubic"), "no error");
  EXPECT_NE(told("x: [0, 1, 2], values: [0, 1, 0.5]").find("values must rise or fall all the way; 0.5 follows 1"),
            std::string::npos);
  EXPECT_NE(told("x: [0, 1, 2, 3], values: [0, 5, 5.1, 10], interpolation: cubic")
                .find("the spline turns between x = 1 and 2"),
            std::string::npos)
      << told("x: [0, 1, 2, 3], values: [0, 5, 5.1, 10], interpolation: cubic");
}

TEST(Holds, OfTwoRatesFollowTheSignalFlow) {
  // a samples at 0, 0.1, …; b reads it at 0.05, 0.3, 0.55, 0.8: at 0.3 and 0.8 both sample, a first; c is b one sample late
  const auto r = run_text(R"yaml(
components:
  c: {type: blocks.UnitDelay, u: b.y, sample: 0.25 s, offset: 0.05 s}
  b: {type: blocks.ZeroOrderHold, u: a.y, sample: 0.25 s, offset: 0.05 s}
  a: {type: blocks.ZeroOrderHold, u: 1 + time/(1 s), sample: 0.1 s}
  s: {type: blocks.Step, start: 0.3 s}
  d: {type: blocks.ZeroOrderHold, u: s.y, sample: 0.1 s}
)yaml",
                          1, 0.02);
  const struct {
    double t, a, b, c, d;
  } table[] = {{0.02, 1, 0, 0, 0},     {0.06, 1, 1, 0, 0},       {0.28, 1.2, 1, 0, 0},    {0.32, 1.3, 1.3, 1, 1},
               {0.54, 1.5, 1.3, 1, 1}, {0.58, 1.5, 1.5, 1.3, 1}, {0.82, 1.8, 1.8, 1.5, 1}};
  for (const auto& row : table) {
    EXPECT_NEAR(value_at(r, "a.y", row.t), row.a, 1e-12) << row.t;
    EXPECT_NEAR(value_at(r, "b.y", row.t), row.b, 1e-12) << row.t;
    EXPECT_NEAR(value_at(r, "c.y", row.t), row.c, 1e-12) << row.t;
    EXPECT_NEAR(value_at(r, "d.y", row.t), row.d, 1e-12) << row.t;  // the step is decided before it is sampled
  }
}

TEST(Holds, HaveAnOffset) {
  const auto r = run_text(R"yaml(
components:
  h: {type: blocks.ZeroOrderHold, u: time/(1 s), sample: 0.1 s, offset: 0.04 s}
  p: {type: blocks.SampledPid, reference: time/(1 s), measure: 0, kp: 1, ki: 10, sample: 0.1 s, offset: 0.04 s}
)yaml",
                          0.3, 0.05);
  for (const auto& [t, y] : {std::pair(0.0, 0.0), {0.05, 0.04}, {0.1, 0.04}, {0.15, 0.14}, {0.3, 0.24}})
    EXPECT_NEAR(value_at(r, "h.y", t), y, 1e-12) << t;
  // y = kp u + ki T Σ u over the samples after the first one
  EXPECT_NEAR(value_at(r, "p.y", 0.1), 0.04, 1e-12);
  EXPECT_NEAR(value_at(r, "p.y", 0.3), 0.24 + 0.14 + 0.24, 1e-12);
}

// ---- vectors of signals

TEST(Vectors, StandForTheirElementsInLists) {
  const auto r = run_text(R"yaml(
components:
  a: {type: blocks.Mux, u: ["time/(1 s)", 2, -3]}
  b: {type: blocks.Mux, u: ["2*a.y - 1", "time/(1 s)*g.y"]}
  g: {type: blocks.MatrixGain, u: a.y, K: [[1, 0, 2], [0, 3, 1]]}
  s: {type: blocks.Sum, u: [a.y, "-g.y", 10]}
  d: {type: blocks.Demux, u: b.y, pick: [5, 1, 1]}
  o: {type: blocks.Demux, u: b.y, pick: 3}
  c: {type: blocks.Custom, rates: [1], outputs: ["c.x1*a.y", "max(a.y, 0)"]}
  p: {type: blocks.Product, u: [d.y, "c.y4 + 1"]}
  h: {type: blocks.Mux, u: a.y, sample: 0.4 s}
)yaml",
                          1, 0.5);
  const auto expect = [&](const char* signal, double value) {
    EXPECT_NEAR(value_at(r, signal, 0.5), value, 1e-12) << signal;
  };
  // a = (½, 2, −3), g = (−5.5, 3), b = (0, 3, −7, −2.75, 1.5)
  expect("a.y1", 0.5), expect("g.y1", -5.5), expect("g.y2", 3);
  expect("b.y1", 0), expect("b.y2", 3), expect("b.y3", -7), expect("b.y4", -2.75), expect("b.y5", 1.5);
  expect("s.y", 0.5 + 2 - 3 + 5.5 - 3 + 10);
  expect("d.y1", 1.5), expect("d.y2", 0), expect("d.y3", 0), expect("o.y", -7);
  expect("c.y2", 1), expect("c.y3", -1.5), expect("c.y4", 0.5), expect("c.y6", 0);
  expect("p.y", 0);
  expect("h.y1", 0.4), expect("h.y3", -3);
}

TEST(Vectors, GoRoundInLoopsAndThroughArrays) {
  // two state spaces that turn around each other: x' = (0 −1; 1 0) x by two blocks, a circle
  const auto r = run_text(R"yaml(
parts:
  Leg:
    parameters: {gain: 1}
    components:
      k: {type: blocks.Gain, u: "time/(1 s)", k: gain}
components:
  x: {type: blocks.StateSpace, u: m.y, A: [[0, 0], [0, 0]], B: [[1, 0], [0, 1]], C: [[1, 0], [0, 1]], x0: [1, 0]}
  m: {type: blocks.MatrixGain, u: x.y, K: [[0, -1], [1, 0]]}
  e: {type: blocks.Gain, repeat: {i: 3}, u: "time/(1 s)", k: i}
  s: {type: blocks.Sum, u: [e.y, x.y]}
)yaml",
                          1, 0.5);
  EXPECT_NEAR(value_at(r, "x.y1", 1), std::cos(1.0), 1e-8);
  EXPECT_NEAR(value_at(r, "x.y2", 1), std::sin(1.0), 1e-8);
  EXPECT_NEAR(value_at(r, "s.y", 1), 1 + 2 + 3 + std::cos(1.0) + std::sin(1.0), 1e-8);
}

TEST(Vectors, ANodeIsNoArray) {
  // node a beside a component a1
  const auto r = run_text(R"yaml(
components:
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 7 V}
  R: {type: electrical.Resistor, p: a, n: gnd, R: 2 ohm}
  a1: {type: electrical.Resistor, p: b, n: gnd, R: 2 ohm}
  V: {type: electrical.VoltageSource, p: b, n: gnd, v: 3 V}
  s: {type: blocks.Sum, u: [a.v, a1.v]}
)yaml",
                          0.1);
  EXPECT_EQ(value_at(r, "s.y", 0), 10);
}

TEST(Vectors, MistakesAreTold) {
  EXPECT_EQ(error_of("components: {a: {type: blocks.Mux, u: [1, time]}, b: {type: blocks.Mux, u: [1, 2, time]}, s: "
                     "{type: blocks.Sum, u: [\"a.y + b.y\"]}}"),
            "m.yaml:1:118: s.u = a.y + b.y: a.y has 2 elements, b.y 3");
  EXPECT_EQ(error_of("components: {a: {type: blocks.Mux, u: [b.y, 1]}, b: {type: blocks.Mux, u: [a.y, 1]}}"),
            "m.yaml:1:14: a: its vector of inputs follows from itself");
  EXPECT_EQ(error_of("components: {a: {type: blocks.Mux, u: [1, time]}, b: {type: blocks.Demux, u: a.y, pick: 3}}"),
            "m.yaml:1:51: b: pick must be whole numbers up to 2, the elements of u");
  EXPECT_EQ(error_of("components: {a: {type: blocks.Mux, u: [1, time]}, b: {type: blocks.Gain, u: a.y, k: 2}}"),
            "m.yaml:1:77: b.u = a.y: a.y is a vector of 2 signals; name one of them, such as a.y1");
}

}  // namespace
}  // namespace coenergy::tests
