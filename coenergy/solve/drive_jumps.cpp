#include "coenergy/solve/drive_jumps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "coenergy/equations/data.hpp"
#include "coenergy/math/decompositions.hpp"
#include "coenergy/solve/impulses.hpp"

namespace coenergy::solve {

using equations::Level;
using equations::Point;
using equations::System;

namespace {
constexpr double nothing = 1e-13;    // of a constraint: round-off
constexpr double late = 10;          // instants: an event is not found later than this
constexpr double negligible = 1e-9;  // relative: of a direction or coefficient that is none
}  // namespace

DriveJumps::DriveJumps(equations::Evaluator& evaluator, const Options& options, Statistics& statistics)
    : evaluator_(&evaluator), options_(options), projection_(evaluator, statistics) {
  const System& s = evaluator.system();
  now_.resize(s.n()), then_.resize(s.n()), position_.resize(s.nl()), velocity_.resize(s.nl());
}

/// What the modes alone change in the constraints. False where nothing does.
bool DriveJumps::find_changes(const Point& p, const std::vector<double>& before) {
  const System& s = evaluator_->system();
  if (s.nl() == 0 || p.d == before) return false;
  other_ = p;
  other_.d = before;
  for (const Level level : {Level::position, Level::velocity}) {
    evaluator_->residual(p, level, now_);
    evaluator_->residual(other_, level, then_);
    for (int k = 0; k < s.nl(); ++k)
      (level == Level::position ? position_ : velocity_)[k] = now_[s.nv() + k] - then_[s.nv() + k];
  }
  worst_ = -1, jump_ = 0, velocities_jump_ = false;
  const double moment = late * same_instant(options_, p.t);
  for (int k = 0; k < s.nl(); ++k) {
    if (s.is_velocity_constraint(k)) position_[k] = 0;
    velocities_jump_ = velocities_jump_ || std::abs(velocity_[k]) > nothing;
    // a corner found a moment late is no jump
    const bool jumps = std::abs(position_[k]) > nothing + moment * std::abs(velocity_[k]);
    if (jumps && std::abs(position_[k]) > std::abs(jump_)) worst_ = k, jump_ = position_[k];
  }
  return worst_ >= 0 || velocities_jump_;
}

/// The name of what would be dragged along by an infinite velocity on the way, empty where nothing is; and the unit of
/// the way.
std::string DriveJumps::find_dragged(const Point& from, const Point& to, std::string& unit) {
  const System& s = evaluator_->system();
  const System::Data& data = s.data();
  const Tangent tangent(s);
  std::vector<double> way(s.nv());
  tangent.difference(from.q, to.q, way);
  double longest = 0;
  for (int i = 0; i < s.nv(); ++i)
    if (std::abs(way[i]) > longest) longest = std::abs(way[i]), unit = s.unknown(i).unit;
  const math::Matrix free = math::compute_null_space(projection_.constraint_matrix(to));
  const auto is_free = [&](int i) {
    double size = 0;
    for (int j = 0; j < free.columns; ++j) size += std::abs(free(i, j));
    return size > negligible;
  };
  const equations::SparsePattern& pattern = s.pattern();
  std::vector<double> inertia(pattern.row.size()), damping(pattern.row.size()), by_rate(pattern.row.size());
  evaluator_->jacobian(to, Level::acceleration, {.a = 1, .xd = 1}, inertia);
  evaluator_->jacobian(to, Level::acceleration, {.v = 1}, damping);
  evaluator_->jacobian(from, Level::acceleration, {.v = 1}, by_rate);
  const int first_x = s.nv() + s.nl();
  for (int i = 0; i < s.nv(); ++i) {
    if (std::abs(way[i]) <= negligible * longest) continue;
    for (int e = pattern.column_start[i]; e < pattern.column_start[i + 1]; ++e) {
      const int row = pattern.row[e];
      const bool acts = inertia[e] != 0 || damping[e] != 0 || by_rate[e] != 0;
      const bool is_account = data.dissipated_state >= 0 && row >= first_x + data.dissipated_state - 1 &&
                              row <= first_x + data.dissipated_state;
      if (!acts || is_account || (row >= s.nv() && row < first_x)) continue;
      if (row >= first_x || is_free(row)) return std::string(s.unknown(row).owner());
    }
  }
  return "";
}

/// The drives' impulse, with which velocities fit again.
bool DriveJumps::change_velocities(Point& p) {
  const System& s = evaluator_->system();
  for (const auto& [discrete, value] : s.data().modes_at_impact) p.d[discrete] = value;
  Impulses impulses(*evaluator_, p);
  if (!impulses.good()) return false;
  for (int pass = 0; pass < 2; ++pass) {
    evaluator_->residual(p, Level::velocity, now_);
    std::vector<double> jumps(s.n(), 0.0);
    for (int k = 0; k < s.nl(); ++k) jumps[s.nv() + k] = -now_[s.nv() + k];
    impulses.solve(jumps);
    impulses.apply(jumps, 1, p);
  }
  return true;
}

DriveJumps::Outcome DriveJumps::pass(Point& p, const std::vector<double>& before) {
  if (!find_changes(p, before)) return {};
  const System& s = evaluator_->system();
  const double stored = s.data().dissipated_state >= 0 ? evaluator_->energy(p).stored : 0;
  const Point from = p;
  if (!projection_.project_position(p).good)
    return {true, true, false,
            fmt::format("the drive of {} jumps by {:.6g} to where no position fits the constraints",
                        s.row_name(s.nv() + std::max(worst_, 0)), -jump_)};
  std::string unit;
  if (worst_ >= 0)
    if (const std::string dragged = find_dragged(from, p, unit); !dragged.empty())
      return {true, true, false,
              fmt::format("the drive of {} jumps by {:.6g} {} in no time, at an infinite velocity that acts on {}: "
                          "let the drive change over some time (a ramp), or put a spring between",
                          s.row_name(s.nv() + worst_), -jump_, unit, dragged)};
  if (!change_velocities(p))
    return {true, false, false, "the impulse of a drive has no solution: what it moves has no mass"};
  if (const int k = s.data().dissipated_state; k >= 0) p.x[k - 1] += evaluator_->energy(p).stored - stored;
  return {true, worst_ >= 0, true, ""};
}

bool DriveJumps::repeat(Point& p, bool positions) {
  const int account = evaluator_->system().data().dissipated_state;
  const double stored = account >= 0 ? evaluator_->energy(p).stored : 0;
  if (positions && !projection_.project_position(p).good) return false;
  if (!change_velocities(p)) return false;
  if (account >= 0) p.x[account - 1] += evaluator_->energy(p).stored - stored;
  return true;
}

}  // namespace coenergy::solve
