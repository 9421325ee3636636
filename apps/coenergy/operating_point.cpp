#include "apps/coenergy/operating_point.hpp"

#include "apps/coenergy/load.hpp"
#include "coenergy/analyze/equilibrium.hpp"
#include "coenergy/base/names.hpp"
#include "coenergy/solve/initialize.hpp"
#include "coenergy/solve/simulate.hpp"

namespace coenergy::app {

namespace {

/// The point of a run at a given time, or its start.
system::Point find_point(system::Evaluator& evaluator, solve::Options options, const LinearizeArguments& arguments) {
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
  auto [model, options, compiled] =
      prepare(arguments.time < 0 ? load_model_at_rest(arguments.model) : load_model(arguments.model));
  system::Evaluator evaluator(compiled.system);
  system::Point point =
      with_places(model, [&, &options = options] { return find_point(evaluator, options, arguments); });
  if (arguments.equilibrium) {
    analyze::Equilibrium equilibrium = analyze::find_equilibrium(evaluator, point);
    if (!equilibrium.good) throw Failure(equilibrium.text);
    point = equilibrium.point;
  }
  return {std::move(compiled), std::move(evaluator), std::move(point)};
}

}  // namespace coenergy::app
