#include <fmt/core.h>

#include "apps/coenergy/load.hpp"

namespace coenergy::app {

int equations(const ModelArguments& arguments) {
  const system::Compiled compiled = prepare(load_model(arguments)).compiled;
  fmt::print("{}", compiled.system.equations());
  return 0;
}

}  // namespace coenergy::app
