#include <fmt/core.h>

#include "apps/coenergy/load.hpp"
#include "coenergy/system/state_equations.hpp"

namespace coenergy::app {

int equations(const ModelArguments& arguments) {
  const system::Compiled compiled = prepare(load_model(arguments)).compiled;
  const std::string states = system::make_state_equations(compiled.system, compiled.summary.circuit.constraints).text();
  if (!states.empty()) fmt::print("state equations\n{}\nall equations\n", states);
  fmt::print("{}", compiled.system.equations());
  return 0;
}

}  // namespace coenergy::app
