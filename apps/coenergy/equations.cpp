#include <fmt/core.h>

#include "apps/coenergy/load.hpp"
#include "coenergy/circuits/circuit_matrices.hpp"
#include "coenergy/equations/state_equations.hpp"

namespace coenergy::app {

int equations(const ModelArguments& arguments, bool matrices) {
  const Prepared prepared = prepare(load_model(arguments));
  const compile::Compiled& compiled = prepared.compiled;
  if (matrices) {
    const auto found = with_places(
        prepared.model, [&] { return circuits::make_circuit_matrices(compiled.system, compiled.summary.circuit); });
    fmt::print("{}", found.text());
    return 0;
  }
  const std::string states =
      equations::make_state_equations(compiled.system, compiled.summary.circuit.constraints).text;
  if (!states.empty()) fmt::print("state equations\n{}\nall equations\n", states);
  fmt::print("{}", compiled.system.equations());
  return 0;
}

}  // namespace coenergy::app
