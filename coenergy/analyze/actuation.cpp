#include "coenergy/analyze/actuation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "coenergy/base/argument.hpp"
#include "coenergy/equations/data.hpp"
#include "coenergy/equations/open_equations.hpp"
#include "coenergy/math/decompositions.hpp"
#include "coenergy/symbolic/algebra.hpp"

namespace coenergy::analyze {

using equations::Point;
using equations::System;
using math::Matrix;

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
  const equations::OpenEquations equations(s);
  const equations::EquationSet& set = *equations;
  for (const auto& [k, phi] : set.constraint)
    for (const symbolic::Expr& symbol : symbolic::free_symbols(std::span(&phi, 1))) {
      const equations::Address at = set.variables.address(symbol);
      if (at.source == equations::Source::time) result[k].depends_on_time = true;
      if (at.source == equations::Source::q) result[k].coordinates.push_back(at.index);
      // any two of a rotation: it is not one coordinate
      if (at.source == equations::Source::rotation_q) result[k].coordinates.insert(result[k].coordinates.end(), 2, -1);
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

std::vector<int> find_coordinates(const System& s, const std::vector<std::string>& names, const std::string& what) {
  std::vector<std::string> known;
  for (int i = 0; i < s.nv(); ++i) known.push_back(s.unknown(i).name);
  std::vector<int> result;
  for (const std::string& name : names) {
    int found = -1;
    int count = 0;
    for (int i = 0; i < s.nv(); ++i) count += s.unknown(i).owner() == name ? 1 : 0;
    for (int i = 0; i < s.nv(); ++i)
      if (known[i] == name || (count == 1 && s.unknown(i).owner() == name)) found = i;
    if (found < 0)
      throw Error(argument(what) + ": there is no coordinate \"" + name + "\"" + did_you_mean(name, known));
    if (std::find(result.begin(), result.end(), found) != result.end())
      throw Error(argument(what) + ": " + known[found] + " is named twice");
    result.push_back(found);
  }
  return result;
}

Actuation::Actuation(equations::Evaluator& evaluator, const Point& p, const std::vector<std::string>& actuated)
    : evaluator_(&evaluator), actuated_(find_coordinates(evaluator.system(), actuated, "actuated")) {
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
  check_count(p, actuated_.size(), "actuated joints", "actuated");
}

Actuation::Actuation(equations::Evaluator& evaluator, const Point& p, std::vector<int> inputs)
    : evaluator_(&evaluator), inputs_(std::move(inputs)) {
  const std::vector<Restriction> restrictions = find_restrictions(evaluator.system());
  for (std::size_t k = 0; k < restrictions.size(); ++k)
    if (!restrictions[k].depends_on_time) structural_.push_back(static_cast<int>(k));
  check_count(p, inputs_.size(), "inputs", "input");
}

void Actuation::check_count(const Point& p, std::size_t count, const char* what, const char* name) {
  const System& s = evaluator_->system();
  const solve::Partition partition = solve::choose_partition(structural_jacobian(p), nominal_values(s));
  const std::size_t freedoms = partition.independent.size();
  if (freedoms == count) return;
  if (!inputs_.empty())
    throw Error(fmt::format("the mechanism has {} degrees of freedom without its drives and {} inputs; name {} with {}",
                            freedoms, count, freedoms, argument(name)));
  std::string free;
  for (const int i : partition.independent) free += (free.empty() ? "" : ",") + s.unknown(i).name;
  throw Error(
      fmt::format("the mechanism has {} degrees of freedom without its drives and {} {}; name {} "
                  "with {}, such as {} {}",
                  freedoms, count, what, freedoms, argument(name), argument(name), free));
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
  evaluator_->residual(free, equations::Level::acceleration, r);

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

std::vector<double> Actuation::forces_of_drives(const Point& p) {
  const System& s = evaluator_->system();
  Point free = p;
  std::fill(free.lambda.begin(), free.lambda.end(), 0.0);
  std::vector<double> r(static_cast<std::size_t>(s.n()));
  evaluator_->residual(free, equations::Level::acceleration, r);
  const Matrix j = structural_jacobian(p);
  const Matrix t = motions(j, solve::choose_partition(j, nominal_values(s)));
  std::vector<double> forces(static_cast<std::size_t>(t.columns), 0.0);
  for (int i = 0; i < t.columns; ++i)
    for (int k = 0; k < s.nv(); ++k) forces[static_cast<std::size_t>(i)] += t(k, i) * r[static_cast<std::size_t>(k)];
  return forces;
}

std::optional<std::vector<double>> Actuation::input_values(const Point& p) {
  const System& s = evaluator_->system();
  Point free = p;
  std::fill(free.lambda.begin(), free.lambda.end(), 0.0);
  const Matrix j = structural_jacobian(p);
  const solve::Partition partition = solve::choose_partition(j, nominal_values(s));
  const Matrix t = motions(j, partition);
  const int n = int(inputs_.size());
  if (int(partition.independent.size()) != n) return std::nullopt;
  std::vector<double> r(s.n()), slope(s.n()), u;
  for (int k : inputs_) u.push_back(evaluator_->parameter(k));

  // one step is exact where forces are linear in the inputs, and a second one sees it
  constexpr int most = 30;
  for (int pass = 0; pass < most; ++pass) {
    evaluator_->residual(free, equations::Level::acceleration, r);
    Matrix a(n, n), b(n, 1);
    for (int k = 0; k < n; ++k) {
      evaluator_->parameter_derivative(free, equations::Level::acceleration, inputs_[k], slope);
      for (int i = 0; i < n; ++i)
        for (int row = 0; row < s.nv(); ++row) a(i, k) -= t(row, i) * slope[row];
    }
    for (int i = 0; i < n; ++i)
      for (int row = 0; row < s.nv(); ++row) b(i, 0) += t(row, i) * r[row];
    const math::SingularValues values = math::compute_singular_values(a);
    if (!(values.s.back() > singular * values.s.front())) return std::nullopt;
    const Matrix step = math::solve(a, b);
    bool done = true;
    for (int k = 0; k < n; ++k) {
      u[k] += step(k, 0);
      evaluator_->set_parameter(inputs_[k], u[k]);
      done = done && std::abs(step(k, 0)) <= 1e-11 * (1e-9 + std::abs(u[k]));
    }
    if (done) return u;
  }
  return std::nullopt;
}

}  // namespace coenergy::analyze
