#include "coenergy/solve/simulate.hpp"

#include <chrono>

#include "coenergy/solve/simulation.hpp"

namespace coenergy::solve {

Result simulate(const system::System& system, const Options& options, const Hooks& hooks) {
  system::Evaluator evaluator(system);
  return simulate(evaluator, options, hooks);
}

Result simulate(system::Evaluator& evaluator, const Options& options, const Hooks& hooks) {
  options.check();
  const auto begin = std::chrono::steady_clock::now();
  Result result;
  Simulation simulation(evaluator, options, hooks, result);
  simulation.run();
  result.end = simulation.now();
  result.statistics.wall_time = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace coenergy::solve
