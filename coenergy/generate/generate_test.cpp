#include <gtest/gtest.h>

#include <ctime>
#include <fstream>
#include <random>

#include "coenergy/generate/test_sources.hpp"
#include "coenergy/io/robotran.hpp"
#include "coenergy/io/urdf.hpp"
#include "coenergy/solve/simulate.hpp"

namespace coenergy::generate {
namespace {

using namespace test;

/// The balances of the compiled model at the start state with accelerations a: M a + c. Stops are not touched there.
std::vector<double> balances(const compile::Compiled& compiled, const std::vector<double>& a) {
  equations::Evaluator evaluator(compiled.system);
  equations::Point p = compiled.system.start();
  p.a = a;
  std::vector<double> r(compiled.system.n());
  evaluator.residual(p, equations::Level::acceleration, r);
  r.resize(compiled.system.nv());
  return r;
}

TEST(Generate, InverseDynamicsAreTheBalancesOfTheCompiledModel) {
  const model::Model m = parse(arm);
  const std::vector<double> a{0.3, -0.6, 0.9, 1.2};
  const std::vector<double> expected = balances(compile(m), a);
  for (const Parameters p : {Parameters::symbolic, Parameters::constants, Parameters::numeric}) {
    const Generated g = make(m, {.parameters = p});
    std::vector<double> in = start_values(g);
    std::copy(a.begin(), a.end(), in.begin() + 8);
    // two independent formulations of the same sums
    expect_near(expected, evaluate(g, in), 1e-12);
  }
}

TEST(Generate, MassMatrixAndForwardDynamicsAgreeWithInverseDynamics) {
  const model::Model m = parse(arm);
  const std::vector<double> a{0.3, -0.6, 0.9, 1.2}, expected = balances(compile(m), a);
  const Generated matrix = make(m, {.task = Task::mass_matrix});
  const std::vector<double> Mc = evaluate(matrix, start_values(matrix));
  ASSERT_EQ(Mc.size(), 20u);
  std::vector<double> Q(Mc.begin() + 16, Mc.end());
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) Q[i] += Mc[4 * i + j] * a[j];
  expect_near(expected, Q, 1e-12);
  const Generated forward = make(m, {.task = Task::forward_dynamics});
  std::vector<double> in = start_values(forward);
  std::copy(expected.begin(), expected.end(), in.begin() + 8);
  expect_near(a, evaluate(forward, in), 1e-12);
}

TEST(Generate, KinematicsOfPointsAreTheSignalsOfTheModel) {
  const model::Model m = parse(arm);
  const compile::Compiled compiled = compile(m);
  const Generated g = make(m, {.task = Task::kinematics, .points = {{"tool", {}}, {"upper", {0, 0, 1}}}});
  const std::vector<double> out = evaluate(g, start_values(g));
  equations::Evaluator evaluator(compiled.system);
  std::vector<double> signals(compiled.system.signals().size());
  evaluator.signals(compiled.system.start(), signals);
  const auto signal = [&](const std::string& name) { return signals[compiled.system.find_signal(name)]; };
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(out[i], signal(std::string("tool.") + "xyz"[i]), 1e-14);
    // the velocities follow the positions (2×3) and rotations (2×9)
    EXPECT_NEAR(out[24 + i], signal(std::string("tool.v") + "xyz"[i]), 1e-14);
  }
  EXPECT_NEAR(out[5], 1, 1e-15);
}

TEST(Generate, FreeBodiesTurnByQuaternions) {
  const model::Model m = parse(R"(
model: free
components:
  b: {type: multibody.Body, mass: 2, com: [0.1, 0.2, 0.3], inertia: [0.3, 0.2, 0.25], angles: [0.1, 0.2, 0.3], angular_velocity: [1, 2, 3], velocity: [0.1, 0.2, 0.3]}
  arm: {type: multibody.Body, mass: 1, com: [0.3, 0, 0], inertia: [0.01, 0.02, 0.02]}
  hinge: {type: multibody.Revolute, parent: b, parent_at: [0.2, 0, 0], child: arm, axis: y, qd0: 0.4}
)");
  const Generated g = make(m, {});
  EXPECT_TRUE(g.has_quaternions);
  const compile::Compiled compiled = compile(m);
  const std::vector<double> zero(7, 0.0);
  std::vector<double> expected = balances(compiled, zero), actual = evaluate(g, start_values(g));
  // the compiled system lists coordinates (x y z, hinge) before the three rotations
  const std::vector<double> ordered{actual[0], actual[1], actual[2], actual[6], actual[3], actual[4], actual[5]};
  expect_near(expected, ordered, 1e-12);
}

const char* four_bar = R"(
model: four bar
components:
  crank:   {type: multibody.Body, mass: 1, com: [0.25, 0, 0], inertia: [0, 0, 0.02]}
  coupler: {type: multibody.Body, mass: 1.8, com: [0.45, 0, 0], inertia: [0, 0, 0.1]}
  rocker:  {type: multibody.Body, mass: 1.4, com: [0.35, 0, 0], inertia: [0, 0, 0.05]}
  hinge:  {type: multibody.Revolute, parent: ground, child: crank, q0: 60 deg}
  elbow:  {type: multibody.Revolute, parent: crank, parent_at: [0.5, 0, 0], child: coupler, guess: -45 deg}
  pivot:  {type: multibody.Revolute, parent: ground, parent_at: [1, 0, 0], child: rocker, guess: 80 deg}
  joint:  {type: multibody.Revolute, parent: coupler, parent_at: [0.9, 0, 0], child: rocker, child_at: [0.7, 0, 0], guess: 60 deg}
)";

TEST(Generate, ConstraintsHoldTheLoopTogether) {
  const Generated g = make(parse(four_bar), {.task = Task::constraints});
  ASSERT_EQ(g.main.outputs.size(), 3u);
  const std::size_t rows = g.main.outputs[0].entries.size(), n = g.main.inputs[2].entries.size();
  ASSERT_EQ(rows, 2u);
  // J and b by central differences of h along random rates
  std::vector<double> in = start_values(g), rate{0.3, -0.7, 1.1};
  const double e = 1e-4;
  const auto shifted = [&](double t) {
    std::vector<double> x = in;
    for (std::size_t k = 0; k < n; ++k) x[1 + k] += t * rate[k], x[1 + n + k] = rate[k];
    return evaluate(g, x);
  };
  const std::vector<double> minus = shifted(-e), zero = shifted(0), plus = shifted(e);
  for (std::size_t r = 0; r < rows; ++r) {
    double hd = 0;
    for (std::size_t k = 0; k < n; ++k) hd += zero[rows + r * n + k] * rate[k];
    // truncation e²/6 of third derivatives of size 1; round-off 1e-16/e²
    EXPECT_NEAR(hd, (plus[r] - minus[r]) / (2 * e), 1e-7);
    EXPECT_NEAR(zero[rows + rows * n + r], (plus[r] - 2 * zero[r] + minus[r]) / (e * e), 1e-6);
  }
}

TEST(Generate, OnlyTheJointsThatAreAskedFor) {
  const model::Model m = parse(arm);
  const Generated all = make(m, {}), one = make(m, {.joints = {"wrist"}});
  EXPECT_EQ(one.main.outputs[0].entries.size(), 1u);
  EXPECT_LT(one.operations, all.operations);
}

TEST(Generate, RefusalsSayWhatIsMissing) {
  EXPECT_EQ(refusal([] { make(parse(arm), {.joints = {"wirst"}}); }),
            "joints: there is no joint \"wirst\"; did you mean wrist?");
  EXPECT_EQ(refusal([] {
              make(parse(arm), {.task = Task::kinematics, .points = {{"tol", {}}}});
            }),
            "points: there is no body \"tol\"; did you mean tool?");
  EXPECT_EQ(refusal([] { make(parse(arm), {.task = Task::constraints}); }),
            "m.yaml: the model has no constraints: no closed loops, gears or drives");
  EXPECT_EQ(refusal([] { make(parse("model: m\ncomponents:\n  s: {type: blocks.Constant, value: 1}\n"), {}); }),
            "m.yaml: the model has no bodies");
}

// ---- the printed sources

/// Numbers that the sources in every language print for random inputs equal those of the library.
void check_sources(const Generated& g) {
  std::mt19937 random(7);
  std::vector<double> in = start_values(g), file;
  for (std::size_t i = 0, k = 0; i < g.main.inputs.size(); ++i)
    for (const Array::Entry& e : g.main.inputs[i].entries) {
      const bool is_number = g.main.inputs[i].name == "p" || g.main.inputs[i].name == "k";
      in[k] = is_number ? e.start : std::uniform_real_distribution(-1.0, 1.0)(random);
      if (g.main.inputs[i].name != "k") file.push_back(in[k]);
      ++k;
    }
  if (!g.once.empty())
    for (const Array::Entry& e : g.once[0].inputs[0].entries) file.push_back(e.start);
  const std::vector<double> expected = evaluate(g, in);
  for (const Compiler& c : compilers) {
    if (!has(c.program)) {
      std::printf("%s is not installed: its sources are not run\n", c.program.c_str());
      continue;
    }
    Folder folder;
    save(write_sources(g, c.language), folder.path);
    std::ofstream numbers(folder.path / "numbers");
    numbers.precision(17);
    for (const double x : file) numbers << x << "\n";
    numbers.close();
    std::string call = c.call;
    for (std::size_t at; (at = call.find('@')) != std::string::npos;) call.replace(at, 1, g.main.name);
    int status = 0;
    const std::vector<double> actual = run("cd " + folder.path.string() + " && " + c.build + " && " + call, status);
    ASSERT_EQ(status, 0) << c.program;
    SCOPED_TRACE(c.program + " " + g.main.name);
    // the same operations; only the last bits of sine and cosine may differ
    expect_near(expected, actual, 1e-12);
  }
}

TEST(Generate, SourcesComputeTheSameInEveryLanguage) {
  const model::Model m = parse(arm);
  check_sources(make(m, {}));
  check_sources(make(m, {.parameters = Parameters::constants}));
  check_sources(make(m, {.task = Task::forward_dynamics, .parameters = Parameters::numeric}));
  check_sources(make(m, {.task = Task::kinematics, .points = {{"tool", {0, 0, 0.1}}}}));
  check_sources(make(m, {.task = Task::mass_matrix, .parameters = Parameters::constants}));
  check_sources(make(parse(four_bar), {.task = Task::constraints}));
}

TEST(Generate, TheMainProgramOfForwardDynamicsReproducesARun) {
  const model::Model m = parse(arm);
  const compile::Compiled compiled = compile(m);
  solve::Options options;
  options.t_end = 0.5;
  options.method = "dopri";
  options.rtol = 1e-11, options.atol = 1e-12;
  const solve::Result result = solve::simulate(compiled.system, options);
  for (const Parameters p : {Parameters::constants, Parameters::symbolic}) {
    const Generated g = make(m, {.task = Task::forward_dynamics, .parameters = p});
    std::vector<double> expected;
    for (const int array : {0, 1})
      for (const Array::Entry& e : g.main.inputs[array].entries) expected.push_back(result.signal(e.name).back());
    for (const Compiler& c : compilers) {
      if (!has(c.program)) continue;
      if (p == Parameters::symbolic && c.language != Language::c) continue;
      Folder folder;
      save(write_sources(g, c.language), folder.path);
      const std::string call = c.language == Language::python ? "python3 forward_dynamics_main.py run 0.5 500 1"
                               : c.language == Language::matlab
                                   ? "octave-cli --no-gui --quiet --eval \"forward_dynamics_main('run', 0.5, 500, 1)\""
                                   : "./f run 0.5 500 5";
      int status = 0;
      const std::vector<double> actual =
          last_row("cd " + folder.path.string() + " && " + c.build + " && " + call, status);
      ASSERT_EQ(status, 0) << c.program;
      SCOPED_TRACE(c.program);
      // Runge–Kutta of order 4 with h = 1 ms: h⁴ times rates of some 10/s to the fifth power
      expect_near(expected, actual, 1e-7);
    }
  }
}

// ---- forces of the model

TEST(Generate, ForcesOfTheModelArePartOfTheFunctions) {
  const model::Model m = parse(loaded_arm);
  const compile::Compiled compiled = compile(m);
  equations::Evaluator evaluator(compiled.system);
  equations::Point p = compiled.system.start();
  p.t = 0.6, p.a = {1.5, -2};
  evaluator.update_modes(p);  // the elbow is at its lower stop
  std::vector<double> balances(compiled.system.n());
  evaluator.residual(p, equations::Level::acceleration, balances);
  for (const Parameters parameters : {Parameters::symbolic, Parameters::numeric, Parameters::constants}) {
    const auto fill = [&](const Generated& g, const std::vector<double>& third) {
      std::vector<double> in = start_values(g);
      std::copy(third.begin(), third.end(), in.begin() + 4);
      EXPECT_EQ(g.main.inputs[3].name, "t");
      in[6] = p.t;
      return evaluate(g, in);
    };
    const Generated inverse = make(m, {.parameters = parameters});
    expect_near(balances, fill(inverse, p.a), 1e-12);
    const Generated forward = make(m, {.task = Task::forward_dynamics, .parameters = parameters});
    expect_near(p.a, fill(forward, balances), 1e-12);
  }
  EXPECT_EQ(make(m, {}).notes,
            std::vector<std::string>{
                "springs, dampers and loads of the model are part of the function; Q is what actuators have to add"});
}

std::filesystem::path shared(const char* name) {
  return std::filesystem::path(COENERGY_SOURCE_DIR).parent_path() / "shared" / "data" / name;
}

TEST(Generate, ComanNeedsFewerOperationsThanRobotran) {
  if (!std::filesystem::exists(shared("coman.mbs"))) GTEST_SKIP() << "../shared/data/coman.mbs is not there";
  const model::Model m = io::read_robotran(shared("coman.mbs")).model;
  // Robotran 6.6 counts 4106 and 17414, with a force and a torque on each of the 24 bodies: 144 subtractions
  const std::clock_t begin = std::clock();
  const Generated inverse = make(m, {}), matrix = make(m, {.task = Task::mass_matrix});
#ifndef __SANITIZE_ADDRESS__
  EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 0.2) << "0.1 s for each";
#endif
  EXPECT_LE(inverse.operations + 144, 4106);
  EXPECT_LE(inverse.operations, 3054);
  EXPECT_LE(matrix.operations + 144, 17414);
  EXPECT_LE(matrix.operations, 5882);
  EXPECT_LE(make(m, {.parameters = Parameters::numeric}).operations, 2692);
  const Generated constants = make(m, {.parameters = Parameters::constants});
  EXPECT_LE(constants.operations, 2719);

  // against the compiled model, whose recursion is another one
  const compile::Compiled compiled = compile(m);
  const std::vector<double> a(29, 0.5);
  std::vector<double> in = start_values(inverse);
  std::copy(a.begin(), a.end(), in.begin() + 58);
  expect_near(balances(compiled, a), evaluate(inverse, in), 1e-12);
}

TEST(Generate, IiwaAgreesWithItsCompiledModel) {
  if (!std::filesystem::exists(shared("iiwa.urdf"))) GTEST_SKIP() << "../shared/data/iiwa.urdf is not there";
  model::Model m = io::read_urdf(shared("iiwa.urdf")).model;
  for (int j = 1; j <= 7; ++j) m.set("lbr_iiwa_joint_" + std::to_string(j) + ".q0", model::Value(0.1 * j));
  const Generated g = make(m, {});
  const std::vector<double> a(7, 0.7);
  std::vector<double> in = start_values(g);
  std::copy(a.begin(), a.end(), in.begin() + 14);
  expect_near(balances(compile(m), a), evaluate(g, in), 1e-12);
}

}  // namespace
}  // namespace coenergy::generate
