#include "apps/coenergy/operating_point.hpp"

#include <fmt/core.h>

#include <cstdio>

#include "apps/coenergy/load.hpp"
#include "coenergy/analyze/equilibrium.hpp"
#include "coenergy/analyze/linear_notes.hpp"
#include "coenergy/base/names.hpp"
#include "coenergy/solve/initialize.hpp"
#include "coenergy/solve/simulate.hpp"

namespace coenergy::app {

namespace {

/// The point of a run at a given time, or its start.
equations::Point find_point(equations::Evaluator& evaluator, solve::Options options,
                            const LinearizeArguments& arguments) {
  if (arguments.time < 0) {
    solve::Start start = solve::initialize(evaluator, options);
    if (!start.good) throw Failure("start: " + start.text);
    return start.point;
  }
  options.t_end = arguments.time;
  solve::Result result = solve::simulate(evaluator, options);
  if (result.status != solve::Status::done)
    throw Failure("run to t = " + format_short(arguments.time) + " s: " + result.text);
  return result.end;
}

}  // namespace

OperatingPoint find_operating_point(const LinearizeArguments& arguments) {
  model::Model loaded = arguments.time < 0 ? load_model_at_rest(arguments.model) : load_model(arguments.model);
  std::vector<std::string> inputs, outputs;
  if (arguments.has_inputs) inputs = choose_names(arguments.inputs, loaded.inputs);
  if (arguments.has_inputs) outputs = choose_names(arguments.outputs, loaded.outputs);
  auto [model, options, compiled] = prepare(std::move(loaded), inputs);
  equations::Evaluator evaluator(compiled.system);
  equations::Point point =
      with_places(model, [&, &options = options] { return find_point(evaluator, options, arguments); });
  if (arguments.equilibrium) {
    analyze::Equilibrium equilibrium = analyze::find_equilibrium(evaluator, point);
    if (!equilibrium.good) throw Failure(equilibrium.text);
    point = equilibrium.point;
  }
  for (const std::string& note : analyze::describe_linear_point(compiled.system, point))
    fmt::print(stderr, "note: {}\n", note);
  evaluator.open_inputs(point);
  return {std::move(compiled), std::move(evaluator), std::move(point), std::move(inputs), std::move(outputs)};
}

}  // namespace coenergy::app
