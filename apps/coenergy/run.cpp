#include <fmt/core.h>
#include <unistd.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "apps/coenergy/verbs.hpp"
#include "coenergy/base/error.hpp"
#include "coenergy/base/names.hpp"
#include "coenergy/domains/standard.hpp"
#include "coenergy/io/csv.hpp"
#include "coenergy/io/run_report.hpp"
#include "coenergy/io/simulation_options.hpp"
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

void check_plots(const model::Model& model, const system::System& system) {
  std::vector<std::string> known;
  for (const system::SignalInfo& s : system.signals()) known.push_back(s.name);
  ErrorList errors;
  for (const model::Value& value : model.plot_values)
    if (system.find_signal(value.text) < 0)
      errors.add(value.where, "plots: there is no signal \"" + value.text + "\"" + did_you_mean(value.text, known));
  errors.throw_if_any();
}

void check_output(const std::string& path) {
  if (!path.empty() && !path.ends_with(".csv"))
    throw Error("--output " + path + ": the ending must be .csv");
}

void print_summary(const RunArguments& arguments, const solve::Result& result) {
  const solve::Statistics& s = result.statistics;
  if (arguments.model.json) {
    nlohmann::json j = {{"status", result.status == solve::Status::done ? "done" : "failed"}, {"text", result.text},
                        {"rows", result.times.size()}, {"steps", s.steps}, {"rejected", s.rejected},
                        {"newton_iterations", s.newton_iterations}, {"events", s.events}, {"restarts", s.restarts},
                        {"wall_time", s.wall_time}, {"notes", result.notes}};
    if (!result.times.empty()) {
      const auto last = result.row(result.times.size() - 1);
      for (std::size_t k = 0; k < result.names.size(); ++k) j["final"][result.names[k]] = last[k];
      j["final"]["time"] = result.times.back();
    }
    fmt::print("{}\n", j.dump(2));
    return;
  }
  if (arguments.quiet) return;
  for (const std::string& note : result.notes) fmt::print("note: {}\n", note);
  fmt::print("{}\n{} steps, {} Newton iterations, {} events, {} s\n", result.text, s.steps, s.newton_iterations, s.events,
             format_short(s.wall_time));
  if (!arguments.output.empty()) fmt::print("result: {}\n", arguments.output);
  if (!arguments.report.empty()) fmt::print("report: {}\n", arguments.report);
}

}  // namespace

int run(const RunArguments& arguments) {
  model::Model model = load_model(arguments.model);
  auto option = [&](const char* name, const std::string& value) {
    if (!value.empty()) model.set(std::string("simulate.") + name, value);
  };
  option("t_end", arguments.t_end);
  option("step", arguments.step);
  option("output_step", arguments.output_step);
  option("method", arguments.method);
  option("rtol", arguments.rtol);
  option("atol", arguments.atol);
  check_output(arguments.output);

  const solve::Options options = io::read_simulation_options(model);
  const system::Compiled compiled = system::compile(model, domains::make_standard_registry());
  check_plots(model, compiled.system);

  // rows go to the file as they come, so a killed run leaves a readable result
  std::unique_ptr<io::CsvWriter> csv;
  if (!arguments.output.empty()) {
    std::vector<std::string> names{"time"}, units{"s"};
    for (const system::SignalInfo& s : compiled.system.signals()) {
      names.push_back(s.name);
      units.push_back(s.unit);
    }
    csv = std::make_unique<io::CsvWriter>(arguments.output, names, units);
  }
  ProgressBar bar(!arguments.quiet && !arguments.model.json);
  std::vector<double> row;
  solve::Hooks hooks;
  hooks.progress = [&](const solve::Progress& progress) {
    bar.show(progress.fraction);
    return true;
  };
  hooks.row = [&](double t, std::span<const double> values) {
    if (!csv) return;
    row.assign(1, t);
    row.insert(row.end(), values.begin(), values.end());
    csv->append(row);
  };
  const solve::Result result = solve::simulate(compiled.system, options, hooks);
  if (csv) csv->close();
  if (!arguments.report.empty()) write_report(arguments.report, io::make_report(model, compiled, options, result));
  print_summary(arguments, result);
  if (result.status == solve::Status::failed) fmt::print(stderr, "run: {}\n", result.text);
  return result.status == solve::Status::failed ? 1 : 0;
}

}  // namespace coenergy::app
