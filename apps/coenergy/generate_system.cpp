#include <fmt/format.h>

#include <cmath>

#include "apps/coenergy/answer.hpp"
#include "coenergy/domains/standard.hpp"
#include "coenergy/generate/system_code.hpp"
#include "coenergy/io/simulation_options.hpp"

namespace coenergy::app {

namespace {

/// Options of functions of a mechanism mean nothing here.
void refuse_others(const GenerateArguments& a) {
  const auto refuse = [&](const char* option, bool given) {
    if (given)
      throw Error(std::string(option) + " belongs to functions of a mechanism; " + a.function +
                  " is one of the whole model");
  };
  refuse("--points", !a.points.empty());
  refuse("--joints", !a.joints.empty());
  refuse("--independent", !a.independent.empty());
  refuse("--actuated", !a.actuated.empty());
  refuse("--parameters", a.parameters != "symbolic");
  if (a.language != "c" && a.language != "cpp")
    throw Error("--language " + a.language + ": " + a.function + ", of the whole model, is written as c or cpp" +
                did_you_mean(a.language, {"c", "cpp"}));
}

/// Rows as the model asks for them, at least a hundred steps between start and end.
generate::RunPlan plan_run(const solve::Options& options) {
  const double span = options.t_end - options.t_start;
  generate::RunPlan plan{options.t_start, options.t_end, 1000, 100};
  if (options.output_step > 0 && options.output_step < span)
    plan.rows = static_cast<int>(std::min(1e6, std::floor(span / options.output_step + 1e-9)));
  plan.end = options.output_step > 0 ? options.t_start + plan.rows * options.output_step : options.t_end;
  if (options.step > 0) plan.steps = static_cast<int>(std::min(1e8, std::ceil(span / options.step)));
  return plan;
}

}  // namespace

int generate_system(const GenerateArguments& arguments) {
  refuse_others(arguments);
  const model::Model model = load_model(arguments.model);
  generate::SystemRequest request;
  request.model = model.title;
  if (!arguments.prefix.empty()) request.prefix = arguments.prefix;
  request.outputs = arguments.outputs;
  request.inputs = arguments.inputs;
  request.options = io::read_simulation_options(model);
  const compile::Compiled compiled = with_places(model, [&] {
    return compile::compile(model, domains::make_standard_registry(), {.inputs = arguments.inputs, .cut = true});
  });
  const generate::SystemCode code =
      with_places(model, [&] { return generate::make_system_code(compiled.system, request); });
  const symbolic::Language language = arguments.language == "cpp" ? symbolic::Language::cpp : symbolic::Language::c;
  const std::vector<generate::SourceFile> files = generate::write_system(code, language, plan_run(request.options));
  const std::vector<std::string> kept = generate::save(files, arguments.folder);
  if (arguments.model.json) {
    nlohmann::json json = begin_answer(arguments.model.file, model.notes);
    add_notes(json, code.notes);
    json.update({{"function", arguments.function}, {"language", arguments.language}, {"prefix", request.prefix}});
    for (const generate::SourceFile& f : files)
      json["files"].push_back((std::filesystem::path(arguments.folder) / f.name).string());
    return print_answer(json);
  }
  for (const generate::SourceFile& f : files) {
    const bool stays = std::find(kept.begin(), kept.end(), f.name) != kept.end();
    fmt::print("{}{}\n", (std::filesystem::path(arguments.folder) / f.name).string(), stays ? " (yours, kept)" : "");
  }
  return 0;
}

}  // namespace coenergy::app
