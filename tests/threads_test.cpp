// One System, any number of threads: evaluators, runs and analyses side by side give the bits that each gives alone.
#include <cstring>
#include <functional>
#include <random>
#include <thread>

#include "coenergy/analyze/actuation.hpp"
#include "coenergy/analyze/effective_load.hpp"
#include "coenergy/analyze/linearize.hpp"
#include "coenergy/analyze/sensitivity.hpp"
#include "coenergy/circuits/circuit_matrices.hpp"
#include "coenergy/equations/signal_reader.hpp"
#include "coenergy/equations/state_equations.hpp"
#include "coenergy/solve/initialize.hpp"
#include "tests/example_run.hpp"

namespace coenergy::tests {
namespace {

using equations::Evaluator;
using equations::System;

/// Some work on a System; what comes out, to be compared bit by bit.
using Job = std::function<std::string(const System&)>;

std::string bits(const std::vector<double>& values) {
  return std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double));
}

equations::Point start_of(Evaluator& evaluator) {
  const solve::Start start = solve::initialize(evaluator, {});
  EXPECT_TRUE(start.good) << start.text;
  return start.point;
}

std::vector<Job> make_jobs() {
  std::vector<Job> jobs;
  jobs.push_back([](const System& s) { return s.equations(); });
  jobs.push_back([](const System& s) { return equations::make_state_equations(s).text; });
  for (const char* method : {"radau", "esdirk", "generalized-alpha", "dopri", "rk4"})
    jobs.push_back([method](const System& s) {
      solve::Options options{.t_end = 0.05, .method = method, .output_step = 0.01};
      if (std::string(method) == "generalized-alpha" || std::string(method) == "rk4") options.step = 1e-4;
      const solve::Result r = solve::simulate(s, options);
      std::string all = r.text;
      for (std::size_t k = 0; k < r.times.size(); ++k) all += bits({r.row(k).begin(), r.row(k).end()});
      return all;
    });
  jobs.push_back([](const System& s) {
    Evaluator evaluator(s);
    const equations::Point p = start_of(evaluator);
    std::vector<double> r(s.n()), values(s.pattern().row.size()), signals(s.signals().size()), all;
    for (const equations::Level level :
         {equations::Level::position, equations::Level::velocity, equations::Level::acceleration}) {
      evaluator.residual(p, level, r);
      evaluator.jacobian(p, level, {1, 1, 1, 1, 1, 1, 1}, values);
      all.insert(all.end(), r.begin(), r.end());
      all.insert(all.end(), values.begin(), values.end());
      for (int k = 0; k < s.parameters(); ++k) {
        evaluator.parameter_derivative(p, level, k, r);
        all.insert(all.end(), r.begin(), r.end());
      }
    }
    evaluator.signals(p, signals);
    all.insert(all.end(), signals.begin(), signals.end());
    for (std::size_t k = 0; k < s.signals().size(); ++k) {
      const auto g = evaluator.signal_gradient(p, static_cast<int>(k));
      all.insert(all.end(), g.q.begin(), g.q.end());
      const int one[] = {static_cast<int>(k)};
      double value = 0;
      equations::SignalReader(evaluator, one).read(p, std::span(&value, 1));
      all.push_back(value);
    }
    return bits(all);
  });
  jobs.push_back([](const System& s) {
    Evaluator evaluator(s);
    const analyze::Linearization l = analyze::linearize(evaluator, start_of(evaluator), {"U.v"}, {"rocker.q", "M.i"});
    return bits(l.model.a.data) + bits(l.model.b.data) + bits(l.model.c.data);
  });
  jobs.push_back([](const System& s) {
    Evaluator evaluator(s);
    const equations::Point p = start_of(evaluator);
    analyze::Actuation actuation(evaluator, p, {"crank"});
    const analyze::EffectiveLoad load = analyze::compute_effective_load(evaluator, p, 0);
    return bits(actuation.forces(p).value_or(std::vector<double>{})) +
           bits({load.inertia, load.inertia_slope, load.load});
  });
  return jobs;
}

/// A four-bar with a motor on a circuit.
System make_system() {
  return compile_model(io::parse_model(R"(
components:
  gravity: {type: multibody.Gravity, g: [0, -9.81, 0]}
  a: {type: multibody.Body, mass: 1, com: [0.25, 0, 0], inertia: [0, 0, 0.02]}
  b: {type: multibody.Body, mass: 1.8, com: [0.45, 0, 0], inertia: [0, 0, 0.12]}
  c: {type: multibody.Body, mass: 1.4, com: [0.35, 0, 0], inertia: [0, 0, 0.06]}
  crank: {type: multibody.Revolute, parent: ground, child: a, q0: 60 deg}
  elbow: {type: multibody.Revolute, parent: a, parent_at: [0.5, 0, 0], child: b, guess: -45 deg}
  rocker: {type: multibody.Revolute, parent: ground, parent_at: [1, 0, 0], child: c, guess: 80 deg}
  close: {type: multibody.Revolute, parent: b, parent_at: [0.9, 0, 0], child: c, child_at: [0.7, 0, 0], guess: 60 deg}
  U: {type: electrical.VoltageSource, p: u, n: gnd, v: 12 V}
  L: {type: electrical.Inductor, p: u, n: w, L: 3 mH}
  M: {type: converters.DcMachine, p: w, n: gnd, shaft: crank.shaft, k: 0.4, R: 1.2, L: 2 mH, gear: 5}
energy: true
)",
                                       "m.yaml"));
}

TEST(Threads, ShareOneSystem) {
  const std::vector<Job> jobs = make_jobs();
  std::vector<std::string> alone;
  for (const Job& job : jobs) alone.push_back(job(make_system()));
  for (const std::string& text : alone) EXPECT_GT(text.size(), 20u);

  for (unsigned round = 0; round < 3; ++round) {
    // fresh: all that is made on first use is made by many threads at once
    const System shared = make_system();
    std::vector<std::vector<std::string>> found(8, std::vector<std::string>(jobs.size()));
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < found.size(); ++t)
      threads.emplace_back([&, t] {
        std::vector<std::size_t> order(jobs.size());
        for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
        std::shuffle(order.begin(), order.end(), std::mt19937(100 * round + static_cast<unsigned>(t)));
        for (const std::size_t k : order) found[t][k] = jobs[k](shared);
      });
    for (std::thread& thread : threads) thread.join();
    for (const auto& results : found)
      for (std::size_t k = 0; k < jobs.size(); ++k) EXPECT_EQ(results[k] == alone[k], true) << "job " << k;
  }
}

TEST(Threads, CompileAndRunOnTheirOwn) {
  const auto run = [] {
    const solve::Result r = solve::simulate(make_system(), {.t_end = 0.02, .method = "radau", .output_step = 0.01});
    return bits({r.row(2).begin(), r.row(2).end()});
  };
  const std::string alone = run();
  std::vector<std::string> found(6);
  std::vector<std::thread> threads;
  for (std::string& text : found) threads.emplace_back([&] { text = run(); });
  for (std::thread& thread : threads) thread.join();
  for (const std::string& text : found) EXPECT_EQ(text == alone, true);
}

}  // namespace
}  // namespace coenergy::tests
