// Transient analysis of circuits against ngspice at equal accuracy.
//
// For each program the fastest of many settings (method, tolerance, largest step) is looked for that reaches the
// accuracy asked for, measured at common times against a tight run; then both take turns and the best of several runs
// counts. Times are processor times: of the analysis alone, and of the whole program from start to end.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "programs.hpp"

namespace {

using namespace bench;

int missed = 0;

void expect_at_least(const char* what, double value, double limit) {
  const bool good = value >= limit;
  if (!good) ++missed;
  std::printf("    %-34s %8.2f   limit %.1f   %s\n", what, value, limit, good ? "kept" : "MISSED");
}

/// The fastest setting that reaches the accuracy.
template <class Program>
Setting find_setting(const Circuit& c, const Run& reference, const std::vector<Setting>& settings, Program&& run) {
  Setting best;
  double time = INFINITY;
  for (const Setting& s : settings) {
    const Run r = run(s);
    if (compute_error(c, r, reference) > c.accuracy || r.transient >= time) continue;
    time = r.transient;
    best = s;
  }
  if (!std::isfinite(time)) std::printf("    no setting reaches the accuracy\n");
  return best;
}

std::vector<Setting> make_settings(const Circuit& c, std::initializer_list<const char*> methods,
                                   std::initializer_list<double> tolerances, std::initializer_list<double> parts) {
  std::vector<Setting> settings;
  const double longest = grid_of(c).back() / 10, step = grid_of(c)[0];
  for (const char* method : methods)
    for (const double tolerance : tolerances)
      for (const double part : parts) settings.push_back({tolerance, part > 0 ? part * step : longest, method});
  return settings;
}

void print_setting(const char* program, const Setting& s, double error, const Run& run) {
  std::printf("    %-9s %-6s reltol %.0e  largest step %.2e s  error %.1e  analysis %8.2f ms  program %8.2f ms\n",
              program, s.method.c_str(), s.reltol, s.max_step, error, 1e3 * run.transient, 1e3 * run.process);
}

void compare(const Circuit& c, double limit, int rounds) {
  const double step = grid_of(c)[0];
  const Run reference = run_coenergy(c, {1e-10, step, "radau"}, false, false);
  const Run check = run_ngspice(c, {1e-7, step / 50, "trap"});
  std::printf("\n%s: accuracy %.0e of the largest value; the references of both programs differ by %.1e\n",
              c.name.c_str(), c.accuracy, compute_error(c, check, reference));
  const Setting ours =
      find_setting(c, reference, make_settings(c, {"radau", "esdirk"}, {1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7}, {0, 5, 2}),
                   [&](const Setting& s) { return run_coenergy(c, s, false, false); });
  const Setting theirs = find_setting(
      c, reference,
      make_settings(c, {"trap", "gear"}, {1e-2, 1e-3, 1e-4, 1e-5, 1e-6}, {0, 1, 0.5, 0.2, 0.1, 0.05, 0.02}),
      [&](const Setting& s) { return run_ngspice(c, s); });
  Run a, b;
  a.transient = b.transient = a.process = b.process = INFINITY;
  double error_a = 0, error_b = 0;
  for (int k = 0; k < rounds; ++k) {
    const Run own = run_coenergy(c, ours, true, false), other = run_ngspice(c, theirs);
    error_a = compute_error(c, own, reference), error_b = compute_error(c, other, reference);
    a.transient = std::min(a.transient, own.transient), a.process = std::min(a.process, own.process);
    b.transient = std::min(b.transient, other.transient), b.process = std::min(b.process, other.process);
  }
  print_setting("coenergy", ours, error_a, a);
  print_setting("ngspice", theirs, error_b, b);
  expect_at_least("times faster, analysis", b.transient / a.transient, limit);
  std::printf("    %-34s %8.2f\n", "times faster, whole program", b.process / a.process);
}

/// Time per element must not grow with the size.
void measure_growth() {
  std::printf("\ngrowth with size: RC ladder\n");
  double small_run = 0, small_all = 0;
  for (const int sections : {500, 5000, 50000}) {
    const Circuit c = make_ladder(sections, 1e-3);
    double transient = INFINITY, process = INFINITY;
    for (int k = 0; k < (sections > 10000 ? 2 : 4); ++k) {
      const Run run = run_coenergy(c, {1e-4, 20e-6, "radau"}, true, true);
      transient = std::min(transient, run.transient), process = std::min(process, run.process);
    }
    const double elements = 2.0 * sections;
    std::printf("    %7.0f elements: analysis %8.3f s (%.2f us per element), program %8.3f s (%.2f us per element)\n",
                elements, transient, 1e6 * transient / elements, process, 1e6 * process / elements);
    if (sections == 500) small_run = transient / elements, small_all = process / elements;
    if (sections == 50000) {
      expect_at_least("linear growth over actual, analysis", small_run / (transient / elements), 1);
      expect_at_least("linear growth over actual, program", small_all / (process / elements), 1);
    }
  }
}

}  // namespace

/// Options: --strict (exit status 1 where a limit is missed), --growth (nothing else is measured).
int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  const auto has = [&](const char* option) {
    return std::any_of(argv + 1, argv + argc, [&](const char* a) { return std::strcmp(a, option) == 0; });
  };
  if (has("--growth")) {
  } else if (std::system("ngspice --version > /dev/null 2>&1") != 0) {
    std::printf("ngspice is not installed: no comparison\n");
  } else {
    const std::string folder = BENCH_NETLISTS;
    compare(read_circuit(folder + "/class_e.cir", 1e-3), 5, 7);
    compare(read_circuit(folder + "/buck.cir", 1e-3), 5, 7);
    compare(read_circuit(folder + "/ladder.cir", 1e-4), 3, 5);
  }
  measure_growth();
  std::printf("\n%d limits missed\n", missed);
  return has("--strict") && missed > 0 ? 1 : 0;
}
