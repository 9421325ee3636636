#include "coenergy/solve/settle.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "coenergy/base/error.hpp"
#include "coenergy/solve/static_newton.hpp"

namespace coenergy::solve {
namespace {

using equations::Evaluator;
using equations::Point;
using equations::System;

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

/// A static solution, then steps from it until neither states nor modes change; false where that fails.
///
/// The ways to a solution may begin elsewhere than at p, and then lead to the same point again though the circuit has
/// no rest: only a step from p itself shows that nothing moves.
bool come_to_rest(Evaluator& evaluator, StaticNewton& newton, Point& p,
                  const std::function<bool(Point&)>& solve_statics) {
  constexpr int most = 50;
  for (int k = 0; k < most; ++k) {
    Point next = p;
    const bool stepped = k > 0 && newton.solve(next, longest_step, 0);
    if (!stepped) {
      next = p;
      if (!solve_statics(next)) return false;
    }
    const bool moved = find_moving(evaluator.system(), p.x, next.x, newton.integrals()) >= 0;
    p = next;
    const bool switched = evaluator.update_comparisons(p) || evaluator.update_modes(p);
    if (stepped && !moved && !switched) return true;
  }
  return false;
}

/// Implicit Euler steps that grow while they succeed; empty, or why they failed.
std::string follow_settling(Evaluator& evaluator, StaticNewton& newton, double span, Point& p) {
  const System& s = evaluator.system();
  double tau = 1e-3 * span;
  bool at_rest = false;
  std::string reason;
  if (s.nx() == 0) return newton.reason();
  for (int k = 0; k < most_steps && !at_rest; ++k) {
    Point next = p;
    if (!newton.solve(next, tau, 0)) {
      reason = newton.reason();
      if ((tau /= 20) < shortest_step * span) break;
      continue;
    }
    const int moving = find_moving(s, p.x, next.x, newton.integrals());
    p = next;
    const bool switched = evaluator.update_comparisons(p) || evaluator.update_modes(p);
    at_rest = moving < 0 && tau >= longest_step && !switched;
    tau = std::min((newton.iterations() <= 2 ? 1000 : 10) * tau, longest_step);
    if (moving >= 0) reason = s.unknown(s.nv() + s.nl() + moving).name + " does not come to rest";
    if (switched) reason = "modes do not settle";
  }
  return at_rest ? "" : reason;
}

/// Tries all ways; returns the one that succeeded, else nothing and why.
std::string find_rest(Evaluator& evaluator, StaticNewton& newton, double span, Point& p, std::string& reason) {
  const std::pair<const char*, std::function<bool(Point&)>> ways[] = {
      {"Newton's method", [&](Point& at) { return newton.solve(at, longest_step, 0); }},
      {"gmin stepping", [&](Point& at) { return newton.solve_by_leaks(at, longest_step); }},
      {"source stepping", [&](Point& at) { return newton.solve_by_sources(at, longest_step); }}};
  for (const auto& [name, way] : ways) {
    Point at = p;
    if (!come_to_rest(evaluator, newton, at, way)) continue;
    p = at;
    return name;
  }
  Point at = p;
  reason = follow_settling(evaluator, newton, span, at);
  const bool has_settled = reason.empty();
  if (!has_settled) {
    at = p;
    const auto by_capacitors = [&](Point& from) { return newton.solve_by_capacitors(from, longest_step); };
    if (!come_to_rest(evaluator, newton, at, by_capacitors)) return "";
  }
  p = at;
  return has_settled ? "settling" : "pseudo-transient stepping";
}

/// Nodes by their names.
std::vector<StaticNewton::Held> find_nodes(const System& s, const std::vector<std::pair<std::string, double>>& given) {
  std::vector<StaticNewton::Held> held;
  if (given.empty()) return held;
  const std::vector<int> nodes = StaticNewton::find_nodes(s);
  std::vector<std::string> known;
  for (int node : nodes) known.push_back(StaticNewton::node_name(s, node));
  for (const auto& [name, value] : given) {
    const auto place = std::find(known.begin(), known.end(), name);
    if (place == known.end())
      throw Error("there is no node \"" + name + "\" whose voltage could be given" + did_you_mean(name, known));
    held.push_back({nodes[place - known.begin()], value});
  }
  return held;
}

}  // namespace

HeldTime::HeldTime(Evaluator& evaluator) : evaluator_(evaluator), rate_(evaluator.system().find_rate("time")) {
  if (rate_ < 0) return;
  before_ = evaluator.parameter(rate_);
  evaluator.set_parameter(rate_, 0);
}

HeldTime::~HeldTime() {
  if (rate_ >= 0) evaluator_.set_parameter(rate_, before_);
}

Settled settle(Evaluator& evaluator, const Options& options, EventHandler& events, Point& p, Statistics& statistics) {
  const System& s = evaluator.system();
  const double span = options.t_end > options.t_start ? options.t_end - options.t_start : 1;
  const std::vector<double> start = p.x;
  StaticNewton newton(evaluator, statistics);

  // a first solution with the guesses held as well, then the one that is wanted
  Settled settled;
  std::string reason;
  const std::vector<StaticNewton::Held> held = find_nodes(s, options.hold);
  std::vector<StaticNewton::Held> guessed = find_nodes(s, options.guess);
  {
    const HeldTime time(evaluator);
    if (!guessed.empty()) {
      guessed.insert(guessed.end(), held.begin(), held.end());
      newton.hold(guessed);
      Point at = p;
      if (!find_rest(evaluator, newton, span, at, reason).empty()) p = at;
    }
    newton.hold(held);
    settled.method = find_rest(evaluator, newton, span, p, reason);
  }
  for (int i = 0; i < s.nx(); ++i)
    if (newton.integrals()[i]) p.x[i] = start[i];
  std::fill(p.xd.begin(), p.xd.end(), 0.0);
  if (settled.method.empty()) return {false, "no operating point: " + reason, ""};

  // rates and algebraic variables that belong to these states; without nodes that are held a rest has them already
  const Point rest = p;
  const EventHandler::Outcome outcome = events.pass(p);
  if (outcome.good) return settled;
  p = rest;
  if (!held.empty()) settled.good = false, settled.text = "no operating point: " + outcome.text;
  return settled;
}

}  // namespace coenergy::solve
