#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "apps/coenergy/load.hpp"
#include "coenergy/solve/initialize.hpp"
#include "coenergy/solve/settle.hpp"
#include "coenergy/solve/simulate.hpp"

namespace coenergy::app {

namespace {

/// The point where a run ends, or the operating point.
equations::Point find_end(const Prepared& p, equations::Evaluator& evaluator, const SweepArguments& arguments) {
  solve::Options options = p.options;
  if (arguments.steady) {
    options.start = "steady";
    const solve::Start start = with_places(p.model, [&] { return solve::initialize(evaluator, options); });
    if (!start.good) throw Failure("sweep: " + start.text);
    return start.point;
  }
  const solve::Result result = with_places(p.model, [&] { return solve::simulate(evaluator, options); });
  if (result.status != solve::Status::done) throw Failure("sweep: " + result.text);
  return result.end;
}

}  // namespace

int sweep(const SweepArguments& arguments) {
  nlohmann::json rows = nlohmann::json::array();
  if (!arguments.model.json) {
    fmt::print("{:>20}", arguments.parameter);
    for (const std::string& name : arguments.signals) fmt::print("{:>24}", name);
    fmt::print("\n");
  }
  for (const std::string& value : arguments.values) {
    ModelArguments changed = arguments.model;
    changed.sets.push_back(arguments.parameter + "=" + value);
    const Prepared p = prepare(arguments.steady ? load_model_at_rest(changed) : load_model(changed));
    const equations::System& s = p.compiled.system;
    std::vector<std::string> known;
    for (const equations::SignalInfo& signal : s.signals()) known.push_back(signal.name);
    for (const std::string& name : arguments.signals)
      if (s.find_signal(name) < 0)
        throw Error("--signal " + name + ": there is no such signal" + did_you_mean(name, known));
    equations::Evaluator evaluator(s);
    std::optional<solve::HeldTime> time;
    if (arguments.steady) time.emplace(evaluator);
    const equations::Point end = find_end(p, evaluator, arguments);
    std::vector<double> all(s.signals().size());
    evaluator.signals(end, all);
    nlohmann::json row = {{"value", value}};
    if (!arguments.model.json) fmt::print("{:>20}", value);
    for (const std::string& name : arguments.signals) {
      const double result = all[static_cast<std::size_t>(s.find_signal(name))];
      row["signals"][name] = result;
      if (!arguments.model.json) fmt::print("{:>24.14g}", result);
    }
    if (!arguments.model.json) fmt::print("\n");
    rows.push_back(row);
  }
  if (arguments.model.json) fmt::print("{}\n", rows.dump(2));
  return 0;
}

}  // namespace coenergy::app
