#include "coenergy/reduce/mechanism.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "coenergy/analyze/actuation.hpp"
#include "coenergy/analyze/linear_deviations.hpp"
#include "coenergy/analyze/minimal_coordinates.hpp"
#include "coenergy/base/error.hpp"

namespace coenergy::reduce {

using equations::Level;
using equations::Point;
using equations::System;
using math::SparseMatrix;

namespace {

bool any(const std::vector<double>& values) {
  return std::any_of(values.begin(), values.end(), [](double x) { return x != 0; });
}

}  // namespace

Mechanism::Mechanism(const System& system, const Choice& choice, const Point& start)
    : evaluator_(system), choice_(choice), start_(start) {
  for (auto* part : {&start_.v, &start_.a, &start_.lambda, &start_.xd}) std::fill(part->begin(), part->end(), 0.0);
  check_kinds();
  if (choice.theta.empty()) throw Error("theta: name the joints whose coordinates are to be kept, the actuated ones");
  theta_ = analyze::find_coordinates(system, choice.theta, "theta");
  for (const std::string& name : choice.directions) directions_.push_back(system.get_signal(name, "directions"));
  sensors_ = directions_, sensor_names_ = choice.directions;
  for (const std::string& name : choice.sensors) {
    if (std::count(sensor_names_.begin(), sensor_names_.end(), name) > 0) continue;
    sensors_.push_back(system.get_signal(name, "sensors")), sensor_names_.push_back(name);
  }
  for (const std::string& name : choice.gravity) {
    const int k = system.find_parameter(name);
    if (k < 0 || evaluator_.parameter(k) == 0) continue;
    if (const std::string entry = system.find_built_in(k); !entry.empty())
      throw Error(name + ": the reduction switches gravity off, but this value is built into the equations");
    gravity_.push_back(k), gravity_values_.push_back(evaluator_.parameter(k));
  }
  set_gravity(false);
}

void Mechanism::check_kinds() const {
  const System& s = evaluator_.system();
  analyze::check_holonomic(s, "the reduction");
  for (int i = 0; i < s.nx(); ++i)
    if (const std::string& name = s.unknown(s.nv() + s.nl() + i).name; !analyze::is_of_account(s, name))
      throw Error(name +
                  ": the reduction is of a mechanism alone; a state beside its motion belongs to what drives it");
  if (s.ny() > 0)
    throw Error(s.unknown(s.n() - s.ny()).name +
                ": the reduction is of a mechanism alone; an algebraic variable belongs to what drives it");
  if (s.nv() == 0) throw Error("the model has no coordinates to reduce");
}

void Mechanism::set_gravity(bool on) {
  for (std::size_t k = 0; k < gravity_.size(); ++k) evaluator_.set_parameter(gravity_[k], on ? gravity_values_[k] : 0);
}

std::vector<double> Mechanism::theta_of(const Point& p) const {
  std::vector<double> values;
  for (int k : theta_) values.push_back(p.q[k]);
  return values;
}

std::vector<double> Mechanism::sensor_row(const Point& p, int sensor) {
  const equations::Evaluator::Gradient g = evaluator_.signal_gradient(p, sensors_[sensor]);
  if (any(g.v) || any(g.a) || any(g.lambda))
    throw Error(sensor_names_[sensor] + " is no position: it depends on velocities, accelerations or reactions");
  if (!any(g.q)) throw Error(sensor_names_[sensor] + " does not move with the mechanism");
  return g.q;
}

SparseMatrix Mechanism::matrix(const Point& p, const equations::Weights& weights, int size) {
  const auto& pattern = system().pattern();
  std::vector<double> values(pattern.row.size());
  evaluator_.jacobian(p, Level::position, weights, values);
  std::vector<math::Triplet> entries;
  for (int j = 0; j < size; ++j)
    for (int e = pattern.column_start[j]; e < pattern.column_start[j + 1]; ++e)
      if (pattern.row[e] < size && values[e] != 0) entries.push_back({pattern.row[e], j, values[e]});
  SparseMatrix result = math::make_sparse_matrix(size, std::move(entries));
  return result;
}

SparseMatrix Mechanism::stiffness(const Point& p) {
  return matrix(p, {.q = 1, .lambda = 1}, system().nv() + system().nl());
}

SparseMatrix Mechanism::mass(const Point& p) {
  SparseMatrix m = matrix(p, {.a = 1}, system().nv());
  m.n += system().nl(), m.column_start.resize(m.n + 1, m.column_start.back());
  return m;
}

SparseMatrix Mechanism::damping(const Point& p) { return matrix(p, {.v = 1}, system().nv()); }

void Mechanism::refuse(const std::string& name, const std::string& held) const {
  throw Error(fmt::format(
      "{}: with {} held the mechanism is singular here: it moves freely, or what is held cannot move", name, held));
}

math::ComponentModes Mechanism::hold_rigid(const Point& p, const RigidMotion& motion) {
  const System& s = system();
  std::vector<std::vector<double>> rows;
  for (int k : theta_) {
    std::vector<double> row(s.nv(), 0.0);
    row[k] = 1;
    rows.push_back(motion.collect(row));
    rows.back().resize(motion.size() + s.nl(), 0.0);
  }
  std::vector<int> multipliers(s.nl());
  std::iota(multipliers.begin(), multipliers.end(), motion.size());
  math::ComponentModes result(motion.reduce(stiffness(p)), rows, multipliers);
  if (result.is_regular()) return result;
  const std::string held = fmt::format("{}", fmt::join(choice_.theta, ", "));
  const int at = result.weakest(), constraint = at - motion.size(), direction = constraint - s.nl();
  if (direction >= 0) refuse(s.unknown(theta_[direction]).name, held);
  if (constraint >= 0) refuse(s.row_name(s.nv() + constraint), held);
  refuse(s.unknown(motion.coordinate_of(at)).name, held);
}

math::ComponentModes Mechanism::hold_all(const Point& p) {
  const System& s = system();
  std::vector<std::vector<double>> rows;
  for (int k : theta_) rows.emplace_back(s.nv(), 0.0)[k] = 1;
  for (int k = 0; k < directions(); ++k) rows.push_back(sensor_row(p, k));
  for (auto& row : rows) row.resize(s.nv() + s.nl(), 0.0);
  std::vector<int> multipliers(s.nl());
  std::iota(multipliers.begin(), multipliers.end(), s.nv());
  math::ComponentModes result(stiffness(p), rows, multipliers);
  if (result.is_regular()) return result;
  std::vector<std::string> held = choice_.theta;
  held.insert(held.end(), choice_.directions.begin(), choice_.directions.end());
  const int at = result.weakest(), direction = at - s.nv() - s.nl();
  refuse(at < s.nv()     ? s.unknown(at).name
         : direction < 0 ? s.row_name(at)
                         : held[direction],
         fmt::format("{}", fmt::join(held, ", ")));
}

std::vector<double> Mechanism::residual(const Point& p) {
  std::vector<double> r(system().n());
  evaluator_.residual(p, Level::position, r);
  r.resize(system().nv() + system().nl());
  return r;
}

std::vector<double> Mechanism::gravity(const Point& p) {
  const std::vector<double> without = residual(p);
  set_gravity(true);
  const std::vector<double> with = residual(p);
  set_gravity(false);
  std::vector<double> force(system().nv());
  for (int i = 0; i < system().nv(); ++i) force[i] = without[i] - with[i];
  return force;
}

}  // namespace coenergy::reduce
