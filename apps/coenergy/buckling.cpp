#include "coenergy/analyze/buckling.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "apps/coenergy/answer.hpp"
#include "apps/coenergy/load.hpp"
#include "coenergy/base/names.hpp"
#include "coenergy/solve/initialize.hpp"
#include "coenergy/solve/settle.hpp"

namespace coenergy::app {

namespace {

/// The coordinates that move most, "b.n8.z 1.00, b.n7.z 0.93".
std::string shape_text(const analyze::Buckling& found) {
  constexpr std::size_t most = 3;
  std::vector<int> order(found.shape.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return std::abs(found.shape[a]) > std::abs(found.shape[b]); });
  std::string text;
  for (std::size_t k = 0; k < std::min(most, order.size()); ++k)
    text += fmt::format("{}{} {:.2f}", k > 0 ? ", " : "", found.names[order[k]], std::abs(found.shape[order[k]]));
  return text;
}

}  // namespace

int buckling(const ModelArguments& arguments, const std::string& load) {
  auto [model, options, compiled] = prepare(load_model_at_rest(arguments));
  equations::Evaluator evaluator(compiled.system);
  const int parameter = compiled.system.find_parameter(load);
  std::vector<std::string> known;
  for (int k = 0; k < compiled.system.parameters(); ++k) known.push_back(compiled.system.parameter_name(k));
  if (parameter < 0)
    throw Error("--load " + load + ": there is no such entry or parameter" + did_you_mean(load, known));
  if (const std::string entry = compiled.system.find_built_in(parameter); !entry.empty())
    throw Error("--load " + load + " is built into the equations by " + entry + " and cannot grow");
  const double scale = evaluator.parameter(parameter);
  if (scale == 0)
    throw Error("--load " + load + " is 0 in the model: give it a typical value, which says where it grows");
  evaluator.set_parameter(parameter, 0);
  const solve::HeldTime time(evaluator);
  const solve::Start start =
      with_places(model, [&, &options = options] { return solve::initialize(evaluator, options); });
  if (!start.good) throw Failure("buckling: " + start.text);
  const analyze::Buckling found = analyze::find_buckling(evaluator, start.point, parameter, {.scale = scale});
  if (!found.good) throw Failure("buckling: " + found.text);
  const std::string& unit = compiled.system.parameter_unit(parameter);
  if (arguments.json) {
    nlohmann::json j = begin_answer(arguments.file, list_notes(model, compiled));
    add_notes(j, start.notes);
    j["load"] = load, j["value"] = found.load, j["unit"] = unit, j["factor"] = found.load / scale;
    j["limit_point"] = found.is_limit_point, j["shape"] = nlohmann::json::object();
    for (std::size_t k = 0; k < found.shape.size(); ++k) j["shape"][found.names[k]] = found.shape[k];
    return print_answer(j);
  }
  fmt::print("{} = {:.8g} {}, {:.6g} times the value given: {}\n", load, found.load, unit, found.load / scale,
             found.is_limit_point ? "limit point, there is no equilibrium nearby beyond it"
                                  : "the equilibrium becomes unstable");
  fmt::print("it gives way by {}\n", shape_text(found));
  return 0;
}

}  // namespace coenergy::app
