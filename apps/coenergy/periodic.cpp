#include "coenergy/analyze/periodic.hpp"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "apps/coenergy/load.hpp"

namespace coenergy::app {

int periodic(const PeriodicArguments& arguments) {
  const auto [model, options, compiled] = prepare(load_model(arguments.model));
  equations::Evaluator evaluator(compiled.system);
  const analyze::Periodic found = with_places(model, [&, &options = options] {
    return analyze::find_periodic(evaluator, options, {.period = arguments.period, .free = arguments.free});
  });
  if (!found.good) throw Failure("periodic: " + found.text);
  nlohmann::json j = {{"period", found.period}, {"iterations", found.iterations}};
  for (std::size_t k = 0; k < found.x.size(); ++k) {
    const equations::UnknownInfo& info = compiled.system.unknown(static_cast<int>(k));
    j["states"][info.name] = found.x[k];
    if (!arguments.model.json) fmt::print("{:<30}{:>22.12g} {}\n", info.name, found.x[k], info.unit);
  }
  for (const std::complex<double>& m : found.multipliers) {
    j["multipliers"].push_back({m.real(), m.imag()});
    if (!arguments.model.json) fmt::print("{:<30}{:>22.8g}{:>+16.8g}i\n", "multiplier", m.real(), m.imag());
  }
  if (arguments.model.json)
    fmt::print("{}\n", j.dump(2));
  else
    fmt::print("{:<30}{:>22.14g} s\n", "period", found.period);
  return 0;
}

}  // namespace coenergy::app
