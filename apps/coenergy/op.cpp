#include <fmt/core.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "apps/coenergy/load.hpp"
#include "coenergy/solve/initialize.hpp"
#include "coenergy/solve/settle.hpp"

namespace coenergy::app {

namespace {

/// What is not at rest although all states are: positions are held.
std::vector<std::string> find_motion(const system::System& s, const system::Point& p) {
  constexpr double rest = 1e-6;  // of the nominal value, in a second
  int worst = -1;
  const auto size = [&](int i) { return std::abs(p.a[static_cast<std::size_t>(i)]) / s.unknown(i).nominal; };
  for (int i = 0; i < s.nv(); ++i)
    if (size(i) > rest && (worst < 0 || size(i) > size(worst))) worst = i;
  if (worst < 0) return {};
  return {
      fmt::format("positions are held: {} would move, with an acceleration of {:.3g}; linearize --equilibrium looks "
                  "for a position of rest",
                  s.unknown(worst).name, p.a[static_cast<std::size_t>(worst)])};
}

}  // namespace

int operating_point(const ModelArguments& arguments) {
  auto [model, options, compiled] = prepare(load_model_at_rest(arguments));
  options.start = "steady";
  system::Evaluator evaluator(compiled.system);
  const solve::HeldTime time(evaluator);
  const solve::Start start =
      with_places(model, [&, &options = options] { return solve::initialize(evaluator, options); });
  if (!start.good) throw Failure("op: " + start.text);
  std::vector<std::string> notes = start.notes;
  for (std::string& note : find_motion(compiled.system, start.point)) notes.push_back(std::move(note));
  std::vector<double> values(compiled.system.signals().size());
  evaluator.signals(start.point, values);
  if (arguments.json) {
    nlohmann::json j = {{"time", start.point.t}, {"method", start.method}, {"notes", notes}};
    for (std::size_t k = 0; k < values.size(); ++k) j["signals"][compiled.system.signals()[k].name] = values[k];
    fmt::print("{}\n", j.dump(2));
    return 0;
  }
  fmt::print("operating point by {}\n", start.method);
  for (std::size_t k = 0; k < values.size(); ++k)
    fmt::print("{:<30}{:>22.12g} {}\n", compiled.system.signals()[k].name, values[k],
               compiled.system.signals()[k].unit);
  for (const std::string& note : notes) fmt::print("note: {}\n", note);
  return 0;
}

}  // namespace coenergy::app
