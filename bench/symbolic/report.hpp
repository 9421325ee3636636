#pragma once
#include <time.h>
#include <algorithm>

#include <cstdio>
#include <functional>
#include <string>
#include <vector>

namespace bench {

/// Processor time of this thread: other programs on the machine do not count.
inline double now() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Shortest of several runs, in seconds.
inline double best_time(int runs, const std::function<void()>& f) {
  double best = 1e30;
  for (int i = 0; i < runs; ++i) {
    const double begin = now();
    f();
    best = std::min(best, now() - begin);
  }
  return best;
}

/// Shortest time of one call of each of several functions, in seconds. The functions take turns, so that what disturbs
/// the machine disturbs all of them.
template <class... F>
std::array<double, sizeof...(F)> best_interleaved(int rounds, int calls, const F&... functions) {
  std::array<double, sizeof...(F)> best;
  best.fill(1e30);
  for (int round = 0; round < rounds; ++round) {
    std::size_t i = 0;
    const auto measure = [&](const auto& f) {
      const double begin = now();
      for (int k = 0; k < calls; ++k) f();
      best[i] = std::min(best[i], (now() - begin) / calls);
      ++i;
    };
    (measure(functions), ...);
  }
  return best;
}

/// The table of figures, each with what was promised.
class Report {
 public:
  void heading(const std::string& text) { std::printf("\n%s\n", text.c_str()); }
  void note(const std::string& text) { std::printf("    %s\n", text.c_str()); }
  void at_most(const std::string& what, double value, double limit, const char* unit) {
    line(what, value, limit, unit, "<=", value <= limit);
  }
  void at_least(const std::string& what, double value, double limit, const char* unit) {
    line(what, value, limit, unit, ">=", value >= limit);
  }
  int missed() const { return missed_; }

 private:
  void line(const std::string& what, double value, double limit, const char* unit, const char* relation, bool kept) {
    std::printf("  %-58s %12.5g %-6s %s %-9.5g %s\n", what.c_str(), value, unit, relation, limit,
                kept ? "ok" : "MISSED");
    std::fflush(stdout);
    if (!kept) ++missed_;
  }
  int missed_ = 0;
};

struct Options {
  bool sympy = false;  ///< also run SymPy's Kane method, about a minute
  bool gcc = true;     ///< compare with gcc -O2, half a minute
};

void run_chain(Report& report);
void run_nodes(Report& report);
void run_lagrange(Report& report, const Options& options);
void run_native(Report& report, const Options& options);

}  // namespace bench
