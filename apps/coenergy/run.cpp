#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/coenergy/load.hpp"
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

/// Refuses names that would surprise, and files that could not be written after a long run.
void check_target(const std::string& option, const std::string& path, const std::string& ending) {
  if (path.empty()) return;
  if (!path.ends_with(ending)) throw Error(option + " " + path + ": the file name must end with " + ending);
  const bool existed = std::filesystem::exists(path);
  errno = 0;
  if (!std::ofstream(path, std::ios::app))
    throw Error(option + " " + path + ": cannot write this file: " + std::strerror(errno != 0 ? errno : EIO));
  if (!existed) std::filesystem::remove(path);
}

/// Writes to a file; a disk that fills up is no mistake of the model.
template <class Action>
auto write(Action&& action) {
  try {
    return action();
  } catch (const Error& e) {
    throw Failure(e.what());
  }
}

std::unique_ptr<io::CsvWriter> open_result(const std::string& path, const system::System& system) {
  if (path.empty()) return nullptr;
  std::vector<std::string> names{"time"}, units{"s"};
  for (const system::SignalInfo& s : system.signals()) {
    names.push_back(s.name);
    units.push_back(s.unit);
  }
  return write([&] { return std::make_unique<io::CsvWriter>(path, names, units); });
}

void print_summary(const RunArguments& arguments, const system::ModelSummary& model, const solve::Result& result) {
  std::vector<std::string> notes = model.notes;
  notes.insert(notes.end(), result.notes.begin(), result.notes.end());
  const solve::Statistics& s = result.statistics;
  if (arguments.model.json) {
    nlohmann::json j = {{"status", result.status == solve::Status::done ? "done" : "failed"},
                        {"text", result.text},
                        {"rows", result.times.size()},
                        {"steps", s.steps},
                        {"rejected", s.rejected},
                        {"newton_iterations", s.newton_iterations},
                        {"events", s.events},
                        {"restarts", s.restarts},
                        {"wall_time", s.wall_time},
                        {"notes", notes}};
    if (!result.times.empty()) {
      const auto last = result.row(result.times.size() - 1);
      for (std::size_t k = 0; k < result.names.size(); ++k) j["final"][result.names[k]] = last[k];
      j["final"]["time"] = result.times.back();
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
  model::Model changed = load_model(arguments.model);
  auto option = [&](const char* flag, const char* name, const std::string& text) {
    if (text.empty()) return;
    model::Value value(text);
    value.where.file = std::string(flag) + " " + text;
    changed.set(std::string("simulate.") + name, std::move(value));
  };
  if (is_netlist(arguments.model.file) && arguments.t_end.empty() &&
      std::none_of(changed.simulate.begin(), changed.simulate.end(), [](const auto& o) { return o.first == "t_end"; }))
    throw Error({arguments.model.file}, "the netlist has no .tran card; write one, or give --t-end");
  option("--t-end", "t_end", arguments.t_end);
  option("--step", "step", arguments.step);
  option("--output-step", "output_step", arguments.output_step);
  option("--method", "method", arguments.method);
  option("--rtol", "rtol", arguments.rtol);
  option("--atol", "atol", arguments.atol);
  const Prepared p = prepare(std::move(changed));

  // rows go to the file as they come, so a killed run leaves a readable result
  const std::unique_ptr<io::CsvWriter> csv = open_result(arguments.output, p.compiled.system);
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
    write([&] { csv->append(row); });
  };
  const solve::Result result =
      with_places(p.model, [&] { return solve::simulate(p.compiled.system, p.options, hooks); });
  if (csv) write([&] { csv->close(); });
  if (!arguments.report.empty())
    write([&] { write_report(arguments.report, io::make_report(p.model, p.compiled, p.options, result)); });
  print_summary(arguments, p.compiled.summary, result);
  if (result.status == solve::Status::failed) fmt::print(stderr, "run: {}\n", result.text);
  return result.status == solve::Status::failed ? 1 : 0;
}

}  // namespace coenergy::app
