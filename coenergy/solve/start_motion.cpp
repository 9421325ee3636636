#include "coenergy/solve/start_motion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "coenergy/base/error.hpp"
#include "coenergy/math/sparse_rank.hpp"
#include "coenergy/solve/assembly.hpp"
#include "coenergy/solve/strain_relaxation.hpp"

namespace coenergy::solve {
namespace {

using equations::Evaluator;
using equations::Point;
using equations::System;

constexpr double noticeable = 1e-6;    // nominal values: a smaller move of a guess is a matter of its digits
constexpr std::size_t most_named = 8;  // coordinates in a note

std::vector<char> fixed_coordinates(const System& s) {
  std::vector<char> fixed(s.nv());
  for (int i = 0; i < s.nv(); ++i) fixed[i] = s.unknown(i).fixed;
  return fixed;
}

/// Names of the marked coordinates that a constraint restricts.
std::string concerned(const System& s, const ConstraintRows& rows, int constraint, const std::vector<char>& marked) {
  std::vector<std::string> names;
  for (const ConstraintRows::Entry& e : rows.entries())
    if (e.constraint == constraint && marked[e.coordinate] && rows.derivative(e) != 0)
      names.push_back(s.unknown(e.coordinate).name);
  return fmt::format("{}", fmt::join(names, ", "));
}

[[noreturn]] void throw_conflict(const System& s, const ConstraintRows& rows, const ConstraintRows::Outcome& outcome,
                                 const std::vector<char>& fixed, const char* what) {
  const std::string& row = s.row_name(s.nv() + outcome.constraint);
  const std::string names = concerned(s, rows, outcome.constraint, fixed);
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

/// Scalar coordinates whose guess or default had to move.
std::vector<int> find_moved(const System& s, const Point& start, const Point& p) {
  std::vector<int> moved;
  const int scalars = s.nv() - 3 * (s.nq() - s.nv());
  for (int i = 0; i < scalars; ++i) {
    const equations::UnknownInfo& info = s.unknown(i);
    if (!info.follows && !info.fixed && std::abs(p.q[i] - start.q[i]) > noticeable * info.nominal) moved.push_back(i);
  }
  // in an order that no formulation decides
  std::sort(moved.begin(), moved.end(), [&](int a, int b) { return s.unknown(a).name < s.unknown(b).name; });
  return moved;
}

/// How many of the freedoms of coordinates that had to move no given value decides: those of the moved ones and all
/// that follow, less those of what follows alone.
int count_open_freedoms(const System& s, const ConstraintRows& rows, const std::vector<int>& moved) {
  const auto rank = [&](bool with_moved) {
    std::vector<math::Triplet> entries;
    for (const ConstraintRows::Entry& e : rows.entries()) {
      const bool counts = s.unknown(e.coordinate).follows ||
                          (with_moved && std::find(moved.begin(), moved.end(), e.coordinate) != moved.end());
      if (counts && !rows.is_negligible(e)) entries.push_back({e.constraint, e.coordinate, rows.derivative(e)});
    }
    return math::compute_sparse_row_rank(s.nl(), s.nv(), entries).rank;
  };
  return static_cast<int>(moved.size()) - rank(true) + rank(false);
}

/// What assembly made of guesses and defaults.
void tell_moves(const System& s, const ConstraintRows& rows, const Point& start, const Point& p,
                std::vector<std::string>& notes) {
  const std::vector<int> moved = find_moved(s, start, p);
  if (moved.empty()) return;
  std::vector<std::string> moves, names;
  for (int i : moved) {
    const equations::UnknownInfo& info = s.unknown(i);
    moves.push_back(fmt::format("{} from {:.6g} to {:.6g} {}", info.name, start.q[i], p.q[i], info.unit));
    names.push_back(info.name);
  }
  const auto list = [](std::vector<std::string>& all) {
    const std::size_t more = all.size() > most_named ? all.size() - most_named : 0;
    all.resize(all.size() - more);
    return fmt::format("{}{}", fmt::join(all, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
  };
  notes.push_back("start positions that were not given moved to fit the constraints: " + list(moves));
  if (!s.flexible_bodies().empty()) return;
  if (const int open = count_open_freedoms(s, rows, moved); open > 0)
    notes.push_back(fmt::format(
        "{} more start value{} could be given: the constraints leave {} freedom{} of {} open, and all of them "
        "moved as little as possible",
        open, open > 1 ? "s" : "", open, open > 1 ? "s" : "", list(names)));
}

/// Next to a singular position (bars in one line) corrections lead nowhere. Then assembly begins beside the guesses of
/// angles, farther and farther away, and what moved them least is taken.
ConstraintRows::Outcome close_beside_guesses(const System& s, Assembly& assembly, const std::vector<char>& fixed,
                                             const Point& start, Point& p) {
  constexpr int tries = 8;
  constexpr double farthest = 1;           // rad
  constexpr double golden = 0.6180339887;  // multiples of it modulo 1 fill an interval evenly
  std::vector<int> guesses;
  for (int i = 0; i < s.nv() - 3 * (s.nq() - s.nv()); ++i)
    if (s.unknown(i).turns && !s.unknown(i).follows && !fixed[i]) guesses.push_back(i);
  ConstraintRows::Outcome best{false};
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < (guesses.empty() ? 0 : tries); ++k) {
    Point tried = start;
    for (std::size_t j = 0; j < guesses.size(); ++j) {
      const double part = golden * (1 + k + static_cast<double>(j) * (k + 2));
      tried.q[guesses[j]] += farthest * (k + 1) / tries * (2 * (part - std::floor(part)) - 1);
    }
    assembly.approach(tried, fixed);
    const ConstraintRows::Outcome outcome = assembly.close_position(tried, fixed);
    double moved = 0;
    for (int i : guesses) moved += (tried.q[i] - start.q[i]) * (tried.q[i] - start.q[i]);
    if (outcome.good && moved < least) least = moved, best = outcome, p.q = tried.q;
  }
  return best;
}

/// "rod 0.31 J, coupler 0.002 J": the bodies that hold strain energy, those with most first.
std::string list_strained(const System& s, const std::vector<double>& energies) {
  std::vector<std::pair<double, std::string>> bodies;
  double all = 0;
  for (double energy : energies) all += std::abs(energy);
  for (std::size_t b = 0; b < energies.size(); ++b) {
    const std::string& node = s.unknown(s.flexible_bodies()[b].front().x[0]).name;  // BODY.n0.x
    if (std::abs(energies[b]) > 1e-6 * all) bodies.emplace_back(energies[b], node.substr(0, node.rfind(".n")));
  }
  std::stable_sort(bodies.begin(), bodies.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> texts;
  for (const auto& [energy, name] : bodies) texts.push_back(fmt::format("{} holds {:.3g} J", name, energy));
  return fmt::format("{}", fmt::join(texts, ", "));
}

void find_positions(Evaluator& evaluator, Statistics& statistics, Assembly& rigid, Point& p,
                    std::vector<std::string>& notes) {
  const System& s = evaluator.system();
  const std::vector<char> fixed = fixed_coordinates(s);
  evaluator.normalize(p.q);
  const Point start = p;
  ConstraintRows::Outcome outcome = rigid.close_position(p, fixed);
  if (!outcome.good)
    if (const ConstraintRows::Outcome beside = close_beside_guesses(s, rigid, fixed, start, p); beside.good)
      outcome = beside;
  if (!outcome.good && !s.flexible_bodies().empty()) {
    // with the least strain from the nearest position without; what is left are digits
    const StrainRelaxation relaxed = relax_strain(evaluator, statistics, fixed, p);
    if (!relaxed.good) p = start;
    Assembly strained(evaluator, statistics, false);
    outcome = strained.close_position(p, fixed);
    if (outcome.good)
      notes.push_back("the constraints strain flexible bodies at the start" +
                      (relaxed.good ? ": " + list_strained(s, relaxed.energies) : std::string()));
  }
  if (!outcome.good) throw_conflict(s, rigid.rows(), outcome, fixed, "positions");
  tell_moves(s, rigid.rows(), start, p, notes);
}

/// Velocities on the constraints with fewer and fewer of the given ones kept.
ConstraintRows::Outcome find_velocities(const System& s, Assembly& assembly, const std::vector<double>& given,
                                        std::vector<char>& fixed, Point& p) {
  enum class Yielding { none, implied_zeros, zeros };
  ConstraintRows::Outcome outcome;
  for (const Yielding yielding : {Yielding::none, Yielding::implied_zeros, Yielding::zeros}) {
    for (int i = 0; i < s.nv(); ++i) {
      const equations::UnknownInfo& info = s.unknown(i);
      const bool yields =
          given[i] == 0 && (yielding == Yielding::zeros || (yielding == Yielding::implied_zeros && !info.fixed_rate));
      fixed[i] = (info.fixed || info.fixed_rate) && !yields;
    }
    p.v = given;
    outcome = assembly.close_velocity(p, fixed);
    if (outcome.good) break;
  }
  return outcome;
}

void find_velocities(Evaluator& evaluator, Statistics& statistics, Assembly& rigid, Point& p,
                     std::vector<std::string>& notes) {
  const System& s = evaluator.system();
  const std::vector<double> given = p.v;
  std::vector<char> fixed(s.nv());
  ConstraintRows::Outcome outcome = find_velocities(s, rigid, given, fixed, p);
  if (!outcome.good && !s.flexible_bodies().empty()) {
    Assembly strained(evaluator, statistics, false);
    outcome = find_velocities(s, strained, given, fixed, p);
  }
  if (!outcome.good) throw_conflict(s, rigid.rows(), outcome, fixed, "velocities");
  for (int i = 0; i < s.nv(); ++i)
    if (s.unknown(i).fixed && std::abs(p.v[i] - given[i]) > 1e-9 * s.unknown(i).nominal)
      notes.push_back(
          fmt::format("start velocity of {} is {:g} because of the constraints", s.unknown(i).name, p.v[i]));
}

}  // namespace

void find_start_motion(Evaluator& evaluator, Statistics& statistics, Point& p, std::vector<std::string>& notes) {
  Assembly assembly(evaluator, statistics, true);
  find_positions(evaluator, statistics, assembly, p, notes);
  find_velocities(evaluator, statistics, assembly, p, notes);
}

}  // namespace coenergy::solve
