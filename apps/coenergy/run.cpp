#include <fmt/core.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "apps/coenergy/answer.hpp"
#include "apps/coenergy/answer_report.hpp"
#include "apps/coenergy/interruption.hpp"
#include "apps/coenergy/messages.hpp"
#include "apps/coenergy/netlist_analyses.hpp"
#include "apps/coenergy/run_files.hpp"
#include "apps/coenergy/target.hpp"
#include "coenergy/base/names.hpp"
#include "coenergy/fmi/session.hpp"
#include "coenergy/io/scene_report.hpp"
#include "coenergy/io/simulation_options.hpp"
#include "coenergy/solve/saved_state.hpp"
#include "coenergy/solve/simulation.hpp"

namespace coenergy::app {

namespace {

/// " 12 s left", "" while nothing can be said.
std::string tell_rest(double done, double left, double passed) {
  constexpr double early = 0.01, short_time = 2;  // of the run; s
  if (done < early || left <= 0) return "";
  const double rest = passed * left / done;
  if (passed + rest < short_time) return "";
  if (rest < 90) return fmt::format(" {:.0f} s left", rest);
  if (rest < 90 * 60) return fmt::format(" {:.0f} min left", rest / 60);
  return fmt::format(" {:.1f} h left", rest / 3600);
}

/// A bar on a terminal, redrawn at most when a percent is gained, with the time that the rest will take if it goes on as
/// it went.
class ProgressBar {
 public:
  explicit ProgressBar(bool enabled) : enabled_(enabled && isatty(fileno(stderr)) != 0) {}
  ~ProgressBar() {
    if (shown_ >= 0) fmt::print(stderr, "\r\033[K");
  }
  void show(double fraction) {
    if (first_ < 0) first_ = fraction, begin_ = std::chrono::steady_clock::now();
    const int percent = static_cast<int>(100 * fraction);
    if (!enabled_ || percent == shown_) return;
    shown_ = percent;
    const int filled = percent * 40 / 100;
    const double passed = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    fmt::print(stderr, "\r[{}{}] {:3}%{}\033[K", std::string(filled, '#'), std::string(40 - filled, ' '), percent,
               tell_rest(fraction - first_, 1 - fraction, passed));
  }

 private:
  bool enabled_;
  int shown_ = -1;
  double first_ = -1;  ///< where it began: a run that is resumed, in the middle
  std::chrono::steady_clock::time_point begin_;
};

const char* word_for(solve::Status status) {
  return status == solve::Status::done ? "done" : status == solve::Status::failed ? "failed" : "stopped";
}

/// What is told of a run goes to the terminal, or into an object.
void tell_summary(const RunArguments& arguments, const Prepared& p, const solve::Result& result, const RunFiles& files,
                  nlohmann::json& j) {
  const Rows& rows = files.rows();
  std::vector<std::string> notes = p.compiled.summary.notes;
  notes.insert(notes.end(), result.notes.begin(), result.notes.end());
  const solve::Statistics& s = result.statistics;
  if (arguments.model.json) {
    j.update(begin_answer(arguments.model.file, p.model.notes));
    add_notes(j, notes);
    j.update({{"status", word_for(result.status)},
              {"text", result.text},
              {"rows", rows.count},
              {"method", p.options.method},
              {"adaptive", solve::is_adaptive(p.options)},
              {"steps", s.steps},
              {"rejected", s.rejected},
              {"repeated", s.newton_failures},
              {"newton_iterations", s.newton_iterations},
              {"events", s.events},
              {"restarts", s.restarts},
              {"wall_time", s.wall_time}});
    j["units"]["time"] = j["units"]["wall_time"] = "s";
    if (solve::is_adaptive(p.options))
      j["rtol"] = p.options.rtol, j["atol"] = p.options.atol;
    else
      j["step"] = p.options.step;
    if (rows.count > 0) {
      for (std::size_t k = 0; k < files.columns(); ++k)
        j["final"][result.names[k]] = rows.last[k], j["units"][result.names[k]] = result.units[k];
      j["final"]["time"] = rows.t;
    }
    return;
  }
  if (arguments.quiet) return;
  for (const std::string& note : notes) print_note(stdout, note);
  if (result.status == solve::Status::done) fmt::print("{}\n", result.text);
  fmt::print("{}: {} steps, {} rejected, {} repeated, {} Newton iterations, {} events, {} s\n",
             solve::describe_method(p.options), s.steps, s.rejected, s.newton_failures, s.newton_iterations, s.events,
             format_short(s.wall_time));
  for (const std::string& line : files.lines()) fmt::print("{}\n", line);
}

/// What a checkpoint holds besides the state of the run itself: files, time spent, measures.
std::string save_besides(RunFiles& files, double wall_time, io::RunMeasures* measures) {
  StateArchive archive;
  std::string position = files.position();
  bool has_measures = measures != nullptr;
  archive(position, wall_time, has_measures);
  if (measures != nullptr) archive(*measures);
  archive.close();
  return archive.bytes();
}

/// The state in a file that is to be taken up; errors name the file.
class Resumed {
 public:
  explicit Resumed(const std::string& path) : path_(path) {
    if (path.empty()) return;
    with_name([&] {
      bytes_ = io::read_file(path);
      besides_ = solve::SavedState::from_bytes(bytes_).besides;
      if (besides_.empty()) throw Error("the state was not saved by run --checkpoint");
      StateArchive archive(besides_);
      archive(files, wall_time);
    });
  }
  void load(solve::Simulation& simulation, io::RunMeasures* measures) const {
    if (path_.empty()) return;
    with_name([&] {
      simulation.load(bytes_);
      StateArchive archive(besides_);
      std::string position;
      double time = 0;
      bool has_measures = false;
      archive(position, time, has_measures);
      if (has_measures != (measures != nullptr)) throw Error("the netlist has other .meas cards");
      if (has_measures) archive(*measures);
      archive.close();
    });
  }
  std::string files;
  double wall_time = 0;

 private:
  template <class Action>
  void with_name(Action&& action) const {
    try {
      action();
    } catch (const Error& e) {
      // a place of its own: none in the model is meant
      throw Error(Location{"--resume " + path_}, e.items()[0].text);
    }
  }
  std::string path_, bytes_, besides_;
};

void add_scene_signals(Prepared& p) {
  const std::set<std::string> chosen(p.options.signals.begin(), p.options.signals.end());
  std::vector<std::string> drawn = io::scene_signals(p.compiled.scene);
  const std::vector<std::string> forces = io::force_signals(p.compiled.scene);
  drawn.insert(drawn.end(), forces.begin(), forces.end());
  for (std::string& name : drawn)
    if (chosen.count(name) == 0 && p.compiled.system.find_signal(name) >= 0)
      p.options.signals.push_back(std::move(name));
}

/// Runs a model; `others` is what the other cards of its netlist gave, `known` their measures. What is told joins them.
int run_model(const RunArguments& arguments, model::Model changed, const io::Netlist& netlist, nlohmann::json& others,
              std::map<std::string, double> known, CardPage page) {
  auto option = [&](const char* flag, const char* name, const std::string& text) {
    if (text.empty()) return;
    model::Value value(text);
    value.where.file = std::string(flag) + " " + text;
    changed.set(std::string("simulate.") + name, std::move(value));
  };
  std::vector<std::string> dropped;
  if (!arguments.method.empty()) {
    model::Value method(arguments.method);
    method.where.file = "--method " + arguments.method;
    dropped = io::change_method(changed, method);
  }
  option("--t-end", "t_end", arguments.t_end);
  option("--step", "step", arguments.step);
  option("--output-step", "output_step", arguments.output_step);
  option("--rtol", "rtol", arguments.rtol);
  option("--atol", "atol", arguments.atol);
  Prepared p = prepare(std::move(changed));
  if (!dropped.empty())
    p.compiled.summary.notes.push_back(
        fmt::format("left out with the method of the file: {}", fmt::join(dropped, ", ")));

  // the view needs poses, also where only some signals are wanted
  const std::size_t wanted = p.options.signals.size();
  if (wanted > 0 && !arguments.report.empty()) add_scene_signals(p);

  const Resumed resumed(arguments.resume);
  RunFiles files(arguments, p, netlist, resumed.files, wanted);
  std::optional<Checkpoint> checkpoint;
  if (!arguments.checkpoint.empty())
    checkpoint.emplace(arguments.checkpoint, arguments.checkpoint_every < 0 ? 60 : arguments.checkpoint_every);
  ProgressBar bar(!arguments.quiet && !arguments.model.json);
  const Interruption interruption;
  solve::Hooks hooks;
  hooks.keep_rows = false;
  hooks.progress = [&](const solve::Progress& progress) {
    bar.show(progress.fraction);
    return interruption.signal() == 0;
  };
  hooks.row = [&](double t, std::span<const double> values) { files.record(t, values); };
  equations::Evaluator evaluator(p.compiled.system);
  io::Measures measures(netlist, io::Netlist::Analysis::Kind::transient);
  std::optional<io::RunMeasures> measuring;
  if (!measures.empty()) hooks.observer = &measuring.emplace(measures, evaluator);
  io::RunMeasures* const observer = measuring ? &*measuring : nullptr;

  const auto begin = std::chrono::steady_clock::now();
  const auto wall_time = [&] {
    return resumed.wall_time + std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  solve::Result result = with_places(p.model, [&] {
    solve::Simulation simulation(evaluator, p.options, hooks);
    resumed.load(simulation, observer);
    const auto save = [&] { checkpoint->write(simulation.save(save_besides(files, wall_time(), observer))); };
    while (simulation.step())
      if (checkpoint && checkpoint->is_due()) save();
    if (checkpoint && simulation.result().status != solve::Status::failed) save();
    return simulation.take_result();
  });
  if (result.status == solve::Status::failed)
    if (const std::string why = fmi::take_failure(); !why.empty()) result.text += "; " + why;
  result.statistics.wall_time = wall_time();
  if (result.status == solve::Status::stopped)
    result.text = fmt::format("stopped by {} at t = {:g} s", interruption.name(), result.end.t);
  // from here on signals have the names of the user
  for (std::string& name : result.names) name = netlist.label(name);
  for (model::Plot& plot : p.model.plots)
    model::Plot::visit_signals(plot, [&](model::Value& name) { name.text = netlist.label(name.text); });
  nlohmann::json measured = others.contains("measures") ? others["measures"] : nlohmann::json::array();
  if (result.status == solve::Status::done)
    tell_measures(io::Netlist::Analysis::Kind::transient, measures.results(known), measured,
                  !arguments.quiet && !arguments.model.json);
  page.add_measures(measured);
  if (!measured.empty()) others["measures"] = std::move(measured);
  files.finish(p, result, std::move(page));
  tell_summary(arguments, p, result, files, others);
  if (result.status == solve::Status::done) return 0;
  fmt::print(stderr, "run: {}\n", result.text);
  if (checkpoint && result.status == solve::Status::stopped)
    fmt::print(stderr, "run: to go on, add --resume {}\n", checkpoint->path());
  return result.status == solve::Status::failed ? 1 : 128 + interruption.signal();
}

/// The page of a netlist without a run.
void write_cards(const RunArguments& arguments, const nlohmann::json& results, CardPage page) {
  nlohmann::json answer = results;
  answer["model"] = arguments.model.file;
  Report report = begin_report("run", answer);
  if (results.contains("measures")) page.add_measures(results["measures"]);
  page.move_to(report);
  write_page(arguments.report, report);
}

/// Carries out the cards of a netlist.
int run_netlist(const RunArguments& arguments, io::Netlist netlist, nlohmann::json& results) {
  const bool has_run = !arguments.t_end.empty() ||
                       std::any_of(netlist.analyses.begin(), netlist.analyses.end(),
                                   [](const auto& a) { return a.kind == io::Netlist::Analysis::Kind::transient; });
  if (!has_run && netlist.analyses.empty())
    throw Error({arguments.model.file}, "the netlist has no .tran, .op, .dc or .ac card; write one, or give --t-end");
  Analysed analysed = run_analyses(arguments, netlist);
  results = analysed.answer();
  int status = 0;
  if (has_run) {
    try {
      model::Model model = std::move(netlist.model);
      status = run_model(arguments, std::move(model), netlist, results, analysed.measures, analysed.page);
    } catch (const Error& e) {
      analysed.errors.add(e);
      results = analysed.answer();
    }
  } else if (!arguments.report.empty()) {
    write_cards(arguments, results, std::move(analysed.page));
  }
  analysed.throw_if_any();
  return status;
}

/// out.csv becomes out.step2.csv.
std::string name_of_step(const std::string& path, std::size_t number) {
  if (path.empty()) return path;
  const std::size_t dot = path.rfind('.');
  return path.substr(0, dot) + ".step" + std::to_string(number) + path.substr(dot);
}

/// Does the same for every step of .step cards; one that fails stops no other.
int run_steps(const RunArguments& arguments, const std::vector<io::NetlistValues>& steps, nlohmann::json& results) {
  if (!arguments.checkpoint.empty() || !arguments.resume.empty())
    throw Error("--checkpoint, --resume: a netlist with .step has several runs");
  int status = 0;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    RunArguments step = arguments;
    step.model.values = steps[k];
    step.output = name_of_step(arguments.output, k + 1), step.report = name_of_step(arguments.report, k + 1);
    nlohmann::json item;
    std::string title = fmt::format("step {} of {}:", k + 1, steps.size());
    for (const io::NetlistValue& v : steps[k]) title += fmt::format(" {}={}", v.name, format_number(v.value));
    if (!arguments.quiet && !arguments.model.json) fmt::print("{}\n", title);
    try {
      status = std::max(status, run_netlist(step, load_netlist(step.model), item));
    } catch (const Failure& e) {
      fmt::print(stderr, "{} {}\n", title, e.what());
      status = 1;
    }
    for (const io::NetlistValue& v : steps[k]) item["values"][v.name] = v.value;
    results["steps"].push_back(std::move(item));
    if (status > 2) break;
  }
  return status;
}

}  // namespace

int run(const RunArguments& arguments) {
  check_result_target("--output", arguments.output);
  check_target("--report", arguments.report, ".html");
  const bool is_csv = arguments.output.empty() || arguments.output.ends_with(".csv");
  if (!is_csv && (!arguments.checkpoint.empty() || !arguments.resume.empty()))
    throw Error("--output " + arguments.output + ": a run with --checkpoint or --resume writes its result as .csv");
  if (!is_csv && arguments.units != io::CsvUnits::row)
    throw Error("--units: only a result in .csv can leave its units out; " + arguments.output +
                " has a place for them");
  if (arguments.checkpoint_every >= 0 && arguments.checkpoint.empty())
    throw Error("--checkpoint-every needs --checkpoint FILE: where to write the state to");
  nlohmann::json results;
  std::vector<std::string> notes;
  const auto tell = [&] {
    if (!arguments.model.json || results.is_null()) return;
    nlohmann::json j = begin_answer(arguments.model.file, notes);
    j.update(results);
    print_answer(j);
  };
  int status = 0;
  if (!is_netlist(arguments.model.file)) {
    status = run_model(arguments, load_model(arguments.model), {}, results, {}, {});
  } else {
    io::Netlist netlist = load_netlist(arguments.model);
    notes = netlist.notes;
    const std::vector<io::NetlistValues> steps = io::list_steps(netlist);
    try {
      status = netlist.steps.empty() ? run_netlist(arguments, std::move(netlist), results)
                                     : run_steps(arguments, steps, results);
    } catch (...) {
      tell();  // what other cards gave
      throw;
    }
  }
  tell();
  return status;
}

}  // namespace coenergy::app
