#include "coenergy/analyze/sweep.hpp"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "apps/coenergy/load.hpp"
#include "coenergy/base/version.hpp"
#include "coenergy/domains/standard.hpp"
#include "coenergy/io/simulation_options.hpp"

namespace coenergy::app {

int sweep(const SweepArguments& arguments) {
  const bool json = arguments.model.json;
  nlohmann::json rows = nlohmann::json::array();
  if (!json) {
    fmt::print("{:>20}", arguments.parameter);
    for (const std::string& name : arguments.signals) fmt::print("{:>24}", name);
    fmt::print("\n");
  }
  analyze::SweepRequest request;
  request.values = arguments.values.size();
  request.signals = arguments.signals;
  request.at_rest = arguments.steady;
  request.make = [&](std::size_t k) {
    ModelArguments changed = arguments.model;
    changed.sets.push_back(arguments.parameter + "=" + arguments.values[k]);
    model::Model model = arguments.steady ? load_model_at_rest(changed) : load_model(changed);
    try {
      solve::Options options = io::read_simulation_options(model);
      return analyze::Variant{std::move(model), std::move(options)};
    } catch (const Error&) {
      prepare(model);  // tells the mistakes of components too
      throw;
    }
  };
  request.compile = [](const model::Model& model) { return prepare(model).compiled.system; };
  request.row = [&](std::span<const double> values) {
    const std::string& value = arguments.values[rows.size()];
    nlohmann::json row = {{"value", value}};
    if (!json) fmt::print("{:>20}", value);
    for (std::size_t k = 0; k < values.size(); ++k) {
      row["signals"][arguments.signals[k]] = values[k];
      if (!json) fmt::print("{:>24.14g}", values[k]);
    }
    if (!json) fmt::print("\n");
    rows.push_back(row);
  };
  const analyze::SweepTable table = analyze::sweep(domains::make_standard_registry(), request);
  if (!table.good) throw Failure("sweep: " + table.text);
  if (!json) return 0;
  nlohmann::json j = {{"version", version}, {"model", arguments.model.file}, {"parameter", arguments.parameter}};
  for (std::size_t k = 0; k < table.units.size(); ++k) j["units"][arguments.signals[k]] = table.units[k];
  j["rows"] = std::move(rows);
  fmt::print("{}\n", j.dump(2));
  return 0;
}

}  // namespace coenergy::app
