#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "apps/coenergy/netlist_analyses.hpp"
#include "apps/coenergy/netlist_measures.hpp"
#include "apps/coenergy/target.hpp"
#include "coenergy/base/names.hpp"
#include "coenergy/io/csv.hpp"
#include "coenergy/io/run_report.hpp"
#include "coenergy/solve/simulate.hpp"

namespace coenergy::app {

namespace {

/// A bar on a terminal, redrawn at most when a percent is gained.
class ProgressBar {
 public:
  explicit ProgressBar(bool enabled) : enabled_(enabled && isatty(fileno(stderr)) != 0) {}
  ~ProgressBar() {
    if (shown_ >= 0) fmt::print(stderr, "\r\033[K");
  }
  void show(double fraction) {
    const int percent = static_cast<int>(100 * fraction);
    if (!enabled_ || percent == shown_) return;
    shown_ = percent;
    const int filled = percent * 40 / 100;
    fmt::print(stderr, "\r[{}{}] {:3}%", std::string(filled, '#'), std::string(40 - filled, ' '), percent);
  }

 private:
  bool enabled_;
  int shown_ = -1;
};

std::unique_ptr<io::CsvWriter> open_result(const std::string& path, const Prepared& p, const io::Netlist& netlist) {
  if (path.empty()) return nullptr;
  const system::System& system = p.compiled.system;
  std::vector<std::string> names{"time"}, units{"s"};
  const auto add = [&](const system::SignalInfo& s) {
    names.push_back(netlist.label(s.name)), units.push_back(s.unit);
  };
  if (p.options.signals.empty())
    for (const system::SignalInfo& s : system.signals()) add(s);
  for (const std::string& name : p.options.signals)
    add(system.signals()[static_cast<std::size_t>(system.find_signal(name))]);
  return write_result([&] { return std::make_unique<io::CsvWriter>(path, names, units); });
}

/// How many rows there were, and the last of them: a run that writes no report need not keep the others.
struct Rows {
  std::size_t count = 0;
  double t = 0;
  std::vector<double> last;
};

void print_summary(const RunArguments& arguments, const system::ModelSummary& model, const solve::Result& result,
                   const Rows& rows, nlohmann::json j) {
  std::vector<std::string> notes = model.notes;
  notes.insert(notes.end(), result.notes.begin(), result.notes.end());
  const solve::Statistics& s = result.statistics;
  if (arguments.model.json) {
    j.update({{"status", result.status == solve::Status::done ? "done" : "failed"},
              {"text", result.text},
              {"rows", rows.count},
              {"steps", s.steps},
              {"rejected", s.rejected},
              {"newton_iterations", s.newton_iterations},
              {"events", s.events},
              {"restarts", s.restarts},
              {"wall_time", s.wall_time},
              {"notes", notes}});
    if (rows.count > 0) {
      for (std::size_t k = 0; k < result.names.size(); ++k) j["final"][result.names[k]] = rows.last[k];
      j["final"]["time"] = rows.t;
    }
    fmt::print("{}\n", j.dump(2));
    return;
  }
  if (arguments.quiet) return;
  for (const std::string& note : notes) fmt::print("note: {}\n", note);
  if (result.status != solve::Status::failed) fmt::print("{}\n", result.text);
  fmt::print("{} steps, {} Newton iterations, {} events, {} s\n", s.steps, s.newton_iterations, s.events,
             format_short(s.wall_time));
  if (!arguments.output.empty()) fmt::print("result: {}\n", arguments.output);
  if (!arguments.report.empty()) fmt::print("report: {}\n", arguments.report);
}

}  // namespace

int run(const RunArguments& arguments) {
  check_target("--output", arguments.output, ".csv");
  check_target("--report", arguments.report, ".html");
  nlohmann::json others;  // what the other cards of a netlist gave
  model::Model changed;
  io::Netlist netlist;
  if (is_netlist(arguments.model.file)) {
    netlist = load_netlist(arguments.model);
    others = run_analyses(arguments, netlist);
    const bool has_run = !arguments.t_end.empty() ||
                         std::any_of(netlist.analyses.begin(), netlist.analyses.end(),
                                     [](const auto& a) { return a.kind == io::Netlist::Analysis::Kind::transient; });
    if (!has_run && others.is_null())
      throw Error({arguments.model.file}, "the netlist has no .tran, .op, .dc or .ac card; write one, or give --t-end");
    if (!has_run && arguments.model.json) fmt::print("{}\n", others.dump(2));
    if (!has_run) return 0;
    changed = std::move(netlist.model);
  } else {
    changed = load_model(arguments.model);
  }
  auto option = [&](const char* flag, const char* name, const std::string& text) {
    if (text.empty()) return;
    model::Value value(text);
    value.where.file = std::string(flag) + " " + text;
    changed.set(std::string("simulate.") + name, std::move(value));
  };
  option("--t-end", "t_end", arguments.t_end);
  option("--step", "step", arguments.step);
  option("--output-step", "output_step", arguments.output_step);
  option("--method", "method", arguments.method);
  option("--rtol", "rtol", arguments.rtol);
  option("--atol", "atol", arguments.atol);
  Prepared p = prepare(std::move(changed));

  // rows go to the file as they come, so a killed run leaves a readable result
  const std::unique_ptr<io::CsvWriter> csv = open_result(arguments.output, p, netlist);
  ProgressBar bar(!arguments.quiet && !arguments.model.json);
  std::vector<double> row;
  Rows rows;
  solve::Hooks hooks;
  hooks.keep_rows = !arguments.report.empty();
  hooks.progress = [&](const solve::Progress& progress) {
    bar.show(progress.fraction);
    return true;
  };
  hooks.row = [&](double t, std::span<const double> values) {
    ++rows.count;
    if (arguments.model.json) rows.t = t, rows.last.assign(values.begin(), values.end());
    if (!csv) return;
    row.assign(1, t);
    row.insert(row.end(), values.begin(), values.end());
    write_result([&] { csv->append(row); });
  };
  system::Evaluator evaluator(p.compiled.system);
  Measures measures(netlist, io::Netlist::Analysis::Kind::transient);
  std::optional<RunMeasures> measuring;
  if (!measures.empty()) hooks.observer = &measuring.emplace(measures, evaluator);
  solve::Result result = with_places(p.model, [&] { return solve::simulate(evaluator, p.options, hooks); });
  if (csv) write_result([&] { csv->close(); });
  // from here on signals have the names of the user
  for (std::string& name : result.names) name = netlist.label(name);
  for (auto& plot : p.model.plots)
    for (std::string& name : plot) name = netlist.label(name);
  if (!arguments.report.empty())
    write_result([&] { write_report(arguments.report, io::make_report(p.model, p.compiled, p.options, result)); });
  nlohmann::json measured = others.contains("measures") ? others["measures"] : nlohmann::json::array();
  if (result.status == solve::Status::done) measures.tell(measured, !arguments.quiet && !arguments.model.json);
  if (!measured.empty()) others["measures"] = std::move(measured);
  print_summary(arguments, p.compiled.summary, result, rows, std::move(others));
  if (result.status == solve::Status::failed) fmt::print(stderr, "run: {}\n", result.text);
  return result.status == solve::Status::failed ? 1 : 0;
}

}  // namespace coenergy::app
