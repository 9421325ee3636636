#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "coenergy/compile/compile.hpp"
#include "coenergy/domains/standard.hpp"
#include "coenergy/io/model_file.hpp"
#include "coenergy/solve/initialize.hpp"
#include "coenergy/solve/simulation.hpp"
#include "ida_run.hpp"
#include "problems.hpp"
#include "sections.hpp"

namespace bench {
namespace {

using namespace coenergy;

constexpr double accuracies[] = {1e-3, 1e-5, 1e-7};  // relative, of the worst component
constexpr int rounds = 7;
constexpr double longest = 1;    // s, of a run that is worth a tighter one
constexpr double given_up = 10;  // s, of a run: it does not count

/// What a program is asked for. Tolerances beside rtol are a part of it, times the nominal values.
struct Setting {
  std::string method;
  double rtol = 0, atol_part = 1;
  bool sparse = false, tests_algebraic = true;  // of IDA
};
struct Run {
  Setting setting;
  double error = INFINITY, time = INFINITY;
  std::string work;
};

class Contest {
 public:
  explicit Contest(const Problem& problem)
      : problem_(problem),
        evaluator_(compile::compile(io::read_model(std::filesystem::path(BENCH_EXAMPLES) / problem.example),
                                    domains::make_standard_registry())
                       .system),
        start_(solve::initialize(evaluator_).point),
        signals_(evaluator_.system().signals().size()) {
    for (const auto& value : problem.published) places_.push_back(evaluator_.system().find_signal(value.signal));
  }

  Run run(const Setting& s) { return s.method == "ida" ? run_theirs(s) : run_ours(s); }
  std::string describe() const {
    const equations::System& s = evaluator_.system();
    return fmt::format("{} velocities, {} multipliers, {} states, {} algebraic variables", s.nv(), s.nl(), s.nx(),
                       s.ny());
  }

 private:
  double compute_error(const equations::Point& end) {
    evaluator_.signals(end, signals_);
    double error = 0;
    for (std::size_t k = 0; k < places_.size(); ++k) {
      const double right = problem_.published[k].value;
      const double own = std::abs(signals_[places_[k]] / right - 1);
      error = own <= error ? error : own;
    }
    return error;
  }

  Run run_ours(const Setting& s) {
    solve::Options options;
    options.method = s.method, options.t_end = problem_.t_end, options.output_step = problem_.t_end;
    options.rtol = s.rtol, options.atol = s.rtol * s.atol_part;
    if (s.method == "generalized-alpha") options.adaptive = true;
    options.signals = {problem_.published.front().signal};
    solve::Simulation simulation(evaluator_, options);
    simulation.now();  // the start, which is given to both
    const double begin = now();
    while (simulation.step() && now() - begin < given_up) {
    }
    Run run{s, INFINITY, now() - begin, {}};
    if (simulation.result().status == solve::Status::done) run.error = compute_error(simulation.now());
    const solve::Statistics w = simulation.result().statistics;
    run.work = fmt::format("{} steps, {} rejected, {} repeated, {} residuals, {} Jacobians", w.steps, w.rejected,
                           w.newton_failures, w.residuals, w.jacobians);
    return run;
  }

  Run run_theirs(const Setting& s) {
    const IdaOutcome outcome =
        run_ida(evaluator_, start_, problem_.t_end, {s.rtol, s.atol_part, s.sparse, s.tests_algebraic});
    Run run{s, INFINITY, outcome.time, {}};
    if (outcome.good) run.error = compute_error(outcome.end);
    run.work = fmt::format("{} steps, {} residuals, {} Jacobians", outcome.steps, outcome.residuals, outcome.jacobians);
    return run;
  }

  const Problem& problem_;
  equations::Evaluator evaluator_;
  equations::Point start_;
  std::vector<double> signals_;
  std::vector<int> places_;
};

/// All settings of one kind, from the loosest tolerance to the tightest.
using Series = std::vector<Run>;

/// Of a long problem tolerances by decades, which leaves the search some minutes.
std::vector<Series> run_all(Contest& contest, const std::vector<Setting>& kinds, bool is_long) {
  std::vector<Series> all;
  for (Setting s : kinds) {
    Series series;
    for (double exponent = is_long ? 4 : 2; exponent <= 11.01; exponent += is_long ? 1 : 0.5) {
      s.rtol = std::pow(10.0, -exponent);
      series.push_back(contest.run(s));
      const bool is_right = series.back().error < (is_long ? 0.5 : 0.01) * accuracies[2];
      if (is_right || series.back().time > (is_long ? given_up : longest)) break;
    }
    all.push_back(std::move(series));
  }
  return all;
}

/// The fastest run that reaches the accuracy, and not by chance: the next tighter tolerance reaches it too.
const Run* find_best(const std::vector<Series>& all, double accuracy) {
  const Run* best = nullptr;
  for (const Series& series : all)
    for (std::size_t i = 0; i < series.size(); ++i) {
      const bool is_good = series[i].error <= accuracy && (i + 1 >= series.size() || series[i + 1].error <= accuracy);
      if (is_good && (best == nullptr || series[i].time < best->time)) best = &series[i];
    }
  return best;
}

std::string describe(const Run& run, double time) {
  const Setting& s = run.setting;
  const std::string variant =
      s.method == "ida" ? fmt::format(" {}{}", s.sparse ? "klu" : "dense", s.tests_algebraic ? "" : ", suppressed")
                        : "";
  return fmt::format("{:<6}{} rtol {:.0e} atol {:.0e}: error {:.1e}, {:.3f} ms, {}", s.method, variant, s.rtol,
                     s.rtol * s.atol_part, run.error, 1e3 * time, run.work);
}

void compare(Report& report, const Problem& problem) {
  Contest contest(problem);
  report.heading(fmt::format("{}: {}", problem.name, contest.describe()));
  std::vector<Setting> ours, theirs;
  for (const double part : {1.0, 1e-2, 1e-4}) {
    if (problem.is_long && part < 1e-2) continue;
    for (const std::string method : {"radau", "esdirk", "dopri", "dop853"}) {
      // order 3 takes many times as long at these accuracies
      if (problem.is_long && method == "esdirk") continue;
      if (!problem.is_stiff || !solve::is_explicit(method)) ours.push_back({method, 0, part});
    }
    for (const bool sparse : {false, true})
      for (const bool tests : {true, false})
        // full matrices of long problems take half as long again
        if (sparse || !problem.is_long) theirs.push_back({"ida", 0, part, sparse, tests});
  }
  // machine code is made meanwhile
  for (const Setting& s : {ours[0], theirs[0]}) {
    Setting first = s;
    first.rtol = 1e-4;
    for (int k = 0; k < 3; ++k) contest.run(first);
  }
  const std::vector<Series> own = run_all(contest, ours, problem.is_long),
                            other = run_all(contest, theirs, problem.is_long);
  for (const double accuracy : accuracies) {
    const Run *a = find_best(own, accuracy), *b = find_best(other, accuracy);
    if (a == nullptr || b == nullptr) {
      report.note(fmt::format("{:.0e}: {} does not reach it", accuracy, a == nullptr ? "the program" : "IDA"));
      if (a == nullptr) report.at_least("accuracy reached", 0, 1, "");
      continue;
    }
    double time_a = a->time, time_b = b->time;
    for (int k = 0; k < (problem.is_long ? 2 : rounds); ++k) {
      time_a = std::min(time_a, contest.run(a->setting).time);
      time_b = std::min(time_b, contest.run(b->setting).time);
    }
    report.note(describe(*a, time_a));
    report.note(describe(*b, time_b));
    report.at_least(fmt::format("times as fast as IDA at {:.0e}", accuracy), time_b / time_a, problem.times_as_fast,
                    "");
  }
}

}  // namespace

void run_stiff(Report& report, const std::string& name) {
  for (const Problem& problem : stiff_problems())
    if (problem.name.find(name) != std::string::npos) compare(report, problem);
}

}  // namespace bench
