#include "coenergy/solve/settle.hpp"

#include <algorithm>
#include <cmath>

#include "coenergy/solve/static_newton.hpp"

namespace coenergy::solve {
namespace {

using system::Evaluator;
using system::Point;
using system::System;

constexpr double still = 1e-9;           // relative change of a state that counts as none
constexpr double longest_step = 1e9;     // s: beyond all time constants, also those of leakage conductances
constexpr double shortest_step = 1e-15;  // of the time of the run
constexpr int most_steps = 300;

/// The state that changed most, relative to its size; −1 if none did.
int find_moving(const System& s, const std::vector<double>& from, const std::vector<double>& to,
                const std::vector<char>& left_out) {
  int which = -1;
  double largest = still;
  for (int i = 0; i < s.nx(); ++i) {
    if (left_out[i]) continue;
    const double size = std::max(std::abs(to[i]), s.unknown(s.nv() + s.nl() + i).nominal);
    const double change = std::abs(to[i] - from[i]) / size;
    if (change > largest) largest = change, which = i;
  }
  return which;
}

}  // namespace

Settled settle(Evaluator& evaluator, const Options& options, EventHandler& events, Point& p, Statistics& statistics) {
  const System& s = evaluator.system();
  const double span = options.t_end > options.t_start ? options.t_end - options.t_start : 1;
  const std::vector<double> start = p.x;
  StaticNewton newton(evaluator, statistics);

  double tau = 1e-3 * span;
  bool at_rest = s.nx() == 0;
  std::string reason;
  for (int k = 0; k < most_steps && !at_rest; ++k) {
    Point next = p;
    if (!newton.solve(next, tau, 0)) {
      reason = newton.reason();
      if ((tau /= 20) < shortest_step * span) break;
      continue;
    }
    const int moving = find_moving(s, p.x, next.x, newton.integrals());
    p = next;
    const bool switched = evaluator.update_modes(p);
    at_rest = moving < 0 && tau >= longest_step && !switched;
    tau = std::min((newton.iterations() <= 2 ? 1000 : 10) * tau, longest_step);
    if (moving >= 0) reason = s.unknown(s.nv() + s.nl() + moving).name + " does not come to rest";
    if (switched) reason = "modes do not settle";
  }
  for (int i = 0; i < s.nx(); ++i)
    if (newton.integrals()[i]) p.x[i] = start[i];
  std::fill(p.xd.begin(), p.xd.end(), 0.0);
  if (!at_rest) return {false, "no operating point: " + reason};

  // rates and algebraic variables that belong to these states
  const EventHandler::Outcome outcome = events.pass(p);
  return {outcome.good, outcome.good ? "" : "no operating point: " + outcome.text};
}

}  // namespace coenergy::solve
