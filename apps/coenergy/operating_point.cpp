#include "apps/coenergy/operating_point.hpp"

#include <fmt/core.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include "apps/coenergy/answer.hpp"
#include "coenergy/analyze/linear_notes.hpp"
#include "coenergy/analyze/sampled.hpp"
#include "coenergy/analyze/steady_motion.hpp"
#include "coenergy/base/names.hpp"
#include "coenergy/solve/initialize.hpp"
#include "coenergy/solve/settle.hpp"
#include "coenergy/solve/simulate.hpp"

namespace coenergy::app {

namespace {

equations::Point find_rest(equations::Evaluator& evaluator, solve::Options options) {
  options.start = "static";
  const solve::HeldTime time(evaluator);
  const solve::Start start = solve::initialize(evaluator, options);
  if (!start.good) throw Failure("--equilibrium: " + start.text);
  return start.point;
}

}  // namespace

void check_point(const PointArguments& arguments, const solve::Options& options) {
  if (arguments.time && !(*arguments.time >= options.t_start))
    throw Error(fmt::format("--at {}: the run starts at {} s; give that time or a later one",
                            format_short(*arguments.time), format_short(options.t_start)));
}

std::string kind_of(const PointArguments& arguments) {
  return arguments.equilibrium ? "equilibrium" : arguments.steady ? "steady" : arguments.time ? "time" : "start";
}

std::string describe_point(const std::string& kind, double t) {
  const std::string at = "t = " + format_short(t) + " s";
  if (kind == "equilibrium") return "operating point: the static equilibrium, sources as at " + at;
  if (kind == "steady") return "operating point: steady, at rest or at constant speeds, sources as at " + at;
  if (kind == "time") return "operating point: the run at " + at;
  return "operating point: the start of the run, " + at + " (others: --at, --equilibrium, --steady)";
}

std::string OperatingPoint::text() const { return describe_point(kind, point.t); }

equations::Point find_point(equations::Evaluator& evaluator, solve::Options options, const PointArguments& arguments) {
  check_point(arguments, options);
  if (arguments.equilibrium) return find_rest(evaluator, options);
  if (arguments.steady) {
    analyze::SteadyMotion motion = analyze::find_steady_motion(evaluator, options);
    if (!motion.good) throw Failure("--steady: " + motion.text);
    return motion.point;
  }
  if (!arguments.time || *arguments.time == options.t_start) {
    solve::Start start = solve::initialize(evaluator, options);
    if (!start.good) throw Failure("start: " + start.text);
    return start.point;
  }
  options.t_end = *arguments.time;
  solve::Result result = solve::simulate(evaluator, options);
  if (result.status != solve::Status::done)
    throw Failure("run to t = " + format_short(*arguments.time) + " s: " + result.text);
  return result.end;
}

OperatingPoint find_operating_point(const LinearizeArguments& arguments) {
  model::Model loaded = arguments.at.time ? load_model(arguments.model) : load_model_at_rest(arguments.model);
  std::vector<std::string> inputs, outputs;
  if (arguments.has_inputs) inputs = choose_names(arguments.inputs, loaded.inputs);
  if (arguments.has_inputs) outputs = choose_names(arguments.outputs, loaded.outputs);
  auto [model, options, compiled] = prepare(std::move(loaded), inputs);
  equations::Evaluator evaluator(compiled.system);
  equations::Point point =
      with_places(model, [&, &options = options] { return find_point(evaluator, options, arguments.at); });
  std::vector<std::string> notes = analyze::describe_linear_point(compiled.system, point);
  if (arguments.model.json) {
    const std::vector<std::string> others = list_notes(model, compiled);
    notes.insert(notes.begin(), others.begin(), others.end());
  }
  for (std::size_t k = 0; k < notes.size() && !arguments.model.json; ++k) fmt::print(stderr, "note: {}\n", notes[k]);
  evaluator.open_inputs(point);
  return {std::move(compiled), std::move(evaluator), std::move(point),  kind_of(arguments.at),
          std::move(notes),    std::move(inputs),    std::move(outputs)};
}

void check_averaged(const equations::System& system, bool wanted) {
  if (wanted && !analyze::has_samples(system))
    throw Error("--averaged: the model has no samples; its linear model is continuous as it is");
}

nlohmann::json begin_answer(const OperatingPoint& at, const std::string& file) {
  nlohmann::json j = begin_answer(file, at.notes);
  j["operating_point"] = make_point(at.kind, at.point.t);
  for (const equations::OpenedInput& input : at.compiled.system.opened())
    j["opened"][at.compiled.system.parameter_name(input.parameter)] = input.was;
  return j;
}

}  // namespace coenergy::app
