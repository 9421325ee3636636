#include "apps/coenergy/verbs.hpp"
#include "coenergy/base/error.hpp"
#include "coenergy/io/model_file.hpp"

namespace coenergy::app {

model::Model load_model(const ModelArguments& arguments) {
  model::Model model = io::read_model(arguments.file);
  for (const std::string& set : arguments.sets) {
    const std::size_t equals = set.find('=');
    if (equals == std::string::npos) throw Error("--set " + set + " must be written path=value, e.g. --set motor.R=3.2");
    model.set(set.substr(0, equals), set.substr(equals + 1));
  }
  return model;
}

}  // namespace coenergy::app
