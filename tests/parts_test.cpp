// Machines from parts: what a hierarchy of instances and arrays means is the flat model that a user would have written.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <optional>
#include <sstream>

#include "coenergy/io/model_writer.hpp"
#include "coenergy/model/expand.hpp"
#include "tests/inline_model.hpp"
#include "tests/program.hpp"

namespace coenergy::tests {
namespace {

const std::string source = COENERGY_SOURCE_DIR;

model::Model flatten(const std::string& text) {
  return model::expand(io::parse_model(text, "m.yaml"), domains::make_standard_registry());
}

std::vector<std::string> names_of(const model::Model& model) {
  std::vector<std::string> names;
  for (const model::Component& c : model.components) names.push_back(c.name);
  return names;
}

double last(const solve::Result& result, const std::string& name) {
  const int k = result.find(name);
  EXPECT_GE(k, 0) << name;
  return k < 0 ? 0 : result.row(result.times.size() - 1)[k];
}

/// Divider of R over 2 R, by a part two deep.
const char* divider = R"(
parameters: {R0: 3 ohm}
parts:
  Arm:
    ports: [a, b]
    parameters: {R: R0}
    components:
      r: {type: electrical.Resistor, p: a, n: b, R: R}
  Divider:
    ports: {top: a, tap: mid}
    components:
      upper: {type: Arm, a: a, b: mid}
      lower: {type: Arm, a: mid, b: gnd, R: 2*R0}
components:
  U: {type: electrical.VoltageSource, p: bus, n: gnd, v: 9 V}
  d: {type: Divider, top: bus}
  load: {type: electrical.Resistor, p: d.tap, n: gnd, R: 1 Mohm}
  C: {type: electrical.Capacitor, p: d.tap, n: gnd, C: 1 nF}
)";

TEST(Parts, InstancesAreNamedByTheWayToThem) {
  EXPECT_EQ(names_of(flatten(divider)), (std::vector<std::string>{"U", "d.upper.r", "d.lower.r", "load", "C"}));
  const solve::Result result = run_text(divider, 1e-3, 1e-4);
  // the load of 1 Mohm beside 6 ohm
  const double lower = 6 * 1e6 / (6 + 1e6);
  EXPECT_NEAR(last(result, "d.mid.v"), 9 * lower / (3 + lower), 1e-8);
  EXPECT_NEAR(last(result, "d.upper.r.i"), 9 / (3 + lower), 1e-8);
}

TEST(Parts, NamesInsideAreTheOwnOnesThenParametersThenTheModels) {
  // g is a parameter of the model, R of model and part, u of the part alone; U.v is the part's own source
  const std::string text = R"(
parameters: {R: 5 ohm, g: 2}
parts:
  P:
    parameters: {R: 7 ohm, u: required}
    components:
      U: {type: electrical.VoltageSource, p: a, n: gnd, v: u*g}
      r: {type: electrical.Resistor, p: a, n: gnd, R: R}
      y: {type: blocks.Gain, u: U.v, k: g}
components:
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 100 V}
  r: {type: electrical.Resistor, p: a, n: gnd, R: R}
  x: {type: P, u: 3 V}
  z: {type: P, u: 1 V*(1 + time/(1 s)), R: 2*R}
)";
  const solve::Result result = run_text(text, 1, 0.5);
  EXPECT_NEAR(last(result, "r.i"), 20, 1e-12);
  EXPECT_NEAR(last(result, "x.r.i"), 6.0 / 7, 1e-12);
  EXPECT_NEAR(last(result, "x.y.y"), 12, 1e-12);
  EXPECT_NEAR(last(result, "z.r.i"), 4.0 / 10, 1e-12);  // u varies: 2 V at the end
}

TEST(Parts, ArraysHaveIndicesAndNeighbours) {
  const std::string text = R"(
components:
  U: {type: electrical.VoltageSource, p: "n[1]", n: gnd, v: 10 V}
  R: {type: electrical.Resistor, repeat: {k: 4}, p: "n[k]", n: "n[k+1]", R: 1 ohm*k, last: {n: gnd}}
  S: {type: electrical.Resistor, repeat: 3, p: previous.n, first: {p: n1}, n: "m[index]", last: {n: gnd}, R: 2 ohm}
  y: {type: blocks.Gain, repeat: {k: 2}, u: "R[k+1].v", k: 1}
  none: {type: electrical.Resistor, if: 1 > 2, p: a, n: gnd, R: 1 ohm}
)";
  const model::Model flat = flatten(text);
  EXPECT_EQ(flat.components.size(), 10u);
  const solve::Result result = run_text(text, 1e-3, 1e-3);
  for (int k = 1; k <= 4; ++k) EXPECT_NEAR(last(result, "R" + std::to_string(k) + ".v"), k, 1e-12) << k;
  EXPECT_NEAR(last(result, "S2.i"), 10.0 / 6, 1e-12);
  EXPECT_NEAR(last(result, "y2.y"), 3, 1e-12);
}

TEST(Parts, SignalsComeInAndGoOutByPorts) {
  const std::string text = R"(
parts:
  Twice:
    ports: {u: signal, y: gain.y}
    components: {gain: {type: blocks.Gain, u: u, k: 2}}
components:
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 1 V*(1 + time/(1 s))}
  r: {type: electrical.Resistor, p: a, n: gnd, R: 1 ohm}
  first: {type: Twice, u: U.v}
  second: {type: Twice, u: first.y + U.v}
plots: [[second.y], {x: first.y, y: second.y}]
)";
  const std::vector<model::Plot> plots = flatten(text).plots;
  ASSERT_EQ(plots.size(), 2u);
  EXPECT_EQ(plots[0].y[0].text, "second.gain.y");
  EXPECT_EQ(plots[1].y[0].text, "second.gain.y");
  EXPECT_EQ(plots[1].x->text, "first.gain.y");
  EXPECT_NEAR(last(run_text(text, 1, 0.5), "second.gain.y"), 12, 1e-12);
}

TEST(Parts, APortOfAComponentThatIsNotThereMayStayOpen) {
  const std::string text = R"(
parts:
  Brake:
    ports: {a: a, b: {inner: b, optional: true}}
    parameters: {level: 0}
    components:
      r: {type: electrical.Resistor, p: a, n: gnd, R: 3 ohm}
      tap: {type: electrical.Resistor, if: level > 1, p: a, n: b, R: 6 ohm}
components:
  U: {type: electrical.VoltageSource, p: s, n: gnd, v: 12 V}
  x: {type: Brake, repeat: {i: 3}, a: s, level: i, last: {b: gnd}}
  out: {type: electrical.Resistor, p: x2.b, n: gnd, R: 6 ohm}
)";
  const solve::Result result = run_text(text, 1e-3, 1e-3);
  EXPECT_LT(result.find("x1.tap.i"), 0);
  EXPECT_NEAR(last(result, "x2.tap.i"), 1, 1e-12);  // 12 V over 6 and 6 ohm
  EXPECT_NEAR(last(result, "x3.tap.i"), 2, 1e-12);
}

TEST(Parts, OverridesReachAnyDepthAndTheOutermostWins) {
  model::Model m = io::parse_model(divider, "m.yaml");
  m.set("d.lower.r.R", "12 ohm");
  m.set("d.upper.R", "4 ohm");
  const model::Model flat = model::expand(m, domains::make_standard_registry());
  EXPECT_EQ(flat.find("d.lower.r")->values.back().second.text, "12 ohm");
  EXPECT_NEAR(last(run_model(m, {.t_end = 1e-3}), "d.upper.r.i"), 9 / (4 + 12 * 1e6 / (12 + 1e6)), 1e-6);
  // and so does a flat model, as sweeps use it
  model::Model again = flatten(divider);
  again.set("d.lower.r.R", "6 ohm");
  again.set("d.upper.R", "6 ohm");
  EXPECT_NEAR(last(run_model(again, {.t_end = 1e-3}), "d.mid.v"), 4.5, 1e-4);
}

// ---- the same results as the flat model, to the bit

struct Pair {
  std::string parts, flat;
};

/// A line of n cells with an index in their values, as instances and as a user would write it without parts.
Pair make_lines(int n) {
  std::ostringstream flat;
  flat << "parameters:\n";
  for (int k = 1; k <= n; ++k) flat << "  c" << k << "_R: 1 ohm + 0.01 ohm*" << k << "\n  c" << k << "_C: 1 uF\n";
  flat << "components:\n  U: {type: electrical.VoltageSource, p: c0_b, n: gnd, v: 1 V*sin(1000*time/(1 s))}\n";
  for (int k = 1; k <= n; ++k) {
    const std::string name = "  c" + std::to_string(k) + "_", before = "c" + std::to_string(k - 1) + "_b",
                      own = "c" + std::to_string(k) + "_";
    flat << name << "r: {type: electrical.Resistor, p: " << before << ", n: " << own << "m, R: 2*" << own << "R}\n"
         << name << "l: {type: electrical.Inductor, p: " << own << "m, n: " << own << "b, L: 1 mH}\n"
         << name << "c: {type: electrical.Capacitor, p: " << own << "b, n: gnd, C: " << own << "C*(1 + 0.001*" << own
         << "r.i/(1 A))}\n";
  }
  const std::string parts = R"(
parts:
  Cell:
    ports: {a: a, b: {inner: b, optional: true}}
    parameters: {R: required, C: 1 uF}
    components:
      r: {type: electrical.Resistor, p: a, n: m, R: 2*R}
      l: {type: electrical.Inductor, p: m, n: b, L: 1 mH}
      c: {type: electrical.Capacitor, p: b, n: gnd, C: C*(1 + 0.001*r.i/(1 A))}
components:
  U: {type: electrical.VoltageSource, p: c0_b, n: gnd, v: 1 V*sin(1000*time/(1 s))}
  c: {type: Cell, repeat: {k: )" +
                            std::to_string(n) +
                            R"(}, a: previous.b, first: {a: c0_b}, R: 1 ohm + 0.01 ohm*k}
)";
  const std::string run = "simulate: {t_end: 2 ms, output_step: 0.1 ms, method: radau}\n";
  return {parts + run, flat.str() + run};
}

/// A table without its head, and the names of its columns with _ for every dot but the last.
std::pair<std::vector<std::string>, std::string> read_table(const std::string& path) {
  std::istringstream lines(read_text(path));
  std::vector<std::string> names;
  std::string body;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("#")) continue;
    if (!names.empty()) {
      body += line + "\n";
      continue;
    }
    std::istringstream words(line);
    for (std::string name; std::getline(words, name, ',');) {
      const std::size_t dot = name.rfind('.');
      if (dot != std::string::npos)
        std::replace(name.begin(), name.begin() + static_cast<std::ptrdiff_t>(dot), '.', '_');
      names.push_back(name);
    }
  }
  return {names, body};
}

TEST(Parts, ResultsAreThoseOfTheFlatModelToTheBit) {
  const Folder folder;
  const Pair lines = make_lines(40);
  const std::string parts = folder.write("parts.yaml", lines.parts), flat = folder.write("flat.yaml", lines.flat);
  for (const std::string& file : {parts, flat}) {
    const Outcome outcome = run_program({"run", file, "-o", file + ".csv", "--quiet"});
    ASSERT_EQ(outcome.status, 0) << outcome.all();
  }
  const auto a = read_table(parts + ".csv"), b = read_table(flat + ".csv");
  EXPECT_EQ(a.first, b.first);
  EXPECT_GT(a.second.size(), 1000u);
  EXPECT_EQ(a.second, b.second);
}

/// Processor time of reading and compiling a model, s.
double time_compilation(const std::string& text, std::optional<equations::System>& system) {
  const std::clock_t begin = std::clock();
  system.emplace(compile_model(io::parse_model(text, "m.yaml")));
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

TEST(Parts, AThousandInstancesCompileAsQuicklyAsTheFlatModelAndGiveItsBits) {
  const Pair lines = make_lines(1000);
  std::optional<equations::System> parts, flat;
  double of_parts = 1e9, of_flat = 1e9;
  // in turn, the best of each: others may use the machine
  for (int k = 0; k < 4; ++k) {
    of_parts = std::min(of_parts, time_compilation(lines.parts, parts));
    of_flat = std::min(of_flat, time_compilation(lines.flat, flat));
  }
  RecordProperty("parts_seconds", std::to_string(of_parts));
  RecordProperty("flat_seconds", std::to_string(of_flat));
  std::printf("1000 instances: %.3f s, flat %.3f s, ratio %.2f\n", of_parts, of_flat, of_parts / of_flat);
  EXPECT_LT(of_parts, 1.1 * of_flat);  // a tenth for what the clock and the machine add

  const auto run = [](const equations::System& system) {
    return solve::simulate(system, {.t_end = 2e-4, .output_step = 1e-4});
  };
  const solve::Result a = run(*parts), b = run(*flat);
  ASSERT_EQ(a.status, solve::Status::done) << a.text;
  ASSERT_EQ(a.times, b.times);
  ASSERT_EQ(a.names.size(), b.names.size());
  for (std::size_t k = 0; k < a.times.size(); ++k)
    EXPECT_EQ(std::memcmp(a.row(k).data(), b.row(k).data(), a.names.size() * sizeof(double)), 0) << "row " << k;
}

// ---- files as parts

TEST(Parts, OneNetlistAndOneRobotTwiceWithOverrides) {
  const Outcome outcome =
      run_program({"check", source + "/examples/parts/two_arms.yaml", "--tree", "--set", "right.elbow.motor.R=3"});
  ASSERT_EQ(outcome.status, 0) << outcome.all();
  for (const char* text :
       {"  left                       Cell\n", "    arm                      Arm\n",
        "      shoulder               multibody.Revolute\n", "    smooth                   Filter\n",
        "      R1                     electrical.Resistor\n", "    elbow                    drives.Axis\n"})
    EXPECT_NE(outcome.output.find(text), std::string::npos) << text << "\n" << outcome.output;
}

TEST(Parts, InstancesOfOneFileWithOverridesMoveAsEachWouldAlone) {
  const std::string head =
      "parts:\n  Arm: {file: " + source + "/examples/parts/arm.urdf, override: {elbow.damping: 0.3}}\n" +
      "  Filter: {file: " + source + "/examples/parts/filter.cir, ports: [in, out]}\n" + R"(components:
  g: {type: multibody.Gravity, g: [0, 0, -9.81 m/s2]}
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 2 V}
)";
  const std::string left = R"(  left: {type: Arm, override: {shoulder.q0: 0.4 rad, fore.mass: 1.6 kg}}
  slow: {type: Filter, in: a, out: x, override: {C1.C: 3 uF}}
)",
                    right = R"(  right: {type: Arm, override: {shoulder.q0: -0.7 rad, elbow.damping: 1.1}}
  fast: {type: Filter, in: a, out: y, r: 2e3}
)";
  const auto run = [&](const std::string& instances) { return run_text(head + instances, 0.05, 0.05); };
  const solve::Result both = run(left + right), first = run(left), second = run(right);
  // steps differ; each run keeps to 1e-9
  for (const char* name : {"left.shoulder.q", "left.elbow.qd", "x.v", "slow.R1.i"})
    EXPECT_NEAR(last(both, name), last(first, name), 1e-7) << name;
  for (const char* name : {"right.shoulder.q", "right.elbow.qd", "y.v", "fast.R1.i"})
    EXPECT_NEAR(last(both, name), last(second, name), 1e-7) << name;
  EXPECT_GT(std::abs(last(both, "left.elbow.qd") + last(both, "right.elbow.qd")), 1e-2);  // they are two
  EXPECT_GT(last(both, "y.v") - last(both, "x.v"), 0.1);
}

TEST(Parts, ARobotWhoseFirstLinkIsCalledBaseStandsOnWhatItIsGiven) {
  const Folder folder;
  const std::string robot = folder.write("arm.urdf", R"(<robot name="arm"><link name="base"/>
    <link name="bar"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <joint name="j" type="revolute"><parent link="base"/><child link="bar"/><axis xyz="0 1 0"/></joint></robot>)");
  const std::string text = "parts: {Arm: {file: " + robot + R"(}}
components:
  rail: {type: multibody.Prismatic, parent: ground, child: cart, axis: x, q0: 3 m}
  cart: {type: multibody.Body, mass: 1 kg}
  left: {type: Arm}
  right: {type: Arm, stand: cart}
)";
  const solve::Result result = run_text(text, 0.1, 0.1);
  EXPECT_NEAR(last(result, "left.bar.x"), 0, 1e-12);
  EXPECT_NEAR(last(result, "right.bar.x"), 3, 1e-12);
  EXPECT_NEAR(last(result, "right.base.x"), 3, 1e-12);
}

TEST(Parts, TheBarrierHasThirtySegmentsInTenLines) {
  const Outcome outcome = run_program({"check", source + "/examples/parts/barrier.yaml", "--tree"});
  ASSERT_EQ(outcome.status, 0) << outcome.all();
  EXPECT_NE(outcome.output.find("s1 … s30"), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("degrees of freedom        30"), std::string::npos) << outcome.output;
  std::istringstream lines(read_text(source + "/examples/parts/barrier.yaml"));
  int count = 0;
  for (std::string line; std::getline(lines, line) && !line.starts_with("simulate");) ++count;
  EXPECT_LE(count, 11);  // with the title
}

TEST(Parts, VerbsTakeDottedNames) {
  const Folder folder;
  const std::string file =
      folder.write("m.yaml", std::string(divider) + "simulate: {t_end: 1 ms, output_step: 0.1 ms}\n");
  // 9 V over R and 6 ohm with 1 Mohm beside it
  const Outcome sweep =
      run_program({"sweep", file, "--parameter", "d.upper.R", "--value", "6 ohm", "--signal", "d.mid.v"});
  EXPECT_EQ(sweep.status, 0) << sweep.all();
  EXPECT_NE(sweep.output.find("4.499986500"), std::string::npos) << sweep.output;
  const Outcome slope = run_program({"sensitivity", file, "--op", "--parameter", "d.lower.r.R", "--signal", "d.mid.v"});
  EXPECT_EQ(slope.status, 0) << slope.all();
  // dv/dR = 9 V * 3/(3 + 6)^2 ohm^-1 = 0.333333
  EXPECT_NE(slope.output.find("0.3333"), std::string::npos) << slope.output;
  const Outcome linear = run_program({"linearize", file, "--input", "U.v", "--output", "d.upper.r.i"});
  EXPECT_EQ(linear.status, 0) << linear.all();
  const Outcome list = run_program({"list", file});
  EXPECT_NE(list.output.find("d.upper.r.i"), std::string::npos) << list.output;
}

TEST(Parts, ParametersOfInstancesAreSymbols) {
  const Folder folder;
  const std::string file =
      folder.write("m.yaml", std::string(divider) + "simulate: {t_end: 1 ms, output_step: 0.1 ms}\n");
  const auto slope = [&](const char* parameter, const char* signal) {
    const Outcome o = run_program({"sensitivity", file, "--op", "--parameter", parameter, "--signal", signal});
    EXPECT_EQ(o.status, 0) << o.all();
    return o.output;
  };
  // 9 V over R and 6 ohm: dv/dR = -9 V * 6/(3 + 6)^2 ohm^-1
  EXPECT_NE(slope("d.upper.R", "d.mid.v").find("-0.6666"), std::string::npos) << slope("d.upper.R", "d.mid.v");
  // all follow R0: i = 9 V/(3 R0), di/dR0 = -3 V/R0^2
  EXPECT_NE(slope("R0", "d.upper.r.i").find("-0.3333"), std::string::npos) << slope("R0", "d.upper.r.i");
  const Outcome misspelt = run_program({"sensitivity", file, "--op", "--parameter", "d.uper.R"});
  EXPECT_NE(misspelt.all().find("--parameter d.uper.R: the model has no such parameter; did you mean d.upper.R?"),
            std::string::npos)
      << misspelt.all();
  // one that was given a signal is no number
  const Outcome varying = run_program({"sensitivity", file, "--op", "--set", "d.upper.R=3 ohm*(1 + C.v/(1 V))",
                                       "--parameter", "d.upper.R", "--signal", "d.mid.v"});
  EXPECT_EQ(varying.status, 2);
  EXPECT_NE(varying.all().find("--parameter d.upper.R: it is no number, so that nothing can be differentiated to it"),
            std::string::npos)
      << varying.all();
}

TEST(Parts, NumbersOfElementsAreBuiltIn) {
  const Folder folder;
  const std::string file = folder.write("m.yaml", R"(
parameters: {n: 3}
parts:
  Row:
    ports: [a, b]
    parameters: {m: required}
    components:
      r: {type: electrical.Resistor, repeat: {k: m}, p: a, n: b, R: 1 ohm*m}
components:
  U: {type: electrical.VoltageSource, p: x, n: gnd, v: 1 V}
  row: {type: Row, a: x, b: gnd, m: n - 1}
simulate: {t_end: 1 ms, output_step: 0.1 ms}
)");
  for (const char* name : {"n", "row.m"}) {
    const Outcome o = run_program({"sensitivity", file, "--op", "--parameter", name, "--signal", "U.i"});
    EXPECT_EQ(o.status, 2) << o.all();
    EXPECT_NE(o.all().find(std::string("--parameter ") + name +
                           ": it is built into the equations by row.r.repeat; compare runs by the verb sweep instead"),
              std::string::npos)
        << o.all();
  }
}

TEST(Parts, ReportsDrawBodiesOfInstances) {
  const Folder folder;
  const std::string page = folder / "arms.html";
  const Outcome outcome = run_program({"run", source + "/examples/parts/two_arms.yaml", "--t-end", "0.2", "--set",
                                       "right.elbow.motor.R=3", "--report", page, "-q"});
  ASSERT_EQ(outcome.status, 0) << outcome.all();
  const std::string text = read_text(page);
  for (const char* name : {"left.arm.upper", "right.arm.fore", "left.shoulder.motor.i"})
    EXPECT_NE(text.find(name), std::string::npos) << name;
}

TEST(Parts, TheExampleOfTheManualRuns) {
  const std::string manual = read_text(source + "/docs/model-language.md");
  const std::size_t begin = manual.find("```yaml\n") + 8;
  const std::string text = manual.substr(begin, manual.find("```", begin) - begin);
  EXPECT_EQ(names_of(flatten(text)),
            (std::vector<std::string>{"supply", "x.winding", "x.motor", "y.winding", "y.motor", "load"}));
  const solve::Result result = run_text(text, 50, 1);
  // no load: the machine runs at 24 V/(k gear)
  EXPECT_NEAR(last(result, "y.motor.w"), 24 / (0.04 * 50), 1e-6);
}

TEST(Parts, DescribedByTheProgram) {
  const Outcome outcome = run_program({"describe", "parts"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_NE(outcome.output.find("override     {motor.R: 3 ohm}: entries of what is inside"), std::string::npos)
      << outcome.output;
}

TEST(Parts, ElectranFilesAndSubcircuitsTakeParameters) {
  const Folder folder;
  folder.write("coil.electran", read_text(source + "/tests/malformed/parts_files/coil.electran"));
  folder.write("filter.cir", read_text(source + "/tests/malformed/parts_files/filter.cir"));
  const std::string file = folder.write("m.yaml", R"(
parts:
  Coil: {file: coil.electran, parameters: {Ra: 4 ohm}, override: {R1.R: Ra, L1.L: 1 mH, U1.v: 8 V}}
  Low: {file: filter.cir, subckt: lowpass}
components:
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 1 V}
  one: {type: Coil}
  two: {type: Coil, Ra: 2 ohm}
  f: {type: Low, in: a, out: b, r: 2e3}
  g: {type: Low, in: a, out: c, override: {C1.C: 0.5 uF}}
)");
  const solve::Result result = run_model(io::read_model(file), {.t_end = 2e-3, .rtol = 1e-9, .atol = 1e-9});
  // current of a coil: U/R (1 - exp(-t R/L)); a low-pass: 1 - exp(-t/RC), all at 2 ms
  EXPECT_NEAR(std::abs(last(result, "one.L1.i")), 2 * (1 - std::exp(-8)), 1e-6);
  EXPECT_NEAR(std::abs(last(result, "two.L1.i")), 4 * (1 - std::exp(-4)), 1e-6);
  EXPECT_NEAR(last(result, "b.v"), 1 - std::exp(-1), 1e-6);
  EXPECT_NEAR(last(result, "c.v"), 1 - std::exp(-4), 1e-6);
}

TEST(Parts, ConvertedModelsKeepTheirParts) {
  const std::string text = io::to_model_text(io::parse_model(divider, "m.yaml"));
  EXPECT_EQ(names_of(flatten(text)), names_of(flatten(divider))) << text;
  EXPECT_NEAR(last(run_text(text, 1e-3, 1e-4), "d.upper.r.i"), last(run_text(divider, 1e-3, 1e-4), "d.upper.r.i"), 0);
}

TEST(Parts, TooManyComponentsAreRefusedWhereTheyArise) {
  const model::Model m = io::parse_model(make_lines(100).parts, "m.yaml");
  try {
    model::expand(m, domains::make_standard_registry(), {.most_components = 50});
    FAIL() << "not refused";
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "m.yaml:12:31: c.repeat: the model would have more than 50 components");
  }
}

}  // namespace
}  // namespace coenergy::tests
