#include "coenergy/analyze/sweep.hpp"

#include <fmt/core.h>

#include "apps/coenergy/answer.hpp"
#include "apps/coenergy/answer_report.hpp"
#include "apps/coenergy/target.hpp"
#include "coenergy/domains/standard.hpp"
#include "coenergy/io/simulation_options.hpp"

namespace coenergy::app {

namespace {

/// Prints a sweep row by row, with units once they are known, or gathers it for JSON.
class SweepRows {
 public:
  SweepRows(const SweepArguments& arguments, std::vector<std::string>& notes) : arguments_(arguments), notes_(notes) {}

  void add(const analyze::SweepTable& table) {
    if (list_.empty() && !arguments_.model.json) print_head(table.units);
    const std::string& value = arguments_.values[list_.size()];
    nlohmann::json row = {{"value", value}};
    if (!arguments_.model.json) fmt::print("{:>20}", value);
    for (std::size_t k = 0; k < table.units.size(); ++k) {
      const double x = table.rows.back()[k];
      row["signals"][arguments_.signals[k]] = x;
      if (!arguments_.model.json) fmt::print("{:>24.14g}", x);
    }
    if (!arguments_.model.json) fmt::print("\n");
    for (const std::string& note : table.notes.back())
      notes_.push_back(arguments_.parameter + "=" + value + ": " + note);
    list_.push_back(std::move(row));
  }
  nlohmann::json take() { return std::move(list_); }

 private:
  void print_head(const std::vector<std::string>& units) const {
    fmt::print("{:>20}", arguments_.parameter);
    for (std::size_t k = 0; k < units.size(); ++k)
      fmt::print("{:>24}", arguments_.signals[k] + (units[k].empty() ? "" : " (" + units[k] + ")"));
    fmt::print("\n");
  }

  const SweepArguments& arguments_;
  std::vector<std::string>& notes_;
  nlohmann::json list_ = nlohmann::json::array();
};

}  // namespace

int sweep(const SweepArguments& arguments) {
  check_target("--report", arguments.model.report, ".html");
  std::vector<std::string> read, notes;  // of the first model, and of what was computed
  SweepRows rows(arguments, notes);
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
  request.compile = [&](const model::Model& model) {
    Prepared prepared = prepare(model);
    if (read.empty()) read = list_notes(prepared.model, prepared.compiled);
    return std::move(prepared.compiled.system);
  };
  request.row = [&](const analyze::SweepTable& table) { rows.add(table); };
  const analyze::SweepTable table = analyze::sweep(domains::make_standard_registry(), request);
  if (!table.good) throw Failure("sweep: " + table.text);
  if (!arguments.model.json)
    for (const std::string& note : notes) fmt::print("note: {}\n", note);
  if (!arguments.model.answers()) return 0;
  nlohmann::json j = begin_answer(arguments.model.file, read);
  add_notes(j, notes);
  j["parameter"] = arguments.parameter;
  for (std::size_t k = 0; k < table.units.size(); ++k) j["units"][arguments.signals[k]] = table.units[k];
  j["rows"] = rows.take();
  if (!arguments.model.report.empty()) write_page(arguments.model.report, report_sweep(j));
  return arguments.model.json ? print_answer(j) : 0;
}

}  // namespace coenergy::app
