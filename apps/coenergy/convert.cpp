#include <fmt/core.h>

#include "apps/coenergy/load.hpp"
#include "coenergy/io/model_writer.hpp"

namespace coenergy::app {

int convert(const ModelArguments& arguments, const std::string& output) {
  const model::Model model = prepare(load_model(arguments)).model;
  if (output.empty()) {
    fmt::print("{}", io::to_model_text(model));
    return 0;
  }
  if (!output.ends_with(".yaml")) throw Error("--output " + output + ": the file name must end with .yaml");
  io::write_model(output, model);
  return 0;
}

}  // namespace coenergy::app
