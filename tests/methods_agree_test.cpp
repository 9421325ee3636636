// Models on which methods once disagreed, each by every method with error control: all are right, or tell why not.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <regex>

#include "coenergy/solve/newton.hpp"
#include "tests/inline_model.hpp"

namespace coenergy::tests {
namespace {

/// Runs a model by every method with error control and gives what came of each to `check`.
void run_by_every_method(const std::string& text, double t_end, double tolerance, double output_step,
                         const std::function<void(const std::string& method, const solve::Result& result)>& check) {
  const equations::System system = compile_model(io::parse_model(text, "m.yaml"));
  for (const std::string& method : solve::method_names()) {
    // IDA takes hundreds of thousands of steps here: its equations leave the constraints within each of them
    if (!solve::has_error_estimate(method) || method == "ida") continue;
    solve::Options options;
    options.t_end = t_end, options.method = method, options.output_step = output_step;
    options.rtol = tolerance, options.atol = 1e-2 * tolerance;
    check(method, solve::simulate(system, options));
  }
}

// Six hinges at right angles along the edges of a cube: one closure follows from the others. What IDA and CVODE remembered
// used to drift away from the constraints, and rows showed the projection of another motion, off by 2 to 7.
TEST(MethodsAgree, OnALoopWithARedundantConstraint) {
  const std::string text = R"(
components:
  g: {type: multibody.Gravity, g: [0, -9.81, 0]}
  r1: {type: multibody.Body, mass: 1.3, com: [0.4, 0, 0], inertia: [0.003, 0.07, 0.07]}
  r2: {type: multibody.Body, mass: 1.3, com: [0, -0.4, 0], inertia: [0.07, 0.003, 0.07]}
  r3: {type: multibody.Body, mass: 1.3, com: [0, 0, 0.4], inertia: [0.07, 0.07, 0.003]}
  r4: {type: multibody.Body, mass: 1.3, com: [-0.4, 0, 0], inertia: [0.003, 0.07, 0.07]}
  r5: {type: multibody.Body, mass: 1.3, com: [0, 0.4, 0], inertia: [0.07, 0.003, 0.07]}
  h1: {type: multibody.Revolute, parent: ground, child: r1, axis: y}
  h2: {type: multibody.Revolute, parent: r1, child: r2, parent_at: [0.8, 0, 0], axis: z}
  h3: {type: multibody.Revolute, parent: r2, child: r3, parent_at: [0, -0.8, 0], axis: x}
  h4: {type: multibody.Revolute, parent: r3, child: r4, parent_at: [0, 0, 0.8], axis: y}
  h5: {type: multibody.Revolute, parent: r4, child: r5, parent_at: [-0.8, 0, 0], axis: z}
  h6: {type: multibody.Revolute, parent: r5, child: ground, parent_at: [0, 0.8, 0], child_at: [0, 0, 0.8], axis: x}
)";
  constexpr double t_end = 2.2, tolerance = 1e-6;
  for (const std::string formulation : {"relative", "absolute"}) {
    const std::string model = "formulation: " + formulation + "\n" + text;
    const double reference = run_text(model, t_end, t_end).signal("h1.q").back();
    run_by_every_method(model, t_end, tolerance, t_end, [&](const std::string& method, const solve::Result& result) {
      ASSERT_EQ(result.status, solve::Status::done) << method << " " << formulation << " " << result.text;
      // an angle of two radians; each step may be off by a tolerance, which the swing amplifies a little
      EXPECT_NEAR(result.signal("h1.q").back(), reference, tolerance * (30 + 6.0 * double(result.statistics.steps)))
          << method << " " << formulation;
    });
  }
}

// A four-bar at rest, without gravity, beside a circuit whose diode switches: short steps beside events once turned round-off
// into accelerations of 8e12.
TEST(MethodsAgree, OnALoopThatRestsBesideACircuitThatSwitches) {
  const std::string text = R"(
components:
  b1: {type: multibody.Body, mass: 0.6, com: [-0.1, 0.05, 0], inertia: [0.02, 0.02, 0.02]}
  b2: {type: multibody.Body, mass: 1.1, com: [-0.03, 0.04, 0], inertia: [0.02, 0.02, 0.02]}
  b4: {type: multibody.Body, mass: 1.4, com: [0.15, 0.1, 0], inertia: [0.04, 0.04, 0.04]}
  j1: {type: multibody.Revolute, parent: ground, child: b1, parent_at: [-0.15, 0.12, 0]}
  j2: {type: multibody.Revolute, parent: b1, child: b2, parent_at: [-0.13, 0.25, 0]}
  j4: {type: multibody.Revolute, parent: ground, child: b4, parent_at: [0.9, -0.1, 0]}
  j3: {type: multibody.Revolute, parent: b2, child: b4, parent_at: [0.74, 0.52, 0], child_at: [-0.41, 1.01, 0]}
  C: {type: electrical.Capacitor, p: a, n: gnd, C: 2.4 mF}
  D: {type: electrical.IdealDiode, p: a, n: b, R_on: 0.02, G_off: 2e-6}
  R: {type: electrical.Resistor, p: b, n: c, R: 1.3}
  L: {type: electrical.Inductor, p: c, n: gnd, L: 4.8 mH, i0: -0.31}
  R2: {type: electrical.Resistor, p: b, n: e, R: 1.7}
  L2: {type: electrical.Inductor, p: e, n: gnd, L: 6.1 mH}
)";
  for (const std::string formulation : {"relative", "absolute"}) {
    const equations::System system =
        compile_model(io::parse_model("formulation: " + formulation + "\n" + text, "m.yaml"));
    for (const std::string& method : solve::method_names()) {
      if (solve::is_explicit(method)) continue;  // the circuit is stiff where the diode blocks
      solve::Options options;
      options.t_end = 0.5, options.method = method;
      if (!solve::has_error_estimate(method)) options.step = options.t_end / 1500;
      const solve::Result r = solve::simulate(system, options);
      ASSERT_EQ(r.status, solve::Status::done) << method << " " << formulation << r.text;
      const std::vector<double> q = r.signal("j1.q"), qdd = r.signal("j1.qdd");
      // round-off of positions of 1 m over the square of a step of a hundredth of a millisecond
      for (std::size_t i = 0; i < q.size(); ++i) {
        ASSERT_NEAR(q[i], q.front(), 1e-9) << method << " " << formulation << " at " << r.times[i];
        ASSERT_NEAR(qdd[i], 0, 1e-3) << method << " " << formulation << " at " << r.times[i];
      }
    }
  }
}

// Friction that sticks in a joint of a closed loop: the force that holds is one of many unknowns, and a residual of 1e-16 once
// ended runs while an event was located.
TEST(MethodsAgree, OnFrictionThatSticksInALoop) {
  const std::string text = R"(
components:
  j1: {type: multibody.Revolute, parent: ground, child: a, q0: 80 deg, qd0: -0.3, friction: {law: stick, coulomb: 1.5}}
  a: {type: multibody.Body, mass: 1.2, com: [0.2, 0, 0], inertia: [0.1, 0.1, 0.08]}
  j2: {type: multibody.Revolute, parent: a, parent_at: [0.45, 0, 0], child: b, guess: -55 deg}
  b: {type: multibody.Body, mass: 0.9, com: [0.3, 0, 0], inertia: [0.1, 0.1, 0.12]}
  j4: {type: multibody.Revolute, parent: ground, parent_at: [1.1, 0, 0], child: d, guess: 90 deg}
  d: {type: multibody.Body, mass: 1.1, com: [0.25, 0, 0], inertia: [0.1, 0.1, 0.09]}
  j3: {type: multibody.Revolute, parent: b, parent_at: [1.15, 0, 0], child: d, child_at: [0.75, 0, 0], guess: 60 deg,
       torque: 4.5 N.m*sin(7*time)}
)";
  constexpr double t_end = 1, tolerance = 1e-6;
  const solve::Result reference = run_text(text, t_end, t_end);
  for (const std::string formulation : {"relative", "absolute"})
    run_by_every_method("formulation: " + formulation + "\n" + text, t_end, tolerance, t_end,
                        [&](const std::string& method, const solve::Result& r) {
                          ASSERT_EQ(r.status, solve::Status::done) << method << " " << formulation << " " << r.text;
                          // angles of a radian; each step may be off by a tolerance
                          const double allowed = tolerance * (30 + 3.0 * double(r.statistics.steps));
                          for (const char* signal : {"j1.q", "j3.q", "j1.qd"})
                            EXPECT_NEAR(r.signal(signal).back(), reference.signal(signal).back(), allowed)
                                << method << " " << formulation << " " << signal;
                        });
}

// What sticks lets go at the peak of a force that varies; while all rests, nothing but the force that holds
// tells how long a step may be, and it was looked at only at the ends of steps.
TEST(MethodsAgree, OnAForceThatExceedsFrictionWithinAStep) {
  const std::string text = R"(
components:
  m: {type: mechanical.Mass, m: 1.4}
  load: {type: mechanical.Force, flange: m, f: 2.7 N*sin(9 Hz*time)}
  rub: {type: mechanical.TranslationalFriction, a: ground, b: m, law: stick, coulomb: 1.7, breakaway: 2.5}
)";
  constexpr double t_end = 1, tolerance = 1e-6;
  const solve::Result reference = run_text(text, t_end, t_end);
  ASSERT_GT(std::abs(reference.signal("m.s").back()), 3e-4);  // it did let go
  run_by_every_method(text, t_end, tolerance, t_end, [&](const std::string& method, const solve::Result& r) {
    ASSERT_EQ(r.status, solve::Status::done) << method << r.text;
    EXPECT_NEAR(r.signal("m.s").back(), reference.signal("m.s").back(),
                tolerance * (30 + 3.0 * double(r.statistics.steps)))
        << method;
  });
}

// A pulse of a force in the middle of a rest, shorter than a fiftieth of the run is long: no error tells of it, and steps that
// grow without a limit passed over it. It slides from where the force exceeds friction to where it has come to rest.
TEST(MethodsAgree, OnAPulseOfAForceOnWhatSticks) {
  const std::string text = R"(
components:
  m: {type: mechanical.Mass, m: 1.3}
  load: {type: mechanical.Force, flange: m, f: 3.4 N*exp(-((time - 0.81 s)/17 ms)^2)}
  rub: {type: mechanical.TranslationalFriction, a: ground, b: m, law: stick, coulomb: 2.1}
)";
  constexpr double t_end = 1.3, mass = 1.3, peak = 3.4, middle = 0.81, width = 17e-3, coulomb = 2.1;
  const double start = middle - width * std::sqrt(std::log(peak / coulomb));
  const auto speed = [&](double t) {
    const double impulse =
        peak * width * std::sqrt(M_PI) / 2 * (std::erf((t - middle) / width) - std::erf((start - middle) / width));
    return (impulse - coulomb * (t - start)) / mass;
  };
  double rest = middle + 4 * width;  // by Newton's method from beyond
  for (int k = 0; k < 30; ++k)
    rest -= speed(rest) * mass / (peak * std::exp(-std::pow((rest - middle) / width, 2)) - coulomb);
  double way = 0;  // by Simpson's rule
  constexpr int parts = 1000;
  for (int k = 0; k <= parts; ++k)
    way += (k % parts == 0 ? 1
            : k % 2 == 1   ? 4
                           : 2) *
           speed(start + k * (rest - start) / parts) * (rest - start) / (3 * parts);
  const equations::System system = compile_model(io::parse_model(text, "m.yaml"));
  for (const std::string& method : solve::method_names()) {
    if (!solve::has_error_estimate(method)) continue;
    for (const double tolerance : {1e-3, 1e-6, 1e-9}) {
      solve::Options options;
      options.t_end = t_end, options.method = method, options.rtol = tolerance, options.atol = 1e-2 * tolerance;
      const solve::Result r = solve::simulate(system, options);
      ASSERT_EQ(r.status, solve::Status::done) << method << r.text;
      // each step may be off by a tolerance
      const double allowed = tolerance * way * double(r.statistics.steps);
      EXPECT_NEAR(r.signal("m.s").back(), way, allowed) << method << " " << tolerance;
    }
  }
}

// Rates that look small for a moment: an oscillation of many periods and a source of many, from a flat start.
TEST(MethodsAgree, OnOscillationsOfManyPeriodsByTheDefaultAndTheOthers) {
  const std::string ring = R"(
components:
  L: {type: electrical.Inductor, p: a, n: gnd, L: 12 mH}
  C: {type: electrical.Capacitor, p: a, n: gnd, C: 2.2 uF, v0: 1.5 V}
)";
  const std::string filter = R"(
components:
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 2 V*sin(5000 Hz*time)}
  R: {type: electrical.Resistor, p: a, n: b, R: 3 ohm}
  C: {type: electrical.Capacitor, p: b, n: gnd, C: 15 uF}
)";
  constexpr double t_end = 0.2, tolerance = 1e-6, w = 5000, tau = 3 * 15e-6;
  const double of_ring = 1.5 * std::cos(t_end / std::sqrt(12e-3 * 2.2e-6));
  const double of_filter = 2 * (std::sin(w * t_end) - w * tau * std::cos(w * t_end)) / (1 + w * w * tau * tau);
  run_by_every_method(ring, t_end, tolerance, t_end, [&](const std::string& method, const solve::Result& r) {
    ASSERT_EQ(r.status, solve::Status::done) << method << r.text;
    EXPECT_NEAR(r.signal("C.v").back(), of_ring, tolerance * (30 + 3.0 * double(r.statistics.steps))) << method;
  });
  run_by_every_method(filter, t_end, tolerance, t_end, [&](const std::string& method, const solve::Result& r) {
    ASSERT_EQ(r.status, solve::Status::done) << method << r.text;
    // it forgets errors of steps
    EXPECT_NEAR(r.signal("C.v").back(), of_filter, 100 * tolerance) << method;
  });
  // and with the end alone given
  solve::Options options;
  options.t_end = t_end;
  for (const auto& [text, right] : {std::pair(ring, of_ring), std::pair(filter, of_filter)})
    EXPECT_NEAR(run_model(io::parse_model(text, "m.yaml"), options).signal("C.v").back(), right, 1e3 * options.rtol);
}

// A junction without capacitance behind a resistor: a matrix made beyond its knee leaves no correction that counts, and steps
// of radau at loose tolerances once ended at a million volts.
TEST(MethodsAgree, OnAJunctionAtLooseTolerances) {
  const std::string text = R"(
components:
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 6 V*sin(2*pi*800 Hz*time)}
  R: {type: electrical.Resistor, p: a, n: b, R: 130 ohm}
  D: {type: electrical.Diode, p: b, n: c}
  C: {type: electrical.Capacitor, p: c, n: gnd, C: 0.8 uF}
  L: {type: electrical.Resistor, p: c, n: gnd, R: 1.4 kohm}
)";
  constexpr double t_end = 4.1e-3;
  const double reference = run_text(text, t_end, t_end).signal("C.v").back();
  for (const double tolerance : {1e-3, 1e-4, 1e-5})
    run_by_every_method(text, t_end, tolerance, t_end, [&](const std::string& method, const solve::Result& r) {
      if (r.status != solve::Status::done) return;  // too stiff for explicit methods where it blocks
      // some volts; the capacitor forgets what is older than a millisecond
      EXPECT_NEAR(r.signal("C.v").back(), reference, 300 * tolerance) << method << " " << tolerance;
    });
}

// A model without any state has nothing to integrate; CVODE once ended the program.
TEST(MethodsAgree, OnAModelWithoutStates) {
  const std::string text = R"(
components:
  U: {type: electrical.VoltageSource, p: a, n: gnd, v: 3 V/(time/1 s + 0.7)}
  R: {type: electrical.Resistor, p: a, n: gnd, R: 2 ohm}
)";
  run_by_every_method(text, 1, 1e-6, 0.25, [&](const std::string& method, const solve::Result& r) {
    ASSERT_EQ(r.status, solve::Status::done) << method << r.text;
    for (const double t : {0.25, 0.5, 1.0}) EXPECT_NEAR(value_at(r, "R.i", t), 1.5 / (t + 0.7), 1e-9) << method;
  });
}

// A diode in exponential form: v = V_T ln s, i = I_s s. From afar the first correction shrinks the residual by so much that it
// once passed for the last one; and by the matrix for 10 A the voltage for 1 nA, from 0 V on, is a correction of 2.5e-12 V.
TEST(Newton, ACorrectionByTheMatrixOfAnotherPointIsNotConvergence) {
  const char* const text = R"(
components:
  I: {type: electrical.CurrentSource, p: gnd, n: anode, i: 10 A*exp(-23.02585093 Hz*time)}
  D: {type: electrical.Diode, p: anode, n: gnd, Is: 1e-14 A}
)";
  const equations::System system = compile_model(io::parse_model(text, "m.yaml"));
  equations::Evaluator evaluator(system);
  solve::Statistics statistics;
  solve::Newton newton(evaluator, {.tolerance = 1e-8, .max_iterations = 100, .line_search = true}, statistics);
  const solve::Rule frozen{.level = equations::Level::acceleration};
  constexpr double thermal = 0.0258649;  // kT/q at 300.15 K
  equations::Point p = system.start();
  std::vector<double> signals(system.signals().size());
  const auto voltage = [&] {
    evaluator.signals(p, signals);
    return signals[static_cast<std::size_t>(system.find_signal("D.v"))];
  };
  ASSERT_TRUE(newton.solve(frozen, p).converged);
  EXPECT_NEAR(voltage(), thermal * std::log(1e15), 1e-5);
  p.t = 1;
  for (int i = 0; i < system.n(); ++i) p.y[static_cast<std::size_t>(i)] = system.unknown(i).name == "D.s" ? 1e5 : 0;
  ASSERT_TRUE(newton.solve(frozen, p).converged);
  EXPECT_NEAR(voltage(), thermal * std::log(1e5), 1e-5);
}

// tests/findings.md names the tests that hold what was found.
TEST(Findings, AreHeldByTestsThatExist) {
  const std::filesystem::path root(COENERGY_SOURCE_DIR);
  const auto read = [](const std::filesystem::path& file) {
    std::ifstream stream(file);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  };
  std::string sources;
  for (const char* folder : {"tests", "coenergy"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder))
      if (entry.path().string().ends_with("_test.cpp")) sources += read(entry.path());
  const std::string list = read(root / "tests/findings.md");
  const std::regex name("`([A-Za-z]+)\\.([A-Za-z0-9]+)`"), file("`(tests/[a-z_/]+\\.[a-z]+)`");
  int tests = 0;
  for (std::sregex_iterator i(list.begin(), list.end(), name), none; i != none; ++i, ++tests)
    EXPECT_NE(sources.find(fmt::format("({}, {})", i->str(1), i->str(2))), std::string::npos) << i->str();
  for (std::sregex_iterator i(list.begin(), list.end(), file), none; i != none; ++i)
    EXPECT_TRUE(std::filesystem::exists(root / i->str(1))) << i->str();
  EXPECT_GT(tests, 30);
}

}  // namespace
}  // namespace coenergy::tests
