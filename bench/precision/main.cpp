// What a tolerance gives: the error that each method makes on each problem, over the tolerance asked for, and its work.
//
//   bench_precision [--problem NAME]… [--method NAME]… [--tolerance VALUE]… [--check]
//   bench_precision --file MODEL …   the same of a model file of one's own
//
// rtol = tolerance, atol = a hundredth of it, as in the defaults. The error of a signal is its largest difference to a
// tight run at 47 instants, over the largest value that it has, or over a thousandth of the largest value of a signal
// of its unit; the largest of all signals that the model plots counts. --check ends with status 1 where the default
// method is off by more than 30 tolerances on a problem that is not chaotic, or where a method gets worse as the
// tolerance is tightened.
#include <fmt/core.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>

#include "coenergy/base/error.hpp"
#include "coenergy/compile/compile.hpp"
#include "coenergy/domains/standard.hpp"
#include "coenergy/io/model_file.hpp"
#include "coenergy/io/simulation_options.hpp"
#include "coenergy/solve/simulate.hpp"
#include "problems.hpp"

namespace {

using namespace coenergy;

constexpr double atol_part = 1e-2;         // of rtol, as in the defaults
constexpr double most_off = 30;            // errors in units of the tolerance
constexpr double reference_error = 1e-11;  // below, the reference itself and round-off are seen
constexpr double instants = 47.3;          // no whole number: rows shall not meet events

struct Prepared {
  compile::Compiled compiled;
  solve::Options options;
};

Prepared prepare(const bench::Problem& problem) {
  model::Model m = problem.example.empty() ? io::parse_model(problem.text, problem.name)
                                           : io::read_model(std::filesystem::path(BENCH_EXAMPLES) / problem.example);
  std::erase_if(m.simulate, [](const auto& entry) { return entry.first != "t_end"; });
  solve::Options options = io::read_simulation_options(m);
  if (problem.t_end > 0) options.t_end = problem.t_end;
  options.output_step = options.t_end / instants;
  options.record_events = false;
  options.signals = problem.signals;
  if (options.signals.empty())
    for (const auto& plot : m.plots)
      model::Plot::visit_signals(plot, [&](const model::Value& name) {
        if (name.text.rfind("energy.", 0) != 0) options.signals.push_back(name.text);
      });
  return {compile::compile(m, domains::make_standard_registry()), options};
}

double user_time() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return double(usage.ru_utime.tv_sec) + 1e-6 * double(usage.ru_utime.tv_usec);
}

struct Worst {
  double error = 0;
  std::string signal;
};

/// Largest error of all signals, relative to their sizes; nothing where rows are missing.
std::optional<Worst> compute_error(const solve::Result& result, const solve::Result& reference) {
  if (result.times.size() != reference.times.size()) return std::nullopt;
  const std::size_t n = reference.names.size();
  std::vector<double> size(n);
  std::map<std::string, double> of_unit;
  for (std::size_t i = 0; i < reference.times.size(); ++i)
    for (std::size_t k = 0; k < n; ++k) {
      size[k] = std::max(size[k], std::abs(reference.row(i)[k]));
      of_unit[reference.units[k]] = std::max(of_unit[reference.units[k]], size[k]);
    }
  Worst worst;
  for (std::size_t i = 0; i < reference.times.size(); ++i)
    for (std::size_t k = 0; k < n; ++k) {
      const double scale = std::max(size[k], 1e-3 * of_unit[reference.units[k]]);
      const double error = scale > 0 ? std::abs(result.row(i)[k] - reference.row(i)[k]) / scale : 0;
      if (error > worst.error) worst = {error, reference.names[k]};
    }
  return worst;
}

struct Study {
  std::vector<std::string> names, methods, files;
  std::vector<double> tolerances;
  bool checks = false;
  int missed = 0;

  bool wants(const bench::Problem& p) const {
    return names.empty() || std::find(names.begin(), names.end(), p.name) != names.end();
  }
  void miss(const std::string& text) {
    ++missed;
    fmt::print("    MISSED: {}\n", text);
  }
  void run(const bench::Problem& problem);
  void run(const bench::Problem& problem, const Prepared& prepared, const std::string& method,
           const solve::Result& reference);
};

void Study::run(const bench::Problem& problem, const Prepared& prepared, const std::string& method,
                const solve::Result& reference) {
  double before = INFINITY;
  for (const double tolerance : tolerances) {
    solve::Options options = prepared.options;
    options.method = method, options.rtol = tolerance, options.atol = atol_part * tolerance;
    const double begin = user_time();
    const solve::Result result = solve::simulate(prepared.compiled.system, options);
    const double time = user_time() - begin;
    const auto worst = result.status == solve::Status::done ? compute_error(result, reference) : std::nullopt;
    const solve::Statistics& s = result.statistics;
    if (!worst) {
      fmt::print("  {:<18} {:8.0e}   {}\n", method, tolerance, result.text);
      if (method == solve::Options{}.method) miss("the default method does not reach the end");
      continue;
    }
    const double error = worst->error;
    fmt::print("  {:<18} {:8.0e} {:10.2e} {:9.2f} {:8} {:8} {:8} {:9} {:8} {:8.3f}  {}\n", method, tolerance, error,
               error / tolerance, s.steps, s.rejected, s.newton_failures, s.residuals, s.jacobians, time,
               worst->signal);
    std::fflush(stdout);
    if (method == solve::Options{}.method && !problem.chaotic &&
        error > std::max(most_off * tolerance, reference_error))
      miss(fmt::format("the default method is off by {:.0f} tolerances", error / tolerance));
    if (error > std::max(1.5 * before, reference_error))
      miss(fmt::format("{} gets worse as the tolerance is tightened: {:.1e} after {:.1e}", method, error, before));
    before = std::max(error, reference_error);
  }
}

void Study::run(const bench::Problem& problem) {
  const Prepared prepared = prepare(problem);
  solve::Options options = prepared.options;
  options.method = !problem.reference.empty() ? problem.reference : problem.stiff ? "radau" : "dop853";
  options.rtol = options.atol = 1e-13;
  const solve::Result reference = solve::simulate(prepared.compiled.system, options);
  fmt::print("\n{}: {} rows by {} at 1e-13{}\n", problem.name, reference.times.size(), options.method,
             reference.status == solve::Status::done ? "" : ", which failed: " + reference.text);
  if (reference.status != solve::Status::done) return miss("no reference");
  for (const std::string& method : methods) {
    const bool is_unfit = problem.stiff && solve::is_explicit(method);
    if (solve::has_error_estimate(method) && !is_unfit) run(problem, prepared, method, reference);
  }
}

}  // namespace

int main(int argc, char** argv) {
  Study study;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (option == "--check")
      study.checks = true;
    else if (i + 1 < argc && option == "--problem")
      study.names.emplace_back(argv[++i]);
    else if (i + 1 < argc && option == "--file")
      study.files.emplace_back(argv[++i]);
    else if (i + 1 < argc && option == "--method")
      study.methods.emplace_back(argv[++i]);
    else if (i + 1 < argc && option == "--tolerance")
      study.tolerances.push_back(std::atof(argv[++i]));
    else
      return fmt::print(stderr, "unknown option {}\n", option), 2;
  }
  if (study.methods.empty()) study.methods = {"radau", "esdirk", "dopri", "dop853", "generalized-alpha"};
  if (study.tolerances.empty()) study.tolerances = {1e-3, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12};
  fmt::print("  {:<18} {:>8} {:>10} {:>9} {:>8} {:>8} {:>8} {:>9} {:>8} {:>8}  {}\n", "method", "asked", "error",
             "error/asked", "steps", "rejected", "repeated", "residuals", "jacobians", "user s", "worst signal");
  for (const bench::Problem& problem : bench::problems()) try {
      if (study.wants(problem)) study.run(problem);
    } catch (const Error& e) {
      study.miss(e.what());
    }
  fmt::print("\n{} missed\n", study.missed);
  return study.checks && study.missed > 0 ? 1 : 0;
}
