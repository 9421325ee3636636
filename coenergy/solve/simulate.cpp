#include "coenergy/solve/simulate.hpp"

#include <chrono>

#include "coenergy/solve/simulation.hpp"

namespace coenergy::solve {

Result simulate(const equations::System& system, const Options& options, const Hooks& hooks) {
  equations::Evaluator evaluator(system);
  return simulate(evaluator, options, hooks);
}

Result simulate(equations::Evaluator& evaluator, const Options& options, const Hooks& hooks) {
  const auto begin = std::chrono::steady_clock::now();
  Simulation simulation(evaluator, options, hooks);
  while (simulation.step()) {
  }
  Result result = simulation.take_result();
  result.statistics.wall_time = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace coenergy::solve
