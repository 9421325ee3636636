#include "coenergy/analyze/minimal_coordinates.hpp"

#include "coenergy/base/error.hpp"
#include "coenergy/math/decompositions.hpp"
#include "coenergy/solve/partition.hpp"

namespace coenergy::analyze {
namespace {

using math::Matrix;

/// Change of Φ̇ with the coordinates, constraints × coordinates.
Matrix rate_matrix(equations::Evaluator& evaluator, const equations::Point& point) {
  const equations::System& s = evaluator.system();
  const auto& pattern = s.pattern();
  std::vector<double> values(pattern.row.size());
  evaluator.jacobian(point, equations::Level::velocity, {.q = 1}, values);
  Matrix m(s.nl(), s.nv());
  for (int j = 0; j < s.nv(); ++j)
    for (int e = pattern.column_start[j]; e < pattern.column_start[j + 1]; ++e)
      if (const int i = pattern.row[e] - s.nv(); i >= 0 && i < s.nl()) m(i, j) = values[e];
  return m;
}

/// −Φ_D⁻¹ · right for the pivot rows.
Matrix solve_dependent(const Matrix& phi_q, const solve::Partition& pivots, const Matrix& right) {
  const int count = int(pivots.rows.size());
  Matrix block(count, count), picked(count, right.columns);
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < count; ++j) block(i, j) = phi_q(pivots.rows[i], pivots.dependent[j]);
    for (int j = 0; j < right.columns; ++j) picked(i, j) = -right(pivots.rows[i], j);
  }
  return math::solve(block, picked);
}

/// The columns of what is free by itself, with those that follow it: N of δ = N δ_I.
Matrix find_null_space(const Matrix& phi_q, const solve::Partition& pivots, int nv) {
  const int count = int(pivots.independent.size());
  Matrix n(nv, count), by_independent(phi_q.rows, count);
  for (int j = 0; j < count; ++j) {
    n(pivots.independent[j], j) = 1;
    for (int i = 0; i < phi_q.rows; ++i) by_independent(i, j) = phi_q(i, pivots.independent[j]);
  }
  if (pivots.dependent.empty()) return n;
  const Matrix dependent = solve_dependent(phi_q, pivots, by_independent);
  for (int j = 0; j < count; ++j)
    for (std::size_t i = 0; i < pivots.dependent.size(); ++i) n(pivots.dependent[i], j) = dependent(int(i), j);
  return n;
}

/// The rows of constraints that hold positions.
Matrix keep_holonomic(const equations::System& s, const Matrix& phi_q) {
  std::vector<int> rows;
  for (int k = 0; k < s.nl(); ++k)
    if (!s.is_velocity_constraint(k)) rows.push_back(k);
  Matrix kept(int(rows.size()), phi_q.columns);
  for (int i = 0; i < kept.rows; ++i)
    for (int j = 0; j < kept.columns; ++j) kept(i, j) = phi_q(rows[i], j);
  return kept;
}

}  // namespace

MinimalCoordinates compute_minimal_coordinates(equations::Evaluator& evaluator, const equations::Point& point) {
  const equations::System& s = evaluator.system();
  const Matrix all = solve::constraint_jacobian(evaluator, point), holonomic = keep_holonomic(s, all);
  const std::vector<double> weights = solve::partition_weights(s);
  const solve::Partition positions = solve::choose_partition(holonomic, weights);
  const solve::Partition velocities = all.rows == holonomic.rows ? positions : solve::choose_partition(all, weights);
  MinimalCoordinates result;
  result.independent = positions.independent, result.dependent = positions.dependent;
  result.rates = velocities.independent;
  result.n = find_null_space(holonomic, positions, s.nv());
  result.n_rate = find_null_space(all, velocities, s.nv());

  // K from the change of the velocity constraints with q
  const int count = int(result.independent.size());
  result.k = Matrix(s.nv(), count);
  if (velocities.dependent.empty()) return result;
  const Matrix dependent = solve_dependent(all, velocities, math::multiply(rate_matrix(evaluator, point), result.n));
  for (int j = 0; j < count; ++j)
    for (std::size_t i = 0; i < velocities.dependent.size(); ++i)
      result.k(velocities.dependent[i], j) = dependent(int(i), j);
  return result;
}

std::string position_name(const equations::System& system, int coordinate) {
  const int scalars = system.nv() - 3 * (system.nq() - system.nv());
  const equations::UnknownInfo& info = system.unknown(coordinate);
  if (coordinate < scalars) return info.name;
  return std::string(info.owner()) + ".turn_" + "xyz"[(coordinate - scalars) % 3];
}

std::string rate_name(const equations::System& system, int coordinate) {
  const int scalars = system.nv() - 3 * (system.nq() - system.nv());
  return coordinate < scalars ? system.unknown(coordinate).name + "d" : system.unknown(coordinate).name;
}

void check_holonomic(const equations::System& system, const std::string& what) {
  for (int k = 0; k < system.nl(); ++k)
    if (system.is_velocity_constraint(k))
      throw Error(system.row_name(system.nv() + k) + ": " + what +
                  " knows no non-holonomic constraints, such as rolling");
}

}  // namespace coenergy::analyze
