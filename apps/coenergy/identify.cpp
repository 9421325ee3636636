#include <fmt/core.h>

#include <cmath>

#include "apps/coenergy/answer.hpp"
#include "apps/coenergy/answer_report.hpp"
#include "apps/coenergy/target.hpp"
#include "coenergy/base/names.hpp"
#include "coenergy/domains/standard.hpp"
#include "coenergy/io/simulation_options.hpp"
#include "coenergy/study/balance_fit.hpp"
#include "coenergy/study/regression.hpp"
#include "coenergy/study/run_fit.hpp"

namespace coenergy::app {

namespace {

using study::Identification;

nlohmann::json number(double value) { return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(); }

Identification find(const IdentifyArguments& arguments, const model::Model& model) {
  const std::vector<study::Measured> data = study::read_measured(arguments.data);
  study::IdentifyOptions options;
  options.profiles = arguments.profile;
  options.fit.loss = arguments.loss == "huber"    ? study::Loss::huber
                     : arguments.loss == "cauchy" ? study::Loss::cauchy
                                                  : study::Loss::squares;
  if (arguments.balances) {
    if (!arguments.initial.empty() || !arguments.bounds.empty())
      throw Error("--initial, --bounds: balances have no start and no bounds");
    return with_places(model, [&] {
      const auto compile = [](const model::Model& m, const std::vector<std::string>& inputs) {
        return prepare(m, inputs).compiled.system;
      };
      return study::BalanceFit(model, domains::make_standard_registry(), data, arguments.parameters, compile)
          .identify(options);
    });
  }
  const bool has_formulas = std::any_of(model.problems.begin(), model.problems.end(),
                                        [](const auto& section) { return section.first == "residuals"; });
  if (has_formulas) {
    if (!arguments.initial.empty() || !arguments.bounds.empty())
      throw Error("--initial, --bounds: unknowns of formulas have their bounds in the model file");
    return study::Regression(model, data, arguments.parameters).identify(options);
  }
  study::RunFit::Request request;
  request.parameters = arguments.parameters, request.own = arguments.initial;
  for (const std::string& text : arguments.bounds) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) throw Error("--bounds " + text + ": write NAME=LOW:HIGH");
    request.bounds.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  request.compile = [&](const model::Model& m) { return prepare(m).compiled.system; };
  request.options = io::read_simulation_options;
  return with_places(model, [&] {
    study::RunFit fit(model, domains::make_standard_registry(), data, request);
    return fit.identify(options);
  });
}

nlohmann::json to_json(const Identification& found) {
  nlohmann::json j;
  const study::Fit& fit = found.fit;
  for (std::size_t k = 0; k < found.names.size(); ++k) {
    nlohmann::json& entry = j["parameters"][found.names[k]];
    entry = {{"value", fit.p[k]}, {"sigma", number(fit.sigma[k])}, {"unit", found.units[k]}, {"start", found.start[k]}};
    entry["interval"] = {number(fit.p[k] - fit.half_width[k]), number(fit.p[k] + fit.half_width[k])};
    if (!found.profiles.empty()) entry["profile"] = {number(found.profiles[k].low), number(found.profiles[k].high)};
    if (fit.at_bound[k] != 0) entry["at_bound"] = true;
    for (std::size_t i = 0; i < found.names.size(); ++i)
      j["correlation"][found.names[k]][found.names[i]] = fit.correlation(static_cast<int>(k), static_cast<int>(i));
  }
  for (const study::MeasuredCourse& c : found.courses)
    j["residuals"][c.name] = {{"rms", c.rms},
                              {"unit", c.unit},
                              {"autocorrelation", c.autocorrelation},
                              {"bound", c.bound},
                              {"white", c.is_white()}};
  j["not_identifiable"] = study::describe_free(fit, found.names);
  j["rank"] = fit.rank, j["samples"] = fit.residuals, j["iterations"] = fit.iterations, j["cost"] = fit.cost;
  return j;
}

void print(const Identification& found) {
  const study::Fit& fit = found.fit;
  fmt::print("{:<28}{:>18}{:>14}{:>24}", "parameter", "value", "sigma", "95 %");
  fmt::print("{}\n", found.profiles.empty() ? "" : fmt::format("{:>28}", "profile"));
  for (std::size_t k = 0; k < found.names.size(); ++k) {
    fmt::print(
        "{:<28}{:>18.9g}{:>14.3g}{:>24}", name_and_unit(found.names[k], found.units[k]), fit.p[k], fit.sigma[k],
        std::isfinite(fit.half_width[k]) ? fmt::format("±{:.3g}", fit.half_width[k]) : std::string("not identifiable"));
    if (!found.profiles.empty())
      fmt::print("{:>28}", fmt::format("[{:.6g}, {:.6g}]", found.profiles[k].low, found.profiles[k].high));
    fmt::print("{}\n", fit.at_bound[k] != 0 ? "  at its bound" : "");
  }
  for (const std::string& line : study::describe_free(fit, found.names)) fmt::print("{}\n", line);
  fmt::print("correlation\n");
  for (std::size_t i = 0; i < found.names.size(); ++i) {
    fmt::print("  {:<26}", found.names[i]);
    for (std::size_t k = 0; k <= i; ++k)
      fmt::print("{:>9.4f}", fit.correlation(static_cast<int>(i), static_cast<int>(k)));
    fmt::print("\n");
  }
  for (const study::MeasuredCourse& c : found.courses)
    fmt::print("residual of {}: {:.6g} {} rms{}\n", c.name, c.rms, c.unit, c.is_white() ? ", white" : "");
  fmt::print("{} samples, rank {}, {} iterations\n", fit.residuals, fit.rank, fit.iterations);
}

Report make_page(const Identification& found, const nlohmann::json& answer) {
  Report report = begin_report("identify", answer);
  const study::Fit& fit = found.fit;
  ReportTable table{"Parameters", {"parameter", "value", "sigma", "± of 95 %"}, {}};
  for (std::size_t k = 0; k < found.names.size(); ++k)
    table.rows.push_back({name_and_unit(found.names[k], found.units[k]), format_short(fit.p[k]),
                          format_short(fit.sigma[k]),
                          std::isfinite(fit.half_width[k]) ? format_short(fit.half_width[k]) : "not identifiable"});
  ReportTable correlation{"Correlation", {""}, {}};
  for (const std::string& name : found.names) correlation.columns.push_back(name);
  for (std::size_t i = 0; i < found.names.size(); ++i) {
    std::vector<std::string> row{found.names[i]};
    for (std::size_t k = 0; k < found.names.size(); ++k)
      row.push_back(fmt::format("{:.4f}", fit.correlation(static_cast<int>(i), static_cast<int>(k))));
    correlation.rows.push_back(std::move(row));
  }
  report.tables = {std::move(table), std::move(correlation)};
  for (const study::MeasuredCourse& c : found.courses) {
    const std::string axis = "[" + (c.unit.empty() ? "–" : c.unit) + "]";
    ReportChart overlay{c.name, "time [s]", axis}, residual{"Residual of " + c.name, "time [s]", axis},
        white{"Autocorrelation of the residual of " + c.name, "lag", ""};
    overlay.curves = {{"measured", c.times, c.measured, true}, {"computed", c.times, c.computed}};
    std::vector<double> r(c.measured.size()), lags, upper, lower;
    for (std::size_t k = 0; k < r.size(); ++k) r[k] = c.computed[k] - c.measured[k];
    for (std::size_t k = 0; k < c.autocorrelation.size(); ++k)
      lags.push_back(static_cast<double>(k + 1)), upper.push_back(c.bound), lower.push_back(-c.bound);
    residual.curves = {{"computed - measured", c.times, std::move(r), true}};
    white.curves = {
        {"autocorrelation", lags, c.autocorrelation, true}, {"95 % of white noise", lags, upper}, {"", lags, lower}};
    report.charts.push_back(std::move(overlay)), report.charts.push_back(std::move(residual));
    if (!lags.empty()) report.charts.push_back(std::move(white));
  }
  return report;
}

}  // namespace

int identify(const IdentifyArguments& arguments) {
  check_target("--report", arguments.model.report, ".html");
  if (arguments.loss != "squares" && arguments.loss != "huber" && arguments.loss != "cauchy")
    throw Error("--loss " + arguments.loss + ": it must be squares, huber or cauchy" +
                did_you_mean(arguments.loss, {"squares", "huber", "cauchy"}));
  const model::Model model = load_model(arguments.model);
  const Identification found = find(arguments, model);
  if (found.fit.p.empty() || (!found.fit.good && found.fit.sigma.empty())) throw Failure("identify: " + found.fit.text);
  nlohmann::json j = begin_answer(model.file, model.notes);
  add_notes(j, found.notes);
  j.update(to_json(found));
  j["data"] = arguments.data;
  if (!arguments.model.report.empty()) write_page(arguments.model.report, make_page(found, j));
  if (!found.fit.good) throw Failure("identify: " + found.fit.text);
  if (arguments.model.json) return print_answer(j);
  for (const std::string& note : found.notes) print_note(stdout, note);
  print(found);
  return 0;
}

}  // namespace coenergy::app
