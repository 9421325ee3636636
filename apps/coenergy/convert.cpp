#include <fmt/core.h>

#include "apps/coenergy/answer.hpp"
#include "coenergy/domains/standard.hpp"
#include "coenergy/io/model_writer.hpp"
#include "coenergy/model/expand.hpp"

namespace coenergy::app {

int convert(const ModelArguments& arguments, const std::string& output) {
  // what is written is what the user wrote, once it is known to be right
  const model::Model model = load_hierarchy(arguments);
  const Prepared prepared = prepare(is_hierarchical(model) ? expand(model, domains::make_standard_registry()) : model);
  if (!output.empty() && !output.ends_with(".yaml"))
    throw Error("--output " + output + ": the file name must end with .yaml");
  if (!output.empty()) io::write_model(output, model);
  if (arguments.json) {
    nlohmann::json j = begin_answer(prepared);
    output.empty() ? j["text"] = io::to_model_text(model) : j["output"] = output;
    return print_answer(j);
  }
  if (output.empty()) fmt::print("{}", io::to_model_text(model));
  return 0;
}

}  // namespace coenergy::app
