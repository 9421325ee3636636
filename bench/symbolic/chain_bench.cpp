#include <fmt/format.h>

#include "chain.hpp"
#include "report.hpp"

namespace bench {

namespace {

OperationCount count(int joints, std::size_t outputs) {
  Graph g;
  const Chain chain = make_chain(g, joints);
  return make_program(chain.inputs, std::span(chain.torques).first(outputs)).count();
}

double generation_time(int joints) {
  return best_time(joints > 500 ? 3 : 10, [&] {
    Graph g;
    const Chain chain = make_chain(g, joints);
    make_program(chain.inputs, chain.torques);
  });
}

}  // namespace

void run_chain(Report& report) {
  report.heading("inverse dynamics of a serial chain, recursive Newton-Euler, all numbers are parameters");
  const OperationCount seven = count(7, 7), first = count(7, 1);
  report.at_most("7 joints: multiplications", seven.multiplications, 500, "");
  report.at_most("7 joints: additions", seven.additions, 445, "");
  report.note(fmt::format("7 joints: {} functions, {} temporaries", seven.functions, seven.temporaries));
  report.at_most("torque 1 alone: operations", first.total(), seven.total() - 1, "");

  const double t10 = generation_time(10), t100 = generation_time(100), t1000 = generation_time(1000);
  report.note(fmt::format("derivation and lowering: 10 joints {:.2f} ms, 100 joints {:.1f} ms, 1000 joints {:.0f} ms",
                          t10 * 1e3, t100 * 1e3, t1000 * 1e3));
  report.at_most("100 joints over 10 times 10 joints", t100 / (10 * t10), 2, "");
  report.at_most("1000 joints over 10 times 100 joints", t1000 / (10 * t100), 2, "");
}

}  // namespace bench
