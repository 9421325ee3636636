#include "coenergy/generate/loops.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "coenergy/generate/test_sources.hpp"
#include "coenergy/solve/initialize.hpp"
#include "coenergy/solve/simulate.hpp"

namespace coenergy::generate {
namespace {

using namespace test;

const char* loaded_four_bar = R"y(
model: four bar with forces
components:
  g: {type: multibody.Gravity, g: [0, -9.81, 0]}
  crank:   {type: multibody.Body, mass: 1, com: [0.25, 0, 0], inertia: [0, 0, 0.02]}
  coupler: {type: multibody.Body, mass: 1.8, com: [0.45, 0, 0], inertia: [0, 0, 0.1]}
  rocker:  {type: multibody.Body, mass: 1.4, com: [0.35, 0, 0], inertia: [0, 0, 0.05]}
  hinge:  {type: multibody.Revolute, parent: ground, child: crank, q0: 60 deg, qd0: 1.5, damping: 0.3, torque: "(6 + time/(1 s))*(1 N.m)"
  }
  elbow:  {type: multibody.Revolute, parent: crank, parent_at: [0.5, 0, 0], child: coupler, guess: -45 deg}
  pivot:  {type: multibody.Revolute, parent: ground, parent_at: [1, 0, 0], child: rocker, guess: 80 deg, stiffness: 3}
  joint:  {type: multibody.Revolute, parent: coupler, parent_at: [0.9, 0, 0], child: rocker, child_at: [0.7, 0, 0], guess: 60 deg}
  rotor:  {type: mechanical.Inertia, shaft: hinge.shaft, J: 0.02 kg.m2}
)y";

/// Values of the compiled model by the names of a generated array: positions, rates or accelerations; else multipliers.
std::vector<double> pick(const equations::System& s, const equations::Point& p, const Array& a) {
  std::vector<double> values;
  for (const Array::Entry& e : a.entries)
    for (int i = 0; i < s.nv() + s.nl(); ++i) {
      if (i >= s.nv() && s.row_name(i) == e.name) values.push_back(p.lambda[i - s.nv()]);
      if (i >= s.nv()) continue;
      const std::string& name = s.unknown(i).name;
      if (e.name == name) values.push_back(p.q[i]);
      if (e.name == name + "d") values.push_back(p.v[i]);
      if (e.name == name + "dd") values.push_back(p.a[i]);
    }
  EXPECT_EQ(values.size(), a.entries.size()) << a.name;
  return values;
}

/// What the printed program answers to these arrays (in order of its inputs).
std::vector<double> call(const Generated& g, const Compiler& c, const std::vector<double>& numbers, int& status) {
  Folder folder;
  save(write_sources(g, c.language), folder.path);
  std::ofstream file(folder.path / "numbers");
  file.precision(17);
  for (const double x : numbers) file << x << "\n";
  file.close();
  std::string words = c.call;
  for (std::size_t at; (at = words.find('@')) != std::string::npos;) words.replace(at, 1, g.main.name);
  return run("cd " + folder.path.string() + " && " + c.build + " && " + words, status);
}

std::vector<double> numbers_of(const Generated& g, const std::vector<double>& third) {
  std::vector<double> numbers;
  for (std::size_t i = 0; i < g.main.inputs.size(); ++i)
    for (std::size_t k = 0; k < g.main.inputs[i].entries.size(); ++k)
      numbers.push_back(i == 2 && !third.empty() ? third[k] : g.main.inputs[i].entries[k].start);
  return numbers;
}

void check_loops(const char* text, Request request, bool all_languages) {
  const model::Model m = parse(text);
  const compile::Compiled compiled = compile(m);
  equations::Evaluator evaluator(compiled.system);
  const solve::Start start = solve::initialize(evaluator);
  ASSERT_TRUE(start.good) << start.text;
  request.task = Task::forward_dynamics;
  const Generated g = make(m, request);
  std::vector<double> expected;
  for (const Array& a : g.main.outputs) {
    const std::vector<double> part = pick(compiled.system, start.point, a);
    expected.insert(expected.end(), part.begin(), part.end());
  }
  // the closure begins elsewhere and finds the same configuration
  std::vector<double> in = numbers_of(g, {});
  for (const int k : g.loops.dependent) in[k] += 0.1;
  for (const Compiler& c : compilers) {
    if (!has(c.program) || (!all_languages && c.language != Language::c)) continue;
    int status = 0;
    const std::vector<double> actual = call(g, c, in, status);
    SCOPED_TRACE(c.program);
    ASSERT_EQ(status, 0);
    // positions to 1e-12, the partition's conditioning on top
    expect_near(expected, actual, 1e-10);
  }
}

TEST(GenerateLoops, ForwardDynamicsOfAFourBarAreThoseOfTheCompiledModel) {
  check_loops(loaded_four_bar, {}, true);
  check_loops(loaded_four_bar, {.parameters = Parameters::numeric, .independent = {"pivot"}}, false);
}

// a slide, a gear to a shaft of its own, two loops, gravity across the plane
TEST(GenerateLoops, ForwardDynamicsWithGearsAndSlidesAreThoseOfTheCompiledModel) {
  check_loops(R"(
components:
  g: {type: multibody.Gravity, g: [0, -9.81, 0]}
  crank: {type: multibody.Body, mass: 1 kg, com: [0.05, 0, 0], inertia: [0, 0, 1e-3]}
  rod: {type: multibody.Body, mass: 0.8 kg, com: [0.15, 0, 0], inertia: [0, 0, 6e-3]}
  piston: {type: multibody.Body, mass: 0.5 kg}
  shaft: {type: multibody.Revolute, parent: ground, child: crank, q0: 0.8, qd0: 5}
  pin: {type: multibody.Revolute, parent: crank, child: rod, parent_at: [0.1, 0, 0]}
  wrist: {type: multibody.Revolute, parent: rod, child: piston, parent_at: [0.3, 0, 0]}
  bore: {type: multibody.Prismatic, parent: ground, child: piston, axis: x, guess: 0.35 m, damping: 4}
  gear: {type: mechanical.IdealGear, a: fast, b: shaft.shaft, ratio: 12}
  motor: {type: mechanical.Inertia, shaft: fast, J: 1e-4}
  brake: {type: mechanical.RotationalDamper, a: fast, b: ground, d: 1e-3}
)",
              {}, false);
}

TEST(GenerateLoops, InverseDynamicsGiveBackTheForcesThatMadeTheMotion) {
  const model::Model m = parse(loaded_four_bar);
  const Compiler& gcc = compilers[0];
  for (const std::string joint : {"hinge", "pivot", "elbow"}) {
    const Generated forward = make(m, {.task = Task::forward_dynamics});
    const Generated inverse = make(m, {.actuated = {joint}});
    const int n = forward.loops.coordinates;
    std::vector<double> Q(n, 0.0);
    Q[inverse.loops.actuated[0]] = 3.5;
    int status = 0;
    const std::vector<double> motion = call(forward, gcc, numbers_of(forward, Q), status);
    ASSERT_EQ(status, 0);
    const std::vector<double> qdd(motion.begin() + 2 * n, motion.begin() + 3 * n),
        lambda(motion.begin() + 3 * n, motion.end());
    const std::vector<double> forces = call(inverse, gcc, numbers_of(inverse, qdd), status);
    ASSERT_EQ(status, 0);
    EXPECT_NEAR(forces[0], 3.5, 1e-10) << joint;
    expect_near(lambda, {forces.end() - static_cast<std::ptrdiff_t>(lambda.size()), forces.end()}, 1e-10);
  }
}

TEST(GenerateLoops, TheMainProgramReproducesARunOfTheModel) {
  const model::Model m = parse(loaded_four_bar);
  const compile::Compiled compiled = compile(m);
  solve::Options options;
  options.t_end = 1;
  options.method = "radau";
  options.rtol = 1e-11, options.atol = 1e-11;
  const solve::Result result = solve::simulate(compiled.system, options);
  ASSERT_EQ(result.status, solve::Status::done) << result.text;
  const Generated g = make(m, {.task = Task::forward_dynamics});
  std::vector<double> expected = pick(compiled.system, result.end, g.main.outputs[0]);
  for (const double v : pick(compiled.system, result.end, g.main.outputs[1])) expected.push_back(v);
  for (const Compiler& c : compilers) {
    if (!has(c.program)) continue;
    const bool slow = c.language == Language::python || c.language == Language::matlab;
    Folder folder;
    save(write_sources(g, c.language), folder.path);
    const std::string steps = slow ? "200" : "2000";
    const std::string words =
        c.language == Language::python ? "python3 forward_dynamics_main.py run 1 " + steps + " 1"
        : c.language == Language::matlab
            ? "octave-cli --no-gui --quiet --eval \"forward_dynamics_main('run', 1, " + steps + ", 1)\""
            : "./f run 1 " + steps + " 10";
    int status = 0;
    const std::vector<double> actual =
        last_row("cd " + folder.path.string() + " && " + c.build + " && " + words, status);
    SCOPED_TRACE(c.program);
    ASSERT_EQ(status, 0);
    // order 4: h⁴ times rates of some 10/s to the fifth power, over the rise of errors in a second
    expect_near(expected, actual, slow ? 1e-5 : 1e-9);
  }
}

TEST(GenerateLoops, ALoopThatCannotCloseIsReported) {
  const Generated g = make(parse(loaded_four_bar), {.task = Task::forward_dynamics, .independent = {"pivot"}});
  std::vector<double> in = numbers_of(g, {});
  for (const int k : g.loops.independent) in[k] = 3;  // the rocker cannot lie backwards
  int status = 0;
  EXPECT_TRUE(call(g, compilers[0], in, status).empty());
  EXPECT_NE(status, 0);
}

TEST(GenerateLoops, WrongChoicesAreRefused) {
  const model::Model m = parse(loaded_four_bar);
  const auto forward = [&](const std::vector<std::string>& independent) {
    return refusal([&] { make(m, {.task = Task::forward_dynamics, .independent = independent}); });
  };
  EXPECT_EQ(forward({"hnge"}), "independent: there is no joint \"hnge\"; did you mean hinge?");
  EXPECT_EQ(forward({"hinge", "elbow"}),
            "independent: the mechanism has 1 degrees of freedom and 2 coordinates are named; name 1, such as hinge.q");
  EXPECT_EQ(refusal([&] {
              make(m, {.actuated = {"hinge", "elbow"}});
            }),
            "actuated: the mechanism has 1 degrees of freedom and 2 actuated joints are named; name 1");
  EXPECT_EQ(refusal([&] { make(parse(arm), {.actuated = {"wrist"}}); }),
            "m.yaml: the mechanism has no loops and no constraints: all its coordinates are independent and have "
            "actuators; use joints to choose some of them");
}

// no allocation, nothing but the mathematical library
TEST(GenerateLoops, SourcesNeedTheMathematicalLibraryAlone) {
  if (!has("gcc") || !has("nm")) GTEST_SKIP() << "gcc and nm are not installed";
  for (const char* text : {loaded_four_bar, loaded_arm}) {
    const Generated g = make(parse(text), {.task = Task::forward_dynamics});
    Folder folder;
    save(write_sources(g, Language::c), folder.path);
    const std::string command =
        "cd " + folder.path.string() +
        " && gcc -std=c99 -O1 -Wall -Wextra -Werror -pedantic -c forward_dynamics.c && nm "
        "forward_dynamics.o | grep -v ' [Tt] ' | grep -v ' [rR] ' | grep -v -E ' U "
        "(sin|cos|sincos|sqrt|fabs|fmin|fmax|tanh|_GLOBAL_OFFSET_TABLE_|__stack_chk_fail)$' > rest";
    std::system(command.c_str());
    std::ifstream rest(folder.path / "rest");
    ASSERT_TRUE(rest.good());
    const std::string left((std::istreambuf_iterator<char>(rest)), std::istreambuf_iterator<char>());
    // data that could change, or functions of others
    EXPECT_EQ(left, "");
  }
}

}  // namespace
}  // namespace coenergy::generate
