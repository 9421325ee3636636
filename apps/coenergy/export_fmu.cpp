#include <algorithm>
#include <filesystem>

#include "apps/coenergy/answer.hpp"
#include "coenergy/domains/standard.hpp"
#include "coenergy/generate/fmu.hpp"
#include "coenergy/io/simulation_options.hpp"

namespace coenergy::app {

namespace {

generate::FmuRequest read_request(const FmuArguments& arguments) {
  generate::FmuRequest request{.version = arguments.version, .model_exchange = false, .co_simulation = false};
  for (const std::string& kind : arguments.kinds) {
    if (kind != "me" && kind != "cs") throw Error("--kind " + kind + " must be me, cs or me,cs");
    (kind == "me" ? request.model_exchange : request.co_simulation) = true;
  }
  if (!arguments.output.ends_with(".fmu")) throw Error("--output " + arguments.output + " must end in .fmu");
  return request;
}

/// A name in C from that of the file.
std::string make_identifier(const std::string& file) {
  std::string name = std::filesystem::path(file).stem().string();
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  while (name.find("__") != std::string::npos) name.erase(name.find("__"), 1);
  if (name.empty() || std::isalpha(static_cast<unsigned char>(name[0])) == 0) name = "model" + name;
  return name;
}

}  // namespace

int export_fmu(const FmuArguments& arguments) {
  const generate::FmuRequest wanted = read_request(arguments);
  const model::Model model = load_model(arguments.model);
  generate::SystemRequest request;
  request.model = model.title;
  request.prefix = arguments.identifier.empty() ? make_identifier(arguments.model.file) : arguments.identifier;
  request.outputs = arguments.outputs, request.inputs = arguments.inputs;
  request.options = io::read_simulation_options(model);
  const compile::Compiled compiled = with_places(model, [&] {
    return compile::compile(model, domains::make_standard_registry(), {.inputs = arguments.inputs, .cut = true});
  });
  const generate::SystemCode code =
      with_places(model, [&] { return generate::make_system_code(compiled.system, request); });
  std::vector<generate::FmuFile> files = generate::make_fmu(code, wanted);
  std::vector<std::string> notes = code.notes;
  if (!arguments.no_binary)
    if (const std::string why = generate::add_binary(files, code, wanted); !why.empty())
      notes.push_back("there are C sources alone in it: " + why);
  generate::write_fmu(files, arguments.output);
  if (arguments.model.json) {
    nlohmann::json json = begin_answer(arguments.model.file, model.notes);
    add_notes(json, notes);
    json.update({{"fmi", arguments.version},
                 {"kinds", arguments.kinds},
                 {"identifier", request.prefix},
                 {"file", arguments.output}});
    for (const generate::FmuFile& file : files) json["contents"].push_back(file.path);
    return print_answer(json);
  }
  for (const std::string& note : notes) fmt::print("note: {}\n", note);
  fmt::print("{}\n", arguments.output);
  return 0;
}

}  // namespace coenergy::app
