#include <fmt/format.h>

#include <random>

#include "coenergy/symbolic/expr.hpp"
#include "report.hpp"

namespace bench {

using namespace coenergy::symbolic;

void run_nodes(Report& report) {
  report.heading("a million random binary operations with sharing");
  std::size_t bytes = 0, nodes = 0;
  const double time = best_time(5, [&] {
    Graph g;
    std::mt19937_64 random(1);
    std::vector<Expr> pool;
    pool.reserve(1'000'100);
    for (int i = 0; i < 100; ++i) pool.push_back(g.symbol("x" + std::to_string(i)));
    for (int i = 0; i < 1'000'000; ++i) {
      const std::uint64_t r = random();
      const Expr a = pool[(r >> 2) % pool.size()], b = pool[(r >> 33) % pool.size()];
      pool.push_back((r & 1) == 0 ? a + b : a * b);
    }
    bytes = g.bytes();
    nodes = g.size();
  });
  report.note(fmt::format("{} nodes", nodes));
  report.at_most("time", time, 0.5, "s");
  report.at_most("memory", static_cast<double>(bytes) * 1e-6, 100, "MB");
}

}  // namespace bench
