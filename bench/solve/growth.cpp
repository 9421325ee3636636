#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "coenergy/compile/compile.hpp"
#include "coenergy/domains/standard.hpp"
#include "coenergy/io/model_file.hpp"
#include "coenergy/solve/simulation.hpp"
#include "problems.hpp"
#include "sections.hpp"

namespace bench {
namespace {

using namespace coenergy;

constexpr double limit = 1.3;
constexpr int steps = 30, rounds = 3;  // a matrix serves for some steps: their number decides

struct Cost {
  double time = INFINITY;     ///< processor time of a step, the best of some rounds
  double factorizations = 0;  ///< in a step
};

/// The mean of fixed steps behind the first ones.
Cost measure_step(int bodies, const std::string& formulation, const std::string& method) {
  const model::Model model = io::parse_model(chain(bodies, formulation), "chain.yaml");
  equations::Evaluator evaluator(compile::compile(model, domains::make_standard_registry()).system);
  solve::Options options;
  options.method = method, options.t_end = 1, options.step = 1e-3, options.adaptive = false;
  options.output_step = 1, options.signals = {"j0.q"};
  Cost cost;
  for (int round = 0; round < rounds; ++round) {
    solve::Simulation simulation(evaluator, options);
    for (int k = 0; k < 2; ++k) simulation.step();
    const long before = simulation.result().statistics.factorizations;
    const double begin = now();
    for (int k = 0; k < steps; ++k) simulation.step();
    cost.time = std::min(cost.time, (now() - begin) / steps);
    cost.factorizations = double(simulation.result().statistics.factorizations - before) / steps;
    if (simulation.has_ended()) fmt::print("    {}\n", simulation.result().text);
  }
  return cost;
}

}  // namespace

void run_growth(Report& report, int bodies) {
  report.heading("growth of a fixed step of 1 ms with the number of bodies of a chain (factorisations in a step)");
  for (const char* formulation : {"relative", "absolute"})
    for (const char* method : {"generalized-alpha", "radau"}) {
      double before = 0, first = 0;
      int first_n = 0, last = 0;
      std::string line = fmt::format("{} {}:", formulation, method);
      for (const int n : {10, 30, 100, 300, 1000}) {
        if (n > bodies) break;
        const auto [time, factorizations] = measure_step(n, formulation, method);
        line += fmt::format("  {} {:.3f} ms ({:.1f})", n, 1e3 * time, factorizations);
        if (n == 100) first = time, first_n = n;
        before = time, last = n;
      }
      report.note(line);
      if (last > first_n && first_n > 0)
        report.at_most(fmt::format("exponent from {} to {} bodies, {} {}", first_n, last, formulation, method),
                       std::log(before / first) / std::log(double(last) / first_n), limit, "");
    }
}

}  // namespace bench
