#include "coenergy/solve/initialize.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "coenergy/base/error.hpp"
#include "coenergy/solve/projection.hpp"
#include "coenergy/solve/settle.hpp"
#include "coenergy/solve/static_newton.hpp"

namespace coenergy::solve {
namespace {

using system::Evaluator;
using system::Point;
using system::System;

std::vector<char> fixed_coordinates(const System& s) {
  std::vector<char> fixed(s.nv());
  for (int i = 0; i < s.nv(); ++i) fixed[i] = s.unknown(i).fixed;
  return fixed;
}

/// Names of the marked coordinates that a constraint restricts.
std::string concerned(const System& s, const math::Matrix& phi_q, int constraint, const std::vector<char>& marked) {
  std::vector<std::string> names;
  for (int i = 0; i < s.nv(); ++i)
    if (marked[i] && phi_q(constraint, i) != 0) names.push_back(s.unknown(i).name);
  return fmt::format("{}", fmt::join(names, ", "));
}

[[noreturn]] void throw_conflict(const System& s, const math::Matrix& phi_q,
                                 const ConstraintProjection::Outcome& outcome, const std::vector<char>& fixed,
                                 const char* what) {
  const std::string& row = s.row_name(s.nv() + outcome.constraint);
  const std::string names = concerned(s, phi_q, outcome.constraint, fixed);
  if (names.empty() && what == std::string("velocities"))
    throw Error(fmt::format(
        "no velocities fit constraint {} (violated by {:.3g}): drives, joints or constraints hold one motion "
        "in different ways; remove one of them",
        row, outcome.violation));
  if (names.empty())
    throw Error(
        fmt::format("start {} cannot be made to fit constraint {} (violated by {:.3g}); choose start values "
                    "nearer to a possible configuration, or dimensions with which the loop can close",
                    what, row, outcome.violation));
  throw Error(
      fmt::format("given start {} of {} contradict constraint {} (violated by {:.3g}); leave at least one of them "
                  "free, or choose values that fit",
                  what, names, row, outcome.violation));
}

void assemble_positions(Evaluator& evaluator, ConstraintProjection& projection, Point& p) {
  const System& s = evaluator.system();
  const std::vector<char> fixed = fixed_coordinates(s);
  evaluator.normalize(p.q);
  const auto outcome = projection.project_position(p, fixed);
  if (!outcome.good) throw_conflict(s, projection.constraint_matrix(p), outcome, fixed, "positions");
}

void project_velocities(Evaluator& evaluator, ConstraintProjection& projection, Point& p,
                        std::vector<std::string>& notes) {
  const System& s = evaluator.system();
  std::vector<char> fixed = fixed_coordinates(s);
  for (int i = 0; i < s.nv(); ++i) fixed[i] = fixed[i] || s.unknown(i).fixed_rate;
  const std::vector<double> given = p.v;
  if (projection.project_velocity(p, fixed).good) return;

  // a velocity of zero may not have been meant: it yields
  for (int i = 0; i < s.nv(); ++i) fixed[i] = fixed[i] && given[i] != 0;
  p.v = given;
  const auto outcome = projection.project_velocity(p, fixed);
  if (!outcome.good) throw_conflict(s, projection.constraint_matrix(p), outcome, fixed, "velocities");
  for (int i = 0; i < s.nv(); ++i)
    if (s.unknown(i).fixed && std::abs(p.v[i] - given[i]) > 1e-9 * s.unknown(i).nominal)
      notes.push_back(
          fmt::format("start velocity of {} is {:g} because of the constraints", s.unknown(i).name, p.v[i]));
}

/// What is wrong with a model whose equations leave an unknown open, by the kind of the unknown.
const char* reason(const System& s, int unknown) {
  if (unknown < s.nv())
    return ": nothing with mass or inertia moves with it; give the part a mass or inertia, or hold it";
  if (unknown < s.nv() + s.nl())
    return ": its constraint holds nothing that the others do not hold already; remove one of them";
  return ": nothing fixes it, or two parts fix the same quantity (two sources on one node, a source on a storage, a "
         "loop "
         "of signals without a solution); check what is connected there";
}

/// Start values of variables that follow from others are kept only if they fit.
void check_dependent_starts(const System& s, const Point& p) {
  ErrorList errors;
  const int first = s.nv() + s.nl() + s.nx();
  for (const system::DependentStart& d : s.dependent_starts()) {
    const double given = s.start().y[d.algebraic], found = p.y[d.algebraic];
    const system::UnknownInfo& info = s.unknown(first + d.algebraic);
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

Point sized_start(const System& s, const Options& options) {
  Point p = s.start();
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
  p = sized_start(s, options);

  // positions and velocities, with the modes that belong to the start values: constraints may depend on them
  ConstraintProjection projection(evaluator, statistics);
  const std::vector<double> start_modes = p.d;
  evaluator.update_modes(p);
  assemble_positions(evaluator, projection, p);
  project_velocities(evaluator, projection, p, start.notes);
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

  // a start at rest needs no consistent one before, unless samples are taken from it
  const Point given = p;
  const bool steady = options.start == "steady";
  if (steady && evaluator.updates(p, true).empty()) {
    settle_start(evaluator, options, events, statistics, start);
    if (start.good) return start;
    p = given;
  }

  // accelerations, multipliers, rates and algebraic variables
  const NewtonReport report = restart(events.newton(), p);
  if (!report.converged) p = given;
  start.good = report.converged || StaticNewton(evaluator, statistics).solve_anyhow(p, 0);
  if (!start.good && report.singular && report.singular_column >= 0)
    throw Error(report.text(s) + reason(s, report.singular_column));
  if (!start.good)
    start.text = fmt::format("no consistent start at t = {:g} s: Newton did not converge; {}", p.t, report.text(s));

  // first samples and modes
  if (start.good) {
    settle_comparisons(evaluator, events.newton(), p, options.max_event_passes);
    const EventHandler::Outcome outcome = events.pass(p);
    start.good = outcome.good;
    if (!outcome.good) start.text = fmt::format("no consistent start at t = {:g} s: {}", p.t, outcome.text);
  }
  if (steady) settle_start(evaluator, options, events, statistics, start);
  if (start.good && !steady && options.states.empty()) check_dependent_starts(s, p);
  return start;
}

std::vector<int> find_redundant_constraints(Evaluator& evaluator, const Point& p) {
  Statistics statistics;
  ConstraintProjection projection(evaluator, statistics);
  return find_dependent_rows(projection, p);
}

}  // namespace coenergy::solve
