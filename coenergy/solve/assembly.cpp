#include "coenergy/solve/assembly.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "coenergy/math/rotation.hpp"

namespace coenergy::solve {
namespace {

constexpr double damping = 1e-10;       // of redundant constraints, relative to the equilibrated matrix
constexpr double small_change = 1e-12;  // relative; the next correction would be its square
constexpr double satisfied = 1e-9;      // of a constraint, in units of the coordinates it restricts
constexpr double following = 1e-8;      // weight of coordinates that follow: others take 1e-8 of what they can take
constexpr double unmoved = 1e-6;        // nominal values; a coordinate that moved less need not move at all
constexpr int max_iterations = 100;
constexpr int pulled_iterations = 30;  // later corrections are no longer drawn towards the guess: quadratic convergence
constexpr double largest_move = 0.5;   // of a coordinate at a time, of its size or nominal value

math::Quaternion quaternion_at(const std::vector<double>& q, int scalars, int turn) {
  const double* p = q.data() + scalars + 4 * ((turn - scalars) / 3);
  return {p[0], p[1], p[2], p[3]};
}

}  // namespace

Assembly::Assembly(equations::Evaluator& evaluator, Statistics& statistics, bool rigid)
    : evaluator_(&evaluator),
      statistics_(&statistics),
      s_(evaluator.system()),
      tangent_(s_),
      rows_(evaluator),
      nl_(s_.nl()) {
  number_unknowns(rigid);
  make_pattern();
}

void Assembly::number_unknowns(bool rigid) {
  coordinates_.resize(s_.nv());
  const auto& bodies = s_.flexible_bodies();
  if (rigid)
    for (int b = 0; b < static_cast<int>(bodies.size()); ++b) {
      const double weight = s_.unknown(bodies[b][0].x[0]).follows ? following : 1;
      for (int k = 0; k < static_cast<int>(bodies[b].size()); ++k)
        for (int i = 0; i < 3; ++i) {
          coordinates_[bodies[b][k].x[i]] = {nz_, b, k, i, false};
          coordinates_[bodies[b][k].turn + i] = {nz_, b, k, i, true};
        }
      for (int part = 0; part < 6; ++part) unknowns_.push_back({b, part, 0, weight});
      nz_ += 6;
    }
  for (int i = 0; i < s_.nv(); ++i) {
    if (coordinates_[i].body >= 0) continue;
    const equations::UnknownInfo& info = s_.unknown(i);
    coordinates_[i].first = nz_++;
    unknowns_.push_back({-1, 0, i, (info.follows ? following : 1) / (info.nominal * info.nominal)});
  }
}

void Assembly::make_pattern() {
  // entries of Φ_z, by column and row; several entries of Φ_q may meet in one
  std::map<std::pair<int, int>, int> place_of;
  for (const ConstraintRows::Entry& e : rows_.entries()) {
    const Coordinate& c = coordinates_[e.coordinate];
    for (int part = 0; part < (c.body < 0 ? 1 : 6); ++part) place_of[{c.first + part, e.constraint}] = 0;
  }
  std::vector<std::vector<int>> columns_of(nl_);
  column_start_.assign(1, 0);
  auto next = place_of.begin();
  for (int z = 0; z < nz_; ++z) {
    diagonal_.push_back(static_cast<int>(row_.size()));
    row_.push_back(z);
    for (; next != place_of.end() && next->first.first == z; ++next) {
      next->second = static_cast<int>(row_.size());
      row_.push_back(nz_ + next->first.second);
      columns_of[next->first.second].push_back(z);
    }
    column_start_.push_back(static_cast<int>(row_.size()));
  }
  for (const std::vector<int>& columns : columns_of) {
    row_.insert(row_.end(), columns.begin(), columns.end());
    column_start_.push_back(static_cast<int>(row_.size()));
  }
  for (int k = 0; k < static_cast<int>(rows_.entries().size()); ++k) {
    const ConstraintRows::Entry& e = rows_.entries()[k];
    const Coordinate& c = coordinates_[e.coordinate];
    for (int part = 0; part < (c.body < 0 ? 1 : 6); ++part) {
      const std::vector<int>& columns = columns_of[e.constraint];
      const auto at = std::lower_bound(columns.begin(), columns.end(), c.first + part) - columns.begin();
      places_.push_back({place_of[{c.first + part, e.constraint}],
                         column_start_[nz_ + e.constraint] + static_cast<int>(at), e.coordinate, part, k});
    }
  }
  std::vector<int> multipliers(nl_);
  std::iota(multipliers.begin(), multipliers.end(), nz_);
  lu_.emplace(nz_ + nl_, column_start_, row_, multipliers);
  lu_->set_damping(damping);
  values_.resize(row_.size());
  rhs_.resize(nz_ + nl_);
  moved_.resize(nz_);
  dq_.resize(s_.nv());
}

std::array<double, 6> Assembly::row_of_map(const equations::Point& p, const Coordinate& c) const {
  if (c.body < 0) return {1, 0, 0, 0, 0, 0};
  const std::vector<equations::FlexibleNode>& nodes = s_.flexible_bodies()[c.body];
  std::array<double, 6> row{};
  if (c.turns) {
    const int scalars = s_.nv() - 3 * (s_.nq() - s_.nv());
    const math::Matrix3 R = math::rotation_matrix(quaternion_at(p.q, scalars, nodes[c.node].turn));
    for (int i = 0; i < 3; ++i) row[3 + i] = R[i][c.axis];
    return row;
  }
  // (ω × r)_i = ω_j r_k − ω_k r_j
  row[c.axis] = 1;
  const int j = (c.axis + 1) % 3, k = (c.axis + 2) % 3;
  row[3 + j] = p.q[nodes[c.node].x[k]] - p.q[nodes[0].x[k]];
  row[3 + k] = -(p.q[nodes[c.node].x[j]] - p.q[nodes[0].x[j]]);
  return row;
}

bool Assembly::factor(const equations::Point& p, equations::Level level) {
  rows_.differentiate(p);
  ++statistics_->factorizations;
  std::fill(values_.begin(), values_.end(), 0.0);
  for (int z = 0; z < nz_; ++z) values_[diagonal_[z]] = unknowns_[z].weight;
  int coordinate = -1;
  std::array<double, 6> row{};
  for (const Place& place : places_) {
    const ConstraintRows::Entry& e = rows_.entries()[place.entry];
    const Coordinate& c = coordinates_[place.coordinate];
    if (place.coordinate != coordinate) coordinate = place.coordinate, row = row_of_map(p, c);
    const bool left_out = (level == equations::Level::position && s_.is_velocity_constraint(e.constraint)) ||
                          is_fixed(unknowns_[c.first]) || rows_.is_negligible(e);
    if (left_out) continue;
    const double value = rows_.derivative(e) * row[place.part];
    values_[place.in_matrix] += value, values_[place.in_transpose] += value;
  }
  return lu_->factor(values_);
}

/// The part of the correction after which no coordinate has moved too far.
double Assembly::limited(const equations::Point& p) const {
  double largest = 0;
  for (int z = 0; z < nz_; ++z) {
    const Unknown& unknown = unknowns_[z];
    const double scale = unknown.body >= 0
                             ? 1
                             : std::max(tangent_.size(p.q, unknown.coordinate), s_.unknown(unknown.coordinate).nominal);
    largest = std::max(largest, std::abs(rhs_[z]) / scale);
  }
  return largest;
}

/// p.q by a part of the correction; flexible bodies by finite turns.
void Assembly::move(equations::Point& p, double factor) {
  const int scalars = s_.nv() - 3 * (s_.nq() - s_.nv());
  for (int z = 0; z < nz_; ++z) rhs_[z] *= factor, moved_[z] += rhs_[z];
  for (int i = 0; i < s_.nv(); ++i) {
    const Coordinate& c = coordinates_[i];
    if (c.body < 0) {
      dq_[i] = rhs_[c.first];
      continue;
    }
    const std::vector<equations::FlexibleNode>& nodes = s_.flexible_bodies()[c.body];
    const math::Vector3 turn{rhs_[c.first + 3], rhs_[c.first + 4], rhs_[c.first + 5]};
    if (c.turns) {
      dq_[i] = math::rotate(math::conjugate(quaternion_at(p.q, scalars, nodes[c.node].turn)), turn)[c.axis];
    } else {
      math::Vector3 r;
      for (int k = 0; k < 3; ++k) r[k] = p.q[nodes[c.node].x[k]] - p.q[nodes[0].x[k]];
      dq_[i] = rhs_[c.first + c.axis] + math::rotate(math::exponential(turn), r)[c.axis] - r[c.axis];
    }
  }
  evaluator_->retract(p.q, dq_);
}

Assembly::Outcome Assembly::iterate(equations::Point& p) {
  Outcome outcome = rows_.measure(equations::Level::position, p), best = outcome;
  if (nl_ == 0) return outcome;
  std::fill(moved_.begin(), moved_.end(), 0.0);
  std::vector<double> best_q = p.q;
  double least = std::numeric_limits<double>::infinity();
  bool is_pulled = true;  // towards the guess
  for (int k = 0; k < max_iterations; ++k) {
    // where nothing can move, what is given must do
    if (!factor(p, equations::Level::position)) break;
    if (k == 0) least = rows_.relative_size(outcome);
    if (k == 0 && rows_.are_closed()) break;
    for (int z = 0; z < nz_; ++z) rhs_[z] = is_pulled ? -unknowns_[z].weight * moved_[z] : 0;
    for (int c = 0; c < nl_; ++c) rhs_[nz_ + c] = -rows_.value(c);
    lu_->solve(rhs_);
    const double largest = limited(p);
    move(p, largest > largest_move ? largest_move / largest : 1);
    outcome = rows_.measure(equations::Level::position, p);
    if (const double size = rows_.relative_size(outcome); size <= least) least = size, best_q = p.q, best = outcome;
    if (!(largest > small_change) && !is_pulled) break;
    // the last corrections are free: they converge quadratically, and damping leaves nothing behind
    is_pulled = is_pulled && k < pulled_iterations && largest > 1e-6;
  }
  // next to a singular position a correction may lead away; nothing is left worse than the best that was seen
  if (rows_.relative_size(outcome) > least && rows_.is_satisfied(best, p, false, satisfied))
    p.q = best_q, outcome = best;
  outcome.good = rows_.is_satisfied(outcome, p, false, satisfied);
  return outcome;
}

void Assembly::approach(equations::Point& p, std::vector<char> fixed) {
  constexpr int steps = 40;
  constexpr double soft = 1e-2;  // relative to the equilibrated matrix
  fixed_ = std::move(fixed);
  lu_->set_damping(soft);
  for (int k = 0; k < steps; ++k) {
    rows_.measure(equations::Level::position, p);
    if (!factor(p, equations::Level::position)) break;
    std::fill(rhs_.begin(), rhs_.begin() + nz_, 0.0);
    for (int c = 0; c < nl_; ++c) rhs_[nz_ + c] = -rows_.value(c);
    lu_->solve(rhs_);
    const double largest = limited(p);
    move(p, largest > largest_move ? largest_move / largest : 1);
  }
  lu_->set_damping(damping);
}

/// Marks coordinates that moved by no more than the weights let through as fixed. Returns whether there are any.
bool Assembly::fix_unmoved(std::span<const double> from, std::span<const double> to) {
  bool any = false;
  for (const Unknown& z : unknowns_) {
    const int i = z.coordinate;
    if (z.body >= 0 || i >= static_cast<int>(from.size()) || fixed_[i] || s_.unknown(i).follows) continue;
    if (from[i] == to[i] || std::abs(to[i] - from[i]) > unmoved * s_.unknown(i).nominal) continue;
    fixed_[i] = 1, any = true;
  }
  return any;
}

/// Whether what is left of the constraints is no more than before, but for round-off.
bool Assembly::is_as_good(const Outcome& later, const Outcome& before) const {
  constexpr double round_off = 1e-14;
  return rows_.relative_size(later) <= rows_.relative_size(before) + round_off;
}

Assembly::Outcome Assembly::close_position(equations::Point& p, std::vector<char> fixed) {
  fixed_ = std::move(fixed);
  const equations::Point start = p;
  const Outcome outcome = iterate(p);
  if (!outcome.good) return outcome;
  // scalar coordinates go back to where they were if they can
  const int scalars = s_.nv() - 3 * (s_.nq() - s_.nv());
  const std::span from(start.q.data(), scalars);
  if (!fix_unmoved(from, std::span(p.q.data(), scalars))) return outcome;
  equations::Point again = p;
  for (int i = 0; i < scalars; ++i)
    if (fixed_[i]) again.q[i] = start.q[i];
  if (const Outcome exact = iterate(again); exact.good && is_as_good(exact, outcome)) {
    p.q = again.q;
    return exact;
  }
  return outcome;
}

Assembly::Outcome Assembly::change_rates(equations::Point& p) {
  Outcome outcome = rows_.measure(equations::Level::velocity, p);
  if (nl_ == 0) return outcome;
  if (!factor(p, equations::Level::velocity))
    return {rows_.is_satisfied(outcome, p, true, satisfied), outcome.constraint, outcome.violation};
  // the equations are linear; the later passes remove what damping and round-off left
  for (int k = 0; k < 3; ++k) {
    std::fill(rhs_.begin(), rhs_.begin() + nz_, 0.0);
    for (int c = 0; c < nl_; ++c) rhs_[nz_ + c] = -rows_.value(c);
    lu_->solve(rhs_);
    for (int i = 0; i < s_.nv(); ++i) {
      const Coordinate& c = coordinates_[i];
      const std::array<double, 6> row = row_of_map(p, c);
      for (int part = 0; part < (c.body < 0 ? 1 : 6); ++part) p.v[i] += row[part] * rhs_[c.first + part];
    }
    outcome = rows_.measure(equations::Level::velocity, p);
  }
  outcome.good = rows_.is_satisfied(outcome, p, true, satisfied);
  return outcome;
}

Assembly::Outcome Assembly::close_velocity(equations::Point& p, std::vector<char> fixed) {
  fixed_ = std::move(fixed);
  const std::vector<double> start = p.v;
  const Outcome outcome = change_rates(p);
  if (!outcome.good) return outcome;
  if (!fix_unmoved(start, p.v)) return outcome;
  equations::Point again = p;
  for (int i = 0; i < s_.nv(); ++i)
    if (fixed_[i]) again.v[i] = start[i];
  if (const Outcome exact = change_rates(again); exact.good && is_as_good(exact, outcome)) {
    p.v = again.v;
    return exact;
  }
  return outcome;
}

}  // namespace coenergy::solve
