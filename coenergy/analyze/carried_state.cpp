#include "coenergy/analyze/carried_state.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "coenergy/analyze/memory.hpp"
#include "coenergy/analyze/periodic.hpp"
#include "coenergy/equations/data.hpp"
#include "coenergy/solve/projection.hpp"

namespace coenergy::analyze {

using equations::Evaluator;
using equations::Point;
using equations::System;

namespace {

/// States that only keep the energy account.
bool is_of_account(const System& s, int state) {
  const int dissipated = s.data().dissipated_state;
  return dissipated >= 0 && (state == dissipated || state == dissipated - 1);
}

/// What is left of an angle without whole turns.
double without_turns(double angle) { return angle - 2 * std::numbers::pi * std::round(angle / (2 * std::numbers::pi)); }

}  // namespace

CarriedState::CarriedState(Evaluator& evaluator, const Point& point)
    : system_(evaluator.system()), minimal_(compute_minimal_coordinates(evaluator, point)) {
  const System& s = system_;
  check_holonomic(s, "a periodic state");
  for (int i = 0; i < s.nx(); ++i)
    if (!is_of_account(s, i)) states_.push_back(i);
  const std::vector<char> memory = find_memory(s);
  for (int i = 0; i < s.nd(); ++i)
    if (memory[i]) memory_.push_back(i);
  instants_ = find_instants(s);

  const auto add = [&](const std::string& name, const std::string& unit, double value, double nominal) {
    directions_.push_back({name,
                           unit,
                           value,
                           {},
                           std::vector<double>(s.nv()),
                           std::vector<double>(s.nv()),
                           std::vector<double>(s.nx()),
                           std::vector<double>(s.nd())});
    scales_.push_back(std::max({std::abs(value), nominal, 1e-300}));
  };
  const solve::Tangent tangent(s);
  const int count = static_cast<int>(minimal_.independent.size());
  for (int j = 0; j < count; ++j) {
    const int i = minimal_.independent[j];
    add(position_name(s, i), s.unknown(i).unit, 0,
        s.unknown(i).turns ? 1 : std::max(tangent.size(point.q, i), s.unknown(i).nominal));
    for (int k = 0; k < s.nv(); ++k) {
      directions_.back().q[k] = minimal_.n(k, j);
      if (minimal_.k.rows > 0) directions_.back().v[k] = minimal_.k(k, j);
    }
  }
  for (int j = 0; j < count; ++j) {
    const int i = minimal_.independent[j];
    add(rate_name(s, i), s.unknown(i).unit.empty() ? "1/s" : s.unknown(i).unit + "/s", point.v[i],
        s.unknown(i).nominal);
    for (int k = 0; k < s.nv(); ++k) directions_.back().v[k] = minimal_.n(k, j);
  }
  for (int i : states_) {
    const equations::UnknownInfo& info = s.unknown(s.nv() + s.nl() + i);
    add(info.name, info.unit, point.x[i], info.nominal);
    directions_.back().x[i] = 1;
  }
  for (int i : memory_) {
    const std::string& name = s.data().discrete_names[i];
    const int signal = s.find_signal(name);
    if (instants_[i])
      add(name + " - time", "s", point.d[i] - point.t, 1e-3 * std::abs(point.t));
    else
      add(name, signal < 0 ? "" : s.signals()[signal].unit, point.d[i], 1);
    directions_.back().d[i] = 1;
  }
}

bool CarriedState::is_angle(int i) const {
  return i < static_cast<int>(minimal_.independent.size()) && system_.unknown(minimal_.independent[i]).turns;
}

std::vector<double> CarriedState::reduce(const Variation& v) const {
  std::vector<double> z;
  for (int i : minimal_.independent) z.push_back(v.q[i]);
  for (int i : minimal_.independent) z.push_back(v.v[i]);
  for (int i : states_) z.push_back(v.x[i]);
  for (int i : memory_) z.push_back(v.d[i]);
  return z;
}

std::vector<double> CarriedState::difference(const Point& from, const Point& to) const {
  const solve::Tangent tangent(system_);
  std::vector<double> way(system_.nv()), z;
  tangent.difference(from.q, to.q, way);
  for (int i : minimal_.independent) z.push_back(system_.unknown(i).turns ? without_turns(way[i]) : way[i]);
  for (int i : minimal_.independent) z.push_back(to.v[i] - from.v[i]);
  for (int i : states_) z.push_back(to.x[i] - from.x[i]);
  for (int i : memory_) z.push_back(to.d[i] - from.d[i] - (instants_[i] ? to.t - from.t : 0));
  return z;
}

std::vector<double> CarriedState::rates(const Point& p) const {
  std::vector<double> d(p.d.size(), 0.0);
  for (std::size_t i = 0; i < d.size(); ++i) d[i] = instants_[i] ? -1 : 0;
  return reduce({p.v, p.a, p.xd, d});
}

std::vector<double> CarriedState::values(const Point& p) const {
  std::vector<double> q = p.q;
  q.resize(std::max<std::size_t>(q.size(), p.v.size()));
  const int scalars = system_.nv() - 3 * (system_.nq() - system_.nv());
  for (int i = scalars; i < system_.nv(); ++i) q[i] = 0;  // a rotation is told by its signals
  std::vector<double> d = p.d;
  for (std::size_t i = 0; i < d.size(); ++i) d[i] -= instants_[i] ? p.t : 0;
  return reduce({q, p.v, p.x, d});
}

bool CarriedState::move(Evaluator& evaluator, const std::vector<double>& dz, Point& p) const {
  std::vector<double> dq(system_.nv(), 0.0);
  for (std::size_t j = 0; j < directions_.size(); ++j) {
    const Direction& d = directions_[j];
    for (int i = 0; i < system_.nv(); ++i) dq[i] += dz[j] * d.q[i], p.v[i] += dz[j] * d.v[i];
    for (int i = 0; i < system_.nx(); ++i) p.x[i] += dz[j] * d.x[i];
    for (int i = 0; i < system_.nd(); ++i) p.d[i] += dz[j] * d.d[i];
  }
  evaluator.retract(p.q, dq);
  solve::Statistics statistics;
  solve::ConstraintProjection projection(evaluator, statistics);
  return projection.project_position(p).good && projection.project_velocity(p).good;
}

void CarriedState::describe(const Point& p, Periodic& result) const {
  result.names.clear(), result.units.clear();
  for (const Direction& d : directions_) result.names.push_back(d.name), result.units.push_back(d.unit);
  result.values = values(p);
}

}  // namespace coenergy::analyze
