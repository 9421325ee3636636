#include "apps/coenergy/operating_point.hpp"

#include "coenergy/analyze/equilibrium.hpp"
#include "coenergy/base/error.hpp"
#include "coenergy/domains/standard.hpp"
#include "coenergy/io/simulation_options.hpp"
#include "coenergy/solve/initialize.hpp"
#include "coenergy/solve/simulate.hpp"

namespace coenergy::app {

OperatingPoint find_operating_point(const LinearizeArguments& arguments) {
  const model::Model model = load_model(arguments.model);
  solve::Options options = io::read_simulation_options(model);
  system::Compiled compiled = system::compile(model, domains::make_standard_registry());
  system::Evaluator evaluator(compiled.system);
  system::Point point;
  if (arguments.time >= 0) {
    options.t_end = arguments.time;
    solve::Result result = solve::simulate(evaluator, options);
    if (result.status != solve::Status::done) throw Error("run to t = " + std::to_string(arguments.time) + " s: " + result.text);
    point = result.end;
  } else {
    solve::Start start = solve::initialize(evaluator, options);
    if (!start.good) throw Error("start: " + start.text);
    point = start.point;
  }
  if (arguments.equilibrium) {
    analyze::Equilibrium equilibrium = analyze::find_equilibrium(evaluator, point);
    if (!equilibrium.good) throw Error(equilibrium.text);
    point = equilibrium.point;
  }
  return {std::move(compiled), std::move(evaluator), std::move(point)};
}

}  // namespace coenergy::app
