#include <cstring>

#include "report.hpp"

/// Figures of the symbolic engine against their limits. Options: --sympy (a minute more), --no-gcc, --strict (exit
/// status 1 where a limit is missed).
int main(int argc, char** argv) {
  bench::Options options;
  bool strict = false;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--sympy") == 0) options.sympy = true;
    if (std::strcmp(argv[i], "--no-gcc") == 0) options.gcc = false;
    if (std::strcmp(argv[i], "--strict") == 0) strict = true;
  }
  bench::Report report;
  bench::run_chain(report);
  bench::run_nodes(report);
  bench::run_lagrange(report, options);
  bench::run_native(report, options);
  std::printf("\n%d limits missed\n", report.missed());
  return strict && report.missed() > 0 ? 1 : 0;
}
