#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "apps/coenergy/answer.hpp"
#include "apps/coenergy/answer_report.hpp"
#include "apps/coenergy/optimize_motion.hpp"
#include "apps/coenergy/target.hpp"
#include "coenergy/base/names.hpp"
#include "coenergy/domains/standard.hpp"
#include "coenergy/io/simulation_options.hpp"
#include "coenergy/study/best_design.hpp"
#include "coenergy/study/sobol.hpp"
#include "coenergy/study/trajectory.hpp"

namespace coenergy::app {

namespace {

using study::BestDesign;
using study::Minimum;

/// The best of the minima from the guess and from points of a Sobol sequence in the box of the bounds.
Minimum find_best(BestDesign& design, const OptimizeArguments& arguments) {
  study::MinimumOptions options;
  options.method = arguments.method;
  if (arguments.tolerance > 0) options.tolerance = arguments.tolerance;
  study::Minimisation problem = design.problem();
  Minimum best = study::find_minimum(problem, options);
  if (arguments.starts == 0) return best;
  const std::vector<study::Variable>& variables = design.variables();
  for (const study::Variable& v : variables)
    if (!v.is_bounded()) throw Error(v.where, "--starts: " + v.name + " needs min and max, the box of the starts");
  if (variables.size() > study::Sobol::most_dimensions)
    throw Error(fmt::format("--starts: more than {} variables", study::Sobol::most_dimensions));
  const study::Sobol sobol(static_cast<int>(variables.size()));
  for (int s = 0; s < arguments.starts; ++s) {
    for (std::size_t k = 0; k < variables.size(); ++k)
      problem.start[k] = variables[k].lower + (variables[k].upper - variables[k].lower) *
                                                  sobol.at(static_cast<std::uint64_t>(s), static_cast<int>(k));
    Minimum next = study::find_minimum(problem, options);
    if (next.good && (!best.good || next.f < best.f)) best = std::move(next);
  }
  return best;
}

/// What stands against a solution where the search ended: "; a: x >= 2 is missed by 0.5, b: x <= 1 by 0.5".
std::string describe_violations(const BestDesign& design, const Minimum& found) {
  std::string text;
  for (std::size_t i = 0; i < found.g.size(); ++i) {
    const BestDesign::Constraint& c = design.constraints()[i];
    const double miss = c.sign == "<=" ? found.g[i] : c.sign == ">=" ? -found.g[i] : std::abs(found.g[i]);
    constexpr double round_off = 1e-7;
    if (!(miss > round_off * (1 + std::abs(found.g[i])))) continue;
    text += (text.empty() ? "; at " + study::describe_values(design.variables(), found.x) + " " : ", ") + c.name +
            ": " + c.text + " is missed by " + format_short(miss) + (c.unit.empty() ? "" : " " + c.unit);
  }
  return text;
}

nlohmann::json to_json(BestDesign& design, const Minimum& best) {
  nlohmann::json j;
  const double sign = design.maximizes() ? -1 : 1;
  j["objective"] = sign * best.f, j["maximizes"] = design.maximizes();
  j["units"]["objective"] = design.objective_unit();
  for (std::size_t k = 0; k < best.x.size(); ++k) {
    const study::Variable& v = design.variables()[k];
    j["variables"][v.name] = best.x[k], j["units"][v.name] = v.unit();
    // a multiplier that is not there is told as null
    const bool known = !best.bound_multipliers.empty();
    const double close =
        1e-6 * std::max({std::abs(best.x[k]), std::isfinite(v.upper - v.lower) ? v.upper - v.lower : 0.0, 1e-12});
    const bool low = best.x[k] - v.lower < close, high = v.upper - best.x[k] < close;
    if (low || high)
      j["active"].push_back({{"name", v.name + (low ? " at min" : " at max")},
                             {"multiplier", known ? nlohmann::json(best.bound_multipliers[k]) : nlohmann::json()}});
  }
  for (std::size_t i = 0; i < best.g.size(); ++i) {
    const BestDesign::Constraint& c = design.constraints()[i];
    const bool known = !best.multipliers.empty();
    nlohmann::json& entry = j["constraints"][c.name];
    entry = {{"text", c.text}, {"value", best.g[i]}, {"unit", c.unit}};
    entry["multiplier"] = known ? nlohmann::json(best.multipliers[i]) : nlohmann::json();
    const double size = known ? std::abs(best.multipliers[i]) : 0;
    const bool active =
        c.sign == "=" || std::abs(best.g[i]) < 1e-6 * (1 + std::abs(best.f)) || size > 1e-4 * (1 + std::abs(best.f));
    entry["active"] = active;
    if (active) j["active"].push_back({{"name", c.name + ": " + c.text}, {"multiplier", entry["multiplier"]}});
  }
  if (!j.contains("active")) j["active"] = nlohmann::json::array();
  for (const auto& [name, value] : design.measures(best.x)) j["measures"][name] = value;
  j["method"] = best.method, j["iterations"] = best.iterations;
  return j;
}

void print(const nlohmann::json& j) {
  fmt::print("{} {} by {}, {} iterations\n", j["maximizes"].get<bool>() ? "maximum" : "minimum",
             format_number(j["objective"].get<double>()), j["method"].get<std::string>(), j["iterations"].get<int>());
  for (const auto& [name, value] : j["variables"].items())
    fmt::print("{:<24}{:>22.12g} {}\n", name, value.get<double>(), j["units"].value(name, ""));
  if (j.contains("measures"))
    for (const auto& [name, value] : j["measures"].items()) fmt::print("{:<24}{:>22.12g}\n", name, value.get<double>());
  for (const auto& active : j["active"])
    fmt::print(
        "active: {}{}\n", active["name"].get<std::string>(),
        active["multiplier"].is_null() ? "" : fmt::format(", multiplier {:.6g}", active["multiplier"].get<double>()));
  if (j["active"].empty()) fmt::print("no constraint is active\n");
}

Report make_page(const nlohmann::json& j) {
  Report report = begin_report("optimize", j);
  ReportTable table{"Design", {"variable", "value", "unit"}, {}};
  for (const auto& [name, value] : j["variables"].items())
    table.rows.push_back({name, format_number(value.get<double>()), j["units"].value(name, "")});
  ReportTable limits{"Constraints", {"constraint", "left - right", "active", "multiplier"}, {}};
  if (j.contains("constraints"))
    for (const auto& [name, c] : j["constraints"].items())
      limits.rows.push_back({name + ": " + c["text"].get<std::string>(), format_short(c["value"].get<double>()),
                             c["active"].get<bool>() ? "yes" : "no",
                             c["multiplier"].is_null() ? "–" : format_short(c["multiplier"].get<double>())});
  report.summary.insert(report.summary.begin(), {"objective", format_number(j["objective"].get<double>())});
  report.tables = {std::move(table), std::move(limits)};
  return report;
}

}  // namespace

int optimize(const OptimizeArguments& arguments) {
  check_target("--report", arguments.model.report, ".html");
  check_target("--output", arguments.output, ".csv");
  const model::Model model = load_model(arguments.model);
  if (study::Trajectory::is_wanted(model)) return with_places(model, [&] { return optimize_motion(arguments, model); });
  if (!arguments.output.empty()) throw Error("--output is for motions: optimize: {inputs: …} in the model");
  BestDesign::Request request;
  request.compile = [](const model::Model& m) { return prepare(m).compiled.system; };
  request.options = io::read_simulation_options;
  nlohmann::json j = begin_answer(model.file, model.notes);
  with_places(model, [&] {
    BestDesign design(model, domains::make_standard_registry(), request);
    const Minimum best = find_best(design, arguments);
    if (!best.good)
      throw Failure("optimize: " + best.text + describe_violations(design, best) +
                    (design.last_failure().empty() ? "" : " (" + design.last_failure() + ")"));
    j.update(to_json(design, best));
    return 0;
  });
  if (!arguments.model.report.empty()) write_page(arguments.model.report, make_page(j));
  if (arguments.model.json) return print_answer(j);
  print(j);
  return 0;
}

}  // namespace coenergy::app
