#include "coenergy/solve/initialize.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "coenergy/base/error.hpp"
#include "coenergy/equations/row_contents.hpp"
#include "coenergy/math/decompositions.hpp"
#include "coenergy/solve/equilibrium.hpp"
#include "coenergy/solve/projection.hpp"
#include "coenergy/solve/saved_state.hpp"
#include "coenergy/solve/settle.hpp"
#include "coenergy/solve/start_motion.hpp"
#include "coenergy/solve/static_newton.hpp"

namespace coenergy::solve {
namespace {

using equations::Evaluator;
using equations::Point;
using equations::System;

/// Coordinates that share one motion of the mass matrix's null space with the given one: their own accelerations are
/// not determined, their sum is.
std::vector<std::string> find_companions(Evaluator& evaluator, const Point& p, int coordinate) {
  constexpr int most = 300;            // a dense decomposition of more takes longer than the reader waits
  constexpr double noticeable = 1e-3;  // of a vector of unit length
  const System& s = evaluator.system();
  std::vector<std::string> names;
  if (s.nv() > most) return names;
  std::vector<double> values(s.pattern().row.size());
  evaluator.jacobian(p, equations::Level::acceleration, equations::Weights{.a = 1}, values);
  math::Matrix rows(s.nv() + s.nl(), s.nv());
  for (int j = 0; j < s.nv(); ++j)
    for (int e = s.pattern().column_start[j]; e < s.pattern().column_start[j + 1]; ++e)
      if (s.pattern().row[e] < s.nv() + s.nl()) rows(s.pattern().row[e], j) = values[e];
  const math::Matrix open = math::compute_null_space(rows);
  for (int k = 0; k < open.columns; ++k) {
    if (std::abs(open(coordinate, k)) < noticeable) continue;
    for (int i = 0; i < s.nv(); ++i)
      if (std::abs(open(i, k)) > noticeable) names.push_back(s.unknown(i).name);
    break;
  }
  return names;
}

/// What is wrong with a model whose equations leave an unknown open, by the kind of the unknown.
std::string reason(Evaluator& evaluator, const Point& p, int unknown) {
  const System& s = evaluator.system();
  if (unknown < s.nv())
    if (const std::vector<std::string> names = find_companions(evaluator, p, unknown); names.size() > 1)
      return fmt::format(
          ": {} move the same masses in the same way here, a singular position (axes of a chain of turns that are "
          "parallel, for one); start elsewhere, or use a joint without such a position (as: quaternion)",
          fmt::join(names, ", "));
  if (unknown < s.nv())
    return ": nothing with mass or inertia moves with it; give the part a mass or inertia, or hold it";
  if (unknown < s.nv() + s.nl())
    return ": its constraint holds nothing that the others do not hold already; remove one of them";
  if (const std::string& loop = s.unknown(unknown).loop; !loop.empty())
    return fmt::format(
        ": the loop of signals through {} has no solution, or any; change a factor on the way around, or put a state "
        "into it (blocks.FirstOrder)",
        loop);
  return ": nothing fixes it, or two parts fix the same quantity (two sources on one node, a source on a storage, a "
         "loop "
         "of signals without a solution); check what is connected there";
}

/// Whose values meet in the row of an unknown: a diode that blocks names itself, and the coil whose current it stops.
std::string list_contents(const System& s, int unknown) {
  constexpr std::size_t most = 8;
  const std::vector<std::string> names = equations::find_row_contents(s, unknown);
  if (unknown < s.nv() + s.nl() || names.empty() || names.size() > most) return "";
  return fmt::format("; in that row {} {}", names.size() == 1 ? "stands" : "stand", fmt::join(names, ", "));
}

/// Start values of variables that follow from others are kept only if they fit.
void check_dependent_starts(const Evaluator& evaluator, const Point& p) {
  const System& s = evaluator.system();
  const Point start = evaluator.start();
  ErrorList errors;
  const int first = s.nv() + s.nl() + s.nx();
  for (const equations::DependentStart& d : s.dependent_starts()) {
    const double given = start.y[d.algebraic], found = p.y[d.algebraic];
    const equations::UnknownInfo& info = s.unknown(first + d.algebraic);
    if (std::abs(given - found) <= 1e-9 * std::max({std::abs(given), std::abs(found), info.nominal})) continue;
    errors.add({}, fmt::format("{} = {:g} {} contradicts {}, which is {:g} {} at the start; leave it out, or choose "
                               "start values that fit",
                               d.entry, given, info.unit, d.relation, found, info.unit));
  }
  errors.throw_if_any();
}

/// Puts the start at rest and tells how.
void settle_start(Evaluator& evaluator, const Options& options, EventHandler& events, Statistics& statistics,
                  Start& start) {
  const Settled settled = settle(evaluator, options, events, start.point, statistics);
  start.good = settled.good;
  start.text = settled.text;
  start.method = settled.method;
  if (settled.good && settled.method != "Newton's method")
    start.notes.push_back("the operating point was found by " + settled.method);
}

/// The coordinate that would move most; −1 where all are at rest.
int find_moving_coordinate(const System& s, const Point& p) {
  constexpr double rest = 1e-6;  // of the nominal value, in a second
  int worst = -1;
  const auto size = [&](int i) { return std::abs(p.a[i]) / s.unknown(i).nominal; };
  for (int i = 0; i < s.nv(); ++i)
    if (!(size(i) <= (worst < 0 ? rest : size(worst)))) worst = i;
  return worst;
}

/// Static equilibrium of everything, positions as well as states, with time held; then the rates of a run from there.
Settled rest(Evaluator& evaluator, const Options& options, EventHandler& events, Statistics& statistics, Point& p) {
  Equilibrium equilibrium;
  Point at = p;
  {
    const HeldTime time(evaluator);
    for (int pass = 0; pass < options.max_event_passes; ++pass) {
      equilibrium = find_equilibrium(evaluator, at);
      if (!equilibrium.good) return {false, equilibrium.text, ""};
      at = equilibrium.point;
      const bool switched = evaluator.update_comparisons(at) || evaluator.update_modes(at);
      if (!switched) break;
    }
  }
  ConstraintProjection projection(evaluator, statistics);
  if (!projection.project_velocity(at).good) return {false, "drives have no velocity at the equilibrium", ""};
  if (!restart(events.newton(), at).converged) return {false, "no accelerations at the equilibrium", ""};
  p = at;
  return {true, "", equilibrium.method};
}

/// Puts the start at rest, positions and all; a steady start where there is such a position, a static one or none.
void rest_start(Evaluator& evaluator, const Options& options, EventHandler& events, Statistics& statistics,
                Start& start) {
  const System& s = evaluator.system();
  const bool is_static = options.start == "static";
  if (!start.good || s.nv() == 0 || (!is_static && find_moving_coordinate(s, start.point) < 0)) return;
  const Settled settled = rest(evaluator, options, events, statistics, start.point);
  if (settled.good) {
    start.notes.push_back("the start is a static equilibrium, found by " + settled.method);
  } else if (is_static) {
    start.good = false;
    start.text = "start: static: " + settled.text;
  } else {
    const int moving = find_moving_coordinate(s, start.point);
    start.notes.push_back(fmt::format("positions are held: {} would move, with an acceleration of {:.3g}; {}",
                                      s.unknown(moving).name, start.point.a[moving], settled.text));
  }
}

Point sized_start(const Evaluator& evaluator, const Options& options) {
  const System& s = evaluator.system();
  Point p = options.from ? options.from->point : evaluator.start();
  p.t = options.t_start;
  if (!options.states.empty()) p.x = options.states;
  p.q.resize(s.nq()), p.v.resize(s.nv()), p.a.resize(s.nv()), p.lambda.resize(s.nl());
  p.x.resize(s.nx()), p.xd.resize(s.nx()), p.y.resize(s.ny()), p.d.resize(s.nd());
  return p;
}

}  // namespace

Start initialize(Evaluator& evaluator, const Options& options) {
  Statistics statistics;
  EventHandler events(evaluator, options, statistics);
  return initialize(evaluator, options, events, statistics);
}

Start initialize(Evaluator& evaluator, const Options& options, EventHandler& events, Statistics& statistics) {
  const System& s = evaluator.system();
  Start start;
  Point& p = start.point;
  if (options.from) check_same_variables(*options.from, ModelIdentity(evaluator));
  p = sized_start(evaluator, options);

  // positions and velocities, with the modes that belong to the start values: constraints may depend on them
  ConstraintProjection projection(evaluator, statistics);
  const std::vector<double> start_modes = p.d;
  evaluator.update_modes(p);
  std::vector<std::string> moves;
  find_start_motion(evaluator, statistics, p, moves);
  events.check_start(p);
  start.redundancy = find_redundancy(evaluator, projection, p);
  p.d = start_modes;
  if (!start.redundancy.none()) events.newton().damp_multipliers(start.redundancy.always);
  for (int k : start.redundancy.always)
    start.notes.push_back(
        fmt::format("constraint {} follows from the others (redundant); its multiplier is not unique and "
                    "the smallest one is taken",
                    s.row_name(s.nv() + k)));
  for (int k : start.redundancy.here)
    start.notes.push_back(
        fmt::format("constraint {} follows from the others at the start only: a singular position, which the mechanism "
                    "can leave in more than one way",
                    s.row_name(s.nv() + k)));
  start.notes.insert(start.notes.end(), moves.begin(), moves.end());

  // a start at rest needs no consistent one before, unless samples are taken from it
  const Point given = p;
  const bool steady = options.start == "steady" || (options.start == "static" && s.nv() == 0);
  if (steady && evaluator.updates(p, true).empty()) {
    settle_start(evaluator, options, events, statistics, start);
    rest_start(evaluator, options, events, statistics, start);
    if (start.good) return start;
    p = given;
  }

  // accelerations, multipliers, rates and algebraic variables
  const NewtonReport report = restart(events.newton(), p);
  if (!report.converged) p = given;
  if (!report.converged) events.check_bounds(p, true);
  start.good = report.converged || StaticNewton(evaluator, statistics).solve_anyhow(p, 0);
  if (!start.good && report.singular && report.singular_column >= 0)
    throw Error(report.text(s) + reason(evaluator, given, report.singular_column) +
                list_contents(s, report.singular_column));
  if (!start.good)
    start.text = fmt::format("no consistent start at t = {:g} s: Newton did not converge; {}", p.t, report.text(s));

  // first samples and modes
  if (start.good) {
    settle_comparisons(evaluator, events.newton(), p, options.max_event_passes);
    // at the instant of a saved state its samples have been taken
    const bool is_sampled = options.from && options.from->point.t == p.t;
    const EventHandler::Outcome outcome = is_sampled ? events.change_inputs(p) : events.pass(p);
    start.good = outcome.good;
    if (!outcome.good) events.check_bounds(p, false);
    if (!outcome.good) start.text = fmt::format("no consistent start at t = {:g} s: {}", p.t, outcome.text);
  }
  if (steady) settle_start(evaluator, options, events, statistics, start);
  if (options.start != "given") rest_start(evaluator, options, events, statistics, start);
  if (start.good && options.start == "given" && options.states.empty() && !options.from)
    check_dependent_starts(evaluator, p);
  return start;
}

Point find_start_pose(Evaluator& evaluator, const Options& options) {
  Statistics statistics;
  Point p = sized_start(evaluator, options);
  evaluator.update_modes(p);
  std::vector<std::string> moves;
  find_start_motion(evaluator, statistics, p, moves);
  return p;
}

std::vector<int> find_redundant_constraints(Evaluator& evaluator, const Point& p) {
  Statistics statistics;
  ConstraintProjection projection(evaluator, statistics);
  return find_dependent_rows(projection, p);
}

}  // namespace coenergy::solve
