// Cost of a run: stiff problems with published end values against IDA, growth with the number of bodies, and against an
// earlier program.
//
//   bench_solve [--before PROGRAM] [--bodies N] [--only stiff|growth|before] [--problem NAME] [--strict]
//
// All times are processor times, the best of several runs, in turns. --strict ends with status 1 where a limit is missed.
#include <fmt/format.h>

#include <cstdlib>
#include <string>

#include "sections.hpp"

int main(int argc, char** argv) {
  std::string before, only, problem;
  int bodies = 1000;
  bool is_strict = false;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (option == "--strict")
      is_strict = true;
    else if (i + 1 < argc && option == "--before")
      before = argv[++i];
    else if (i + 1 < argc && option == "--problem")
      problem = argv[++i];
    else if (i + 1 < argc && option == "--only")
      only = argv[++i];
    else if (i + 1 < argc && option == "--bodies")
      bodies = std::atoi(argv[++i]);
    else
      return fmt::print(stderr, "unknown option {}\n", option), 2;
  }
  bench::Report report;
  const auto wants = [&](const char* section) { return only.empty() || only == section; };
#ifdef BENCH_IDA
  if (wants("stiff")) bench::run_stiff(report, problem);
#else
  if (wants("stiff")) fmt::print("SUNDIALS is not installed: no comparison with IDA\n");
#endif
  if (wants("growth")) bench::run_growth(report, bodies);
  if (!before.empty() && wants("before")) bench::run_before(report, BENCH_COENERGY, before);
  fmt::print("\n{} limits missed\n", report.missed());
  return is_strict && report.missed() > 0 ? 1 : 0;
}
