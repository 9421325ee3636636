#include "coenergy/analyze/actuation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "coenergy/base/error.hpp"
#include "coenergy/math/decompositions.hpp"
#include "coenergy/symbolic/algebra.hpp"
#include "coenergy/system/data.hpp"

namespace coenergy::analyze {

using math::Matrix;
using system::Point;
using system::System;

namespace {

constexpr double singular = 1e-9;  // smallest over largest singular value of S T

/// What a constraint restricts: its coordinates, and whether time moves it.
struct Restriction {
  std::vector<int> coordinates;
  bool depends_on_time = false;
};

/// By multiplier. Constraints of shared kernels (joints in absolute coordinates) never depend on time.
std::vector<Restriction> find_restrictions(const System& s) {
  std::vector<Restriction> result(s.nl());
  const system::EquationSet& set = *s.data().kernels.front()->set;
  for (const auto& [k, phi] : set.constraint)
    for (const symbolic::Expr& symbol : symbolic::free_symbols(std::span(&phi, 1))) {
      const system::Address at = set.variables.address(symbol);
      if (at.source == system::Source::time) result[k].depends_on_time = true;
      if (at.source == system::Source::q) result[k].coordinates.push_back(at.index);
      // any two of a rotation: it is not one coordinate
      if (at.source == system::Source::rotation_q) result[k].coordinates.insert(result[k].coordinates.end(), 2, -1);
    }
  return result;
}

/// T of the partition: columns by independent coordinates.
Matrix motions(const Matrix& jacobian, const solve::Partition& p) {
  const int m = int(p.dependent.size()), f = int(p.independent.size());
  Matrix t(jacobian.columns, f);
  for (int j = 0; j < f; ++j) t(p.independent[j], j) = 1;
  if (m == 0) return t;
  Matrix block(m, m), right(m, f);
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < m; ++j) block(i, j) = jacobian(p.rows[i], p.dependent[j]);
    for (int j = 0; j < f; ++j) right(i, j) = -jacobian(p.rows[i], p.independent[j]);
  }
  const Matrix b = math::solve(block, right);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < f; ++j) t(p.dependent[i], j) = b(i, j);
  return t;
}

std::vector<double> nominal_values(const System& s) {
  std::vector<double> nominal(s.nv());
  for (int i = 0; i < s.nv(); ++i) nominal[i] = s.unknown(i).nominal;
  return nominal;
}

}  // namespace

std::vector<int> find_coordinates(const System& s, const std::vector<std::string>& names, const std::string& option) {
  std::vector<std::string> known;
  for (int i = 0; i < s.nv(); ++i) known.push_back(s.unknown(i).name);
  std::vector<int> result;
  for (const std::string& name : names) {
    int found = -1;
    for (int i = 0; i < s.nv(); ++i)
      if (known[i] == name || known[i] == name + ".q" || known[i] == name + ".phi" || known[i] == name + ".s")
        found = i;
    if (found < 0) throw Error(option + ": there is no coordinate \"" + name + "\"" + did_you_mean(name, known));
    if (std::find(result.begin(), result.end(), found) != result.end())
      throw Error(option + ": " + known[found] + " is named twice");
    result.push_back(found);
  }
  return result;
}

Actuation::Actuation(system::Evaluator& evaluator, const Point& p, const std::vector<std::string>& actuated)
    : evaluator_(&evaluator), actuated_(find_coordinates(evaluator.system(), actuated, "--actuated")) {
  const System& s = evaluator.system();
  const std::vector<Restriction> restrictions = find_restrictions(s);
  const auto is_actuated = [&](int i) { return std::find(actuated_.begin(), actuated_.end(), i) != actuated_.end(); };
  std::vector<int> driven;
  for (int k = 0; k < s.nl(); ++k) {
    const Restriction& r = restrictions[k];
    const bool alone = r.coordinates.size() == 1;
    if (r.depends_on_time && alone) driven.push_back(r.coordinates[0]);
    if (!r.depends_on_time && !(alone && is_actuated(r.coordinates[0]))) structural_.push_back(k);
  }
  if (actuated.empty()) actuated_ = driven;
  const solve::Partition partition = solve::choose_partition(structural_jacobian(p), nominal_values(s));
  const std::size_t freedoms = partition.independent.size();
  if (freedoms == actuated_.size()) return;
  std::string free;
  for (const int i : partition.independent) free += (free.empty() ? "" : ",") + s.unknown(i).name;
  throw Error(
      fmt::format("the mechanism has {} degrees of freedom without its drives and {} actuated joints; name {} "
                  "with --actuated, such as --actuated {}",
                  freedoms, actuated_.size(), freedoms, free));
}

Matrix Actuation::structural_jacobian(const Point& p) {
  const Matrix all = solve::constraint_jacobian(*evaluator_, p);
  Matrix j(int(structural_.size()), all.columns);
  for (int i = 0; i < j.rows; ++i)
    for (int k = 0; k < j.columns; ++k) j(i, k) = all(structural_[i], k);
  return j;
}

std::optional<std::vector<double>> Actuation::forces(const Point& p) {
  const System& s = evaluator_->system();
  Point free = p;
  std::fill(free.lambda.begin(), free.lambda.end(), 0.0);
  std::vector<double> r(s.n());
  evaluator_->residual(free, system::Level::acceleration, r);

  const Matrix j = structural_jacobian(p);
  const solve::Partition partition = solve::choose_partition(j, nominal_values(s));
  const Matrix t = motions(j, partition);
  const int n = int(actuated_.size());
  if (int(partition.independent.size()) != n) return std::nullopt;
  Matrix a(n, n), b(n, 1);
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < s.nv(); ++k) b(i, 0) += t(k, i) * r[k];
    for (int k = 0; k < n; ++k) a(i, k) = t(actuated_[k], i);
  }
  if (n == 0) return std::vector<double>{};
  const math::SingularValues values = math::compute_singular_values(a);
  if (!(values.s.back() > singular * values.s.front())) return std::nullopt;
  const Matrix tau = math::solve(a, b);
  return std::vector<double>(tau.data.begin(), tau.data.end());
}

}  // namespace coenergy::analyze
