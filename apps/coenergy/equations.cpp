#include <fmt/core.h>

#include "apps/coenergy/verbs.hpp"
#include "coenergy/domains/standard.hpp"

namespace coenergy::app {

int equations(const ModelArguments& arguments) {
  const system::Compiled compiled = system::compile(load_model(arguments), domains::make_standard_registry());
  fmt::print("{}", compiled.system.equations());
  return 0;
}

}  // namespace coenergy::app
