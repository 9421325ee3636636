#include "coenergy/generate/routine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include "apps/coenergy/answer.hpp"
#include "apps/coenergy/body_point.hpp"
#include "coenergy/domains/standard.hpp"
#include "coenergy/generate/write.hpp"
#include "coenergy/io/simulation_options.hpp"

namespace coenergy::app {

namespace {

using generate::Generated;
using generate::Parameters;
using generate::Task;
using symbolic::Language;

const std::vector<std::string> system_functions = {"derivatives", "residual", "outputs", "events", "step", "linearize"};

bool is_system_function(const std::string& name) {
  return std::find(system_functions.begin(), system_functions.end(), name) != system_functions.end();
}

template <class T>
T choose(const std::string& option, const std::string& wish, const std::vector<std::pair<std::string, T>>& choices,
         const std::vector<std::string>& others = {}) {
  std::vector<std::string> known = others;
  std::string all = fmt::format("{}{}", fmt::join(others, ", "), others.empty() ? "" : ", ");
  const std::size_t begin = all.size();
  for (const auto& [name, value] : choices) {
    if (name == wish) return value;
    known.push_back(name);
    all += (all.size() == begin ? "" : ", ") + name;
  }
  throw Error(option + " " + wish + " must be one of " + all + did_you_mean(wish, known));
}

nlohmann::json to_json(const symbolic::OperationCount& c) {
  return {{"additions", c.additions},
          {"multiplications", c.multiplications},
          {"divisions", c.divisions},
          {"calls", c.functions + c.selections},
          {"total", c.total()}};
}

/// Of the function, or of its parts together.
symbolic::OperationCount count_of(const Generated& made) {
  symbolic::OperationCount sum = made.main.program.count();
  for (const generate::Routine& part : made.parts) {
    const symbolic::OperationCount c = part.program.count();
    sum.additions += c.additions, sum.multiplications += c.multiplications, sum.divisions += c.divisions;
    sum.functions += c.functions, sum.selections += c.selections;
  }
  return sum;
}

/// The same request with other parameters, for the comparison of counts.
struct Counts {
  int symbolic = 0, constants = 0, once = 0, numeric = 0;
};

Counts compare(const model::Model& model, const model::Registry& registry, generate::Request request,
               const Generated& made) {
  Counts counts;
  const auto get = [&](Parameters p) {
    if (request.parameters == p) return made;
    generate::Request other = request;
    other.parameters = p;
    return generate::generate(model, registry, other);
  };
  counts.symbolic = get(Parameters::symbolic).operations;
  counts.numeric = get(Parameters::numeric).operations;
  if (request.task != Task::constraints && made.parts.empty()) {
    const Generated split = get(Parameters::constants);
    counts.constants = split.operations;
    counts.once = split.once_operations;
  }
  return counts;
}

/// The run of the model in equal steps, at most as long as those of a fixed-step method.
generate::RunPlan plan_run(const model::Model& model) {
  const solve::Options options = io::read_simulation_options(model);
  const double span = options.t_end - options.t_start;
  if (!(span > 0)) return {};
  constexpr double most = 1e6;
  generate::RunPlan plan{options.t_start, options.t_end};
  plan.steps = static_cast<int>(std::ceil(std::min(most, options.step > 0 ? span / options.step : 1000)));
  if (options.output_step > 0 && options.output_step <= span) {
    plan.rows = static_cast<int>(std::min(most, std::floor(span / options.output_step + 1e-9)));
    plan.end = options.t_start + plan.rows * options.output_step;
  }
  return plan;
}

}  // namespace

int generate(const GenerateArguments& arguments) {
  if (is_system_function(arguments.function)) return generate_system(arguments);
  if (!arguments.outputs.empty() || !arguments.prefix.empty())
    throw Error(std::string(arguments.prefix.empty() ? "--outputs" : "--prefix") +
                " belongs to functions of the whole model; " + arguments.function + " is none");
  generate::Request request;
  std::vector<std::pair<std::string, Task>> tasks;
  for (int i = 0; i < generate::tasks; ++i)
    tasks.emplace_back(generate::name(static_cast<Task>(i)), static_cast<Task>(i));
  request.task = choose("--function", arguments.function, tasks, system_functions);
  request.parameters = choose<Parameters>(
      "--parameters", arguments.parameters,
      {{"symbolic", Parameters::symbolic}, {"constants", Parameters::constants}, {"numeric", Parameters::numeric}});
  const Language language = choose<Language>(
      "--language", arguments.language,
      {{"c", Language::c}, {"cpp", Language::cpp}, {"matlab", Language::matlab}, {"python", Language::python}});
  for (const std::string& p : arguments.points) request.points.push_back(parse_body_point("--points", p));
  request.joints = arguments.joints;
  request.inputs = arguments.inputs;
  request.independent = arguments.independent;
  request.actuated = arguments.actuated;

  const model::Model model = load_model(arguments.model);
  const model::Registry registry = domains::make_standard_registry();
  const auto begin = std::chrono::steady_clock::now();
  const Generated made = with_places(model, [&] { return generate::generate(model, registry, request); });
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const std::vector<generate::SourceFile> files = generate::write_sources(made, language, plan_run(model));
  const std::vector<std::string> kept = generate::save(files, arguments.folder);
  const Counts counts = compare(model, registry, request, made);

  if (arguments.model.json) {
    nlohmann::json json = begin_answer(arguments.model.file, model.notes);
    add_notes(json, made.notes);
    json.update({{"function", arguments.function},
                 {"language", arguments.language},
                 {"parameters", arguments.parameters},
                 {"operations", to_json(count_of(made))},
                 {"symbolic", counts.symbolic},
                 {"numeric", counts.numeric},
                 {"seconds", seconds}});
    if (counts.constants > 0) json["constants"] = {{"each_call", counts.constants}, {"once", counts.once}};
    for (const generate::SourceFile& f : files)
      json["files"].push_back((std::filesystem::path(arguments.folder) / f.name).string());
    return print_answer(json);
  }
  fmt::print("{}: {}\n", arguments.function, generate::describe_count(count_of(made)));
  fmt::print("  all parameters symbolic        {:>8}\n", counts.symbolic);
  if (counts.constants > 0)
    fmt::print("  constants computed before      {:>8}  and {} once\n", counts.constants, counts.once);
  fmt::print("  parameters as numbers          {:>8}\n", counts.numeric);
  fmt::print("  made in {:.1f} ms\n", seconds * 1e3);
  for (const std::string& note : made.notes) fmt::print("  note: {}\n", note);
  for (const generate::SourceFile& f : files) {
    const bool stays = std::find(kept.begin(), kept.end(), f.name) != kept.end();
    fmt::print("{}{}\n", (std::filesystem::path(arguments.folder) / f.name).string(), stays ? " (yours, kept)" : "");
  }
  return 0;
}

}  // namespace coenergy::app
